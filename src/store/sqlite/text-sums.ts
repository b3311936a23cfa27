// Checksums of the texts of a plain store: SQLite sees a damaged page, not a letter in it that became another one. An
// encrypted store has none: there every value is authenticated.
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { limits } from '../limits.ts'

export const summedTables = ['documents', 'memories'] as const
export type SummedTable = (typeof summedTables)[number]
export type TextAt = { table: SummedTable; personaId: number; id: string }

export const sumOf = (text: string): number => crc32(text)

// From now on whatever this connection writes has its sum. The triggers are this connection's alone: whoever else
// changes a text is found out.
export function keepSums(writer: DatabaseSync): void {
  writer.function('text_sum', { deterministic: true }, (text) => sumOf(text as string))
  for (const table of summedTables) {
    const keep = `insert or replace into ${table}_sums values (new.persona_id, new.id, text_sum(new.text));`
    writer.exec(`
      create temp trigger sum_new_${table} after insert on main.${table} begin ${keep} end;
      create temp trigger sum_changed_${table} after update of text on main.${table} begin ${keep} end;
      create temp trigger sum_gone_${table} after delete on main.${table} begin
        delete from ${table}_sums where persona_id = old.persona_id and id = old.id;
      end;`)
  }
}

// Looks through all texts, a few at a time, and gives those a sum that have none yet. Tells the first that are not what
// was stored.
export function checkSums(db: DatabaseSync): TextAt[] {
  const damaged: TextAt[] = []
  for (const table of summedTables) {
    const rows = db.prepare(
      `select persona_id as personaId, id, text, sum from ${table} left join ${table}_sums using (persona_id, id)
       where (persona_id, id) > (?, ?) order by persona_id, id limit ?`,
    )
    const add = db.prepare(
      `insert or ignore into ${table}_sums select persona_id, id, ? from ${table}
       where persona_id = ? and id = ? and text = ?`,
    )
    for (let [persona, last] = [-1, '']; ; ) {
      const some = rows.all(persona, last, table === 'documents' ? limits.sumDocuments : limits.sumMemories) as Read[]
      const missing = some.filter(({ sum }) => sum === null)
      if (missing.length > 0) addSums(db, missing, add)
      for (const { personaId, id, text, sum } of some)
        if (sum !== null && sum !== sumOf(text) && damaged.length < limits.damagedTold)
          damaged.push({ table, personaId, id })
      const end = some.at(-1)
      if (!end) break
      ;[persona, last] = [end.personaId, end.id]
    }
  }
  return damaged
}

type Read = { personaId: number; id: string; text: string; sum: number | null }

// In a transaction that is short: whoever writes meanwhile waits for it.
function addSums(db: DatabaseSync, missing: Read[], add: ReturnType<DatabaseSync['prepare']>): void {
  db.exec('begin immediate')
  for (const { personaId, id, text } of missing) add.run(sumOf(text), personaId, id, text)
  db.exec('commit')
}

// How many texts of a file that nobody serves are not what was stored.
export function countDamaged(db: DatabaseSync): number {
  db.function('text_sum', { deterministic: true }, (text) => sumOf(text as string))
  return summedTables.reduce((sum, table) => {
    const counted = db
      .prepare(
        `select count(*) as n from ${table} join ${table}_sums using (persona_id, id) where text_sum(text) <> sum`,
      )
      .get() as { n: number }
    return sum + counted.n
  }, 0)
}
