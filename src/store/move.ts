// Copies everything from one engine to another: table by table in the order of their keys, so that a copy that was
// broken off goes on where it was, and both sides are read again at the end and compared.
import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../domain/errors.ts'
import type { Tables } from './tables/schema.ts'

// One end of a move. `freeze`: from now on nobody else writes. `settle`: after the last row came in.
export type End = {
  name: string
  db: Kysely<Tables>
  freeze(): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

type Table = keyof Tables
export type Moved = { table: Table; rows: number; hash: string }
export type OnProgress = (at: { step: 'copying' | 'comparing'; table: Table; done: number; of: number }) => void

// Their keys, and how many rows at a time: some rows are large.
const tables = {
  personas: { key: ['id'], rows: 500 },
  keys: { key: ['id'], rows: 500 },
  documents: { key: ['persona_id', 'id'], rows: 50 },
  file_pieces: { key: ['persona_id', 'document_id', 'position'], rows: 8 },
  revisions: { key: ['persona_id', 'document_id', 'revision'], rows: 50 },
  requests: { key: ['persona_id', 'name'], rows: 500 },
  memories: { key: ['persona_id', 'id'], rows: 500 },
  traces: { key: ['persona_id', 'number'], rows: 500 },
  vectors: { key: ['persona_id', 'number', 'embedder'], rows: 500 },
  versions: { key: ['persona_id'], rows: 500 },
  changes: { key: ['persona_id', 'sequence'], rows: 500 },
  sessions: { key: ['persona_id', 'id'], rows: 500 },
  messages: { key: ['persona_id', 'session_id', 'position'], rows: 200 },
  drafts: { key: ['persona_id', 'id'], rows: 200 },
  replies: { key: ['persona_id', 'id'], rows: 200 },
  triggers: { key: ['persona_id', 'id'], rows: 500 },
  deliveries: { key: ['persona_id', 'id'], rows: 50 },
  delivery_attempts: { key: ['persona_id', 'delivery_id', 'number'], rows: 200 },
} satisfies Record<Table, { key: string[]; rows: number }>

const names = Object.keys(tables) as Table[]

export async function move(from: End, to: End, onProgress: OnProgress = () => {}): Promise<Moved[]> {
  await from.freeze()
  await begin(from, to)
  const moved: Moved[] = []
  for (const table of names) {
    const of = await countOf(from.db, table)
    await copy(from, to, table, (done) => onProgress({ step: 'copying', table, done, of }))
  }
  for (const table of names) moved.push(await compare(from, to, table, onProgress))
  await to.settle()
  await sql`drop table moving`.execute(to.db)
  return moved
}

export const halfMoved = (name: string): AppError =>
  new AppError('unavailable', `A move into ${name} was broken off. Run \`memoir move\` again: it goes on where it was.`)

// The table `moving` is there while a move is: it says from where, and how far each table is.
async function begin(from: End, to: End): Promise<void> {
  await sql`create table if not exists moving (name text primary key, last text not null)`.execute(to.db)
  const source = await lastOf(to.db, 'source')
  if (source === from.name) return
  if (source !== undefined)
    throw new AppError(
      'conflict',
      `A move from ${source} to ${to.name} was broken off. Finish that one, or choose another target.`,
    )
  for (const table of ['personas', 'keys'] as const) {
    if ((await countOf(to.db, table)) === 0) continue
    await sql`drop table moving`.execute(to.db)
    throw new AppError('conflict', `${to.name} is not empty: a move needs a target that holds nothing yet.`)
  }
  await noteLast(to.db, 'source', from.name)
}

async function copy(from: End, to: End, table: Table, onDone: (rows: number) => void): Promise<void> {
  const last = await lastOf(to.db, table)
  let done = last === undefined ? 0 : await countOf(to.db, table)
  for await (const rows of pages(from.db, table, last === undefined ? undefined : JSON.parse(last))) {
    await to.db.transaction().execute(async (tx) => {
      await tx
        .insertInto(table)
        .values(rows as never)
        .execute()
      await noteLast(tx, table, JSON.stringify(keyOf(table, rows.at(-1)!)))
    })
    done += rows.length
    onDone(done)
  }
}

// A table that changed at its source between two attempts is copied once more.
async function compare(from: End, to: End, table: Table, onProgress: OnProgress, again = false): Promise<Moved> {
  const of = await countOf(from.db, table)
  const here = await digest(from.db, table, (done) => onProgress({ step: 'comparing', table, done, of }))
  const there = await digest(to.db, table)
  if (here.rows === there.rows && here.hash === there.hash) return { table, ...here }
  if (again)
    throw new AppError('conflict', `${table} differs: ${here.rows} rows in ${from.name}, ${there.rows} in ${to.name}.`)
  await to.db.transaction().execute(async (tx) => {
    await tx.deleteFrom(table).execute()
    await sql`delete from moving where name = ${table}`.execute(tx)
  })
  await copy(from, to, table, (done) => onProgress({ step: 'copying', table, done, of }))
  return compare(from, to, table, onProgress, true)
}

type Row = Record<string, unknown>

async function* pages(db: Kysely<Tables>, table: Table, after?: unknown[]): AsyncGenerator<Row[]> {
  const { key, rows: limit } = tables[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last = after; ; ) {
    const beyond = last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(last)})`
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} ${beyond} order by ${columns} limit ${sql.lit(limit)}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = keyOf(table, rows.at(-1)!)
  }
}

// The same rows give the same hash on every engine, whatever order their columns have there.
async function digest(db: Kysely<Tables>, table: Table, onDone: (rows: number) => void = () => {}) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of pages(db, table)) {
    for (const row of page) {
      for (const column of Object.keys(row).sort()) {
        const value = row[column]
        if (value instanceof Uint8Array) hash.update(`${column} ${value.length} `).update(value)
        else hash.update(`${column} ${JSON.stringify(value)}\n`)
      }
    }
    rows += page.length
    onDone(rows)
  }
  return { rows, hash: hash.digest('hex') }
}

const keyOf = (table: Table, row: Row): unknown[] => tables[table].key.map((column) => row[column])

async function countOf(db: Kysely<Tables>, table: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db)
  return rows[0]!.rows
}

async function lastOf(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ last: string }>`select last from moving where name = ${name}`.execute(db)
  return rows[0]?.last
}

const noteLast = (db: Kysely<Tables> | Transaction<Tables>, name: string, last: string) =>
  sql`insert into moving (name, last) values (${name}, ${last}) on conflict (name) do update set last = excluded.last`.execute(
    db,
  )
