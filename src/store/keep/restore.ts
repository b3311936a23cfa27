// Fills a store from a backup. What was there stays until everything has come in.
import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { countOf, type Table, tableNames } from '../rows.ts'
import type { Tables } from '../tables/schema.ts'
import type { Versions } from './header.ts'
import type { Backup } from './read.ts'

// A place a backup can go to. `replaceWith` runs `fill` on a new, empty store of that age, brings it up to this one's
// and only then puts it in the place of the old one; where anything fails, or the power does, the old one is as it was.
export type Target = {
  name: string
  isEmpty(): Promise<boolean>
  replaceWith(age: Versions, fill: (db: Kysely<Tables>) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type Restored = { madeAt: string; madeBy: string; rows: Record<string, number> }
export type OnRestored = (table: string, rows: number) => void

export async function restore(target: Target, { header, blocks }: Backup, onRows?: OnRestored): Promise<Restored> {
  const rows = await fill(target, header.store, blocks, onRows)
  return { madeAt: header.made_at, madeBy: header.made_by, rows }
}

// How many rows each table got.
export async function fill(
  target: Target,
  age: Versions,
  blocks: Backup['blocks'],
  onRows: OnRestored = () => {},
): Promise<Record<string, number>> {
  let rows: Record<string, number> = {}
  await target.replaceWith(age, async (db) => {
    rows = await readThrough(blocks, async (table, some, done) => {
      await db
        .insertInto(table)
        .values(some as never)
        .execute()
      onRows(table, done)
    })
    for (const [table, expected] of Object.entries(rows)) {
      const there = await countOf(db, table as Table)
      if (there !== expected) throw new Error(`${table}: ${there} rows came in, not ${expected}`)
    }
  })
  return rows
}

// Without a target: whether the file is whole, and what it holds.
export async function check({ header, blocks }: Backup): Promise<Restored> {
  const rows = await readThrough(blocks, async () => {})
  return { madeAt: header.made_at, madeBy: header.made_by, rows }
}

type Some = { rows: Record<string, unknown>[] }['rows']

async function readThrough(
  blocks: Backup['blocks'],
  take: (table: Table, rows: Some, done: number) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let end: Record<string, number> = {}
  for await (const block of blocks) {
    if ('end' in block) {
      for (const [table, rows] of Object.entries(block.end))
        if ((counts[table] ?? 0) !== rows) throw new AppError('unreadable', `The backup holds ${table} in part only.`)
      end = block.end
      continue
    }
    const table = tableNames.find((name) => name === block.table)
    if (!table) throw new AppError('unreadable', 'The backup holds a table that this Memoir does not know.')
    counts[table] = (counts[table] ?? 0) + block.rows.length
    await take(table, block.rows, counts[table])
  }
  return end
}
