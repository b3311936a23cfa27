// Checksums of what a plain store quotes and hands out: SQLite sees a damaged page, not a letter in it that became
// another one. An encrypted store has none: there every value is authenticated.
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { limits } from '../limits.ts'

// The columns that tell rows of one persona apart, what the sum is of, and how many are compared in one go.
const summed = {
  documents: { id: 'id', place: null, values: ['text'], some: limits.sumDocuments },
  memories: { id: 'id', place: null, values: ['text'], some: limits.sumMemories },
  drafts: { id: 'id', place: null, values: ['question', 'text'], some: limits.sumMemories },
  messages: { id: 'session_id', place: 'position', values: ['text'], some: limits.sumMemories },
  revisions: { id: 'document_id', place: 'revision', values: ['text'], some: limits.sumDocuments },
  file_pieces: { id: 'document_id', place: 'position', values: ['bytes'], some: limits.sumPieces },
} as const
export type SummedTable = keyof typeof summed
const summedTables = Object.keys(summed) as SummedTable[]

// `place`: 0 in tables whose rows have an id each.
export type SummedAt = { table: SummedTable; personaId: number; id: string; place: number }

export const sumOf = (value: string | Uint8Array): number => crc32(value)

const addSumOf = (db: DatabaseSync) => db.function('sum_of', { deterministic: true }, sumOf as never)

// In the row that this names: its key as the table of sums has it, and what the sum is of.
function columnsOf(table: SummedTable, row: string) {
  const { id, place, values } = summed[table]
  const keys = ['persona_id', id, ...(place ? [place] : [])].map((column) => `${row}.${column}`)
  return { keys, value: values.map((column) => `${row}.${column}`).join(' || char(31) || ') }
}

const sumKeys = (table: SummedTable): string[] => ['persona_id', 'id', ...(summed[table].place ? ['place'] : [])]

function joined(table: SummedTable, how: 'join' | 'left join'): string {
  const { keys } = columnsOf(table, 'of')
  const sameKeys = sumKeys(table).map((key, at) => `sums.${key} = ${keys[at]}`)
  return `main.${table} as of ${how} main.${table}_sums as sums on ${sameKeys.join(' and ')}`
}

// From now on whatever this connection writes has its sum. The triggers are this connection's alone: whoever else
// changes something is found out.
export function keepSums(writer: DatabaseSync): void {
  addSumOf(writer)
  for (const table of summedTables) {
    const { keys, value } = columnsOf(table, 'new')
    const keep = `insert or replace into ${table}_sums values (${keys.join(', ')}, sum_of(${value}));`
    const gone = columnsOf(table, 'old').keys.map((key, at) => `${sumKeys(table)[at]} = ${key}`)
    writer.exec(`
      create temp trigger sum_new_${table} after insert on main.${table} begin ${keep} end;
      create temp trigger sum_changed_${table} after update of ${summed[table].values.join(', ')} on main.${table}
        begin ${keep} end;
      create temp trigger sum_gone_${table} after delete on main.${table} begin
        delete from ${table}_sums where ${gone.join(' and ')};
      end;`)
  }
}

// Looks through everything, a few at a time, and gives those a sum that have none yet. Tells the first that are not
// what was stored.
export function checkSums(db: DatabaseSync): SummedAt[] {
  addSumOf(db)
  const damaged: SummedAt[] = []
  for (const table of summedTables) {
    const { keys, value } = columnsOf(table, 'of')
    const rows = db.prepare(
      `select ${keys[0]} as personaId, ${keys[1]} as id, ${keys[2] ?? 0} as place, sum, sum_of(${value}) as now
       from ${joined(table, 'left join')}
       where (${keys.join(', ')}) > (${keys.map(() => '?').join(', ')}) order by ${keys.join(', ')} limit ?`,
    )
    const add = db.prepare(
      `insert or ignore into ${table}_sums select ${keys.join(', ')}, sum_of(${value}) from main.${table} as of
       where (${keys.join(', ')}) = (${keys.map(() => '?').join(', ')})`,
    )
    const keyOf = (row: Pick<Read, 'personaId' | 'id' | 'place'>) =>
      [row.personaId, row.id, row.place].slice(0, keys.length)
    for (let last = keyOf({ personaId: -1, id: '', place: -1 }); ; ) {
      const some = rows.all(...last, summed[table].some) as Read[]
      const missing = some.filter(({ sum }) => sum === null)
      if (missing.length > 0) inTransaction(db, () => missing.map((row) => add.run(...keyOf(row))))
      for (const { personaId, id, place, sum, now } of some)
        if (sum !== null && sum !== now && damaged.length < limits.damagedTold)
          damaged.push({ table, personaId, id, place })
      const end = some.at(-1)
      if (!end) break
      last = keyOf(end)
    }
  }
  return damaged
}

type Read = { personaId: number; id: string; place: number; sum: number | null; now: number }

// It is short: whoever writes meanwhile waits for it.
function inTransaction(db: DatabaseSync, act: () => void): void {
  db.exec('begin immediate')
  act()
  db.exec('commit')
}

// How much of a file that nobody serves is not what was stored.
export function countDamaged(db: DatabaseSync): number {
  addSumOf(db)
  return summedTables.reduce((sum, table) => {
    const { value } = columnsOf(table, 'of')
    const counted = db
      .prepare(`select count(*) as n from ${joined(table, 'join')} where sum_of(${value}) <> sum`)
      .get() as { n: number }
    return sum + counted.n
  }, 0)
}

// Whether a row, as the reading connection sees it, is not what was stored. Its values: those of `keyOf`.
export const isDamagedSql = (table: SummedTable): string => {
  const { keys, value } = columnsOf(table, 'of')
  const isThis = keys.map((key) => `${key} = ?`).join(' and ')
  return `select sum_of(${value}) <> sum as damaged from ${joined(table, 'join')} where ${isThis}`
}
export const keyOf = ({ table, personaId, id, place }: SummedAt): (string | number)[] =>
  summed[table].place ? [personaId, id, place] : [personaId, id]

// What is read of these in many ways is compared as it is read: on the reading connection temporary views stand before
// the tables and have their names, as those of a sealed store do. `withhold` gives what stands for a damaged value.
export function hangSoundViews(reader: DatabaseSync, withhold: (at: SummedAt) => string): void {
  addSumOf(reader)
  reader.function('withhold', ((table: SummedTable, personaId: number, id: string, place: number) =>
    withhold({ table, personaId, id, place })) as never)
  for (const table of ['drafts', 'messages', 'revisions', 'file_pieces'] as const) {
    const { keys, value } = columnsOf(table, 'of')
    const isSound = `sums.sum is null or sums.sum = sum_of(${value})`
    const instead = `withhold('${table}', ${keys[0]}, ${keys[1]}, ${keys[2] ?? 0})`
    const names = reader.prepare(`select name from pragma_table_info('${table}', 'main')`).all() as { name: string }[]
    const columns = names.map(({ name }) =>
      (summed[table].values as readonly string[]).includes(name)
        ? `case when ${isSound} then of."${name}" else ${instead} end as "${name}"`
        : `of."${name}" as "${name}"`,
    )
    reader.exec(`create temp view "${table}" as select ${columns.join(', ')} from ${joined(table, 'left join')}`)
  }
}
