// Copies everything from one engine to another: table by table in the order of their keys, so that a copy that was
// broken off goes on where it was, and both sides are read again at the end and compared.
import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../domain/errors.ts'
import { countOf, digest, isEmpty, keyOf, pages, type Table, tableNames } from './rows.ts'
import type { Tables } from './tables/schema.ts'

// One end of a move. `freeze`: from now on nobody else writes. `settle`: after the last row came in.
export type End = {
  name: string
  db: Kysely<Tables>
  freeze(): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

export type Moved = { table: Table; rows: number; hash: string }
export type OnProgress = (at: { step: 'copying' | 'comparing'; table: Table; done: number; of: number }) => void

export async function move(from: End, to: End, onProgress: OnProgress = () => {}): Promise<Moved[]> {
  await from.freeze()
  await begin(from, to)
  const moved: Moved[] = []
  for (const table of tableNames) {
    const of = await countOf(from.db, table)
    await copy(from, to, table, (done) => onProgress({ step: 'copying', table, done, of }))
  }
  for (const table of tableNames) moved.push(await compare(from, to, table, onProgress))
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
  if (!(await isEmpty(to.db))) {
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

async function lastOf(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ last: string }>`select last from moving where name = ${name}`.execute(db)
  return rows[0]?.last
}

const noteLast = (db: Kysely<Tables> | Transaction<Tables>, name: string, last: string) =>
  sql`insert into moving (name, last) values (${name}, ${last}) on conflict (name) do update set last = excluded.last`.execute(
    db,
  )
