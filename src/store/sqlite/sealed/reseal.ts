// Seals again, a little at a time beside everything else, what an older data key sealed. Killed half-way it begins
// anew: every value says which key sealed it.

import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { keyColumns, type Table } from '../../rows.ts'
import type { Database, Writing } from '../../tables/database.ts'
import type { Codec, Value } from './codec.ts'
import { rowKey, sealedOf, sealedTables } from './columns.ts'
import { forgetOlderKeys, hasOlderKeys } from './data-keys.ts'
import { isEmptyValue } from './views.ts'

export type Resealing = {
  onProgress(table: Table, at: number, of: number): void // that many tables are done
  onDone(): void
  onTrouble(error: unknown): void
}

// Rows that may be long, a few at a time: nothing else is answered meanwhile.
const rowsAtOnce = (table: Table): number =>
  ['documents', 'revisions', 'file_pieces'].includes(table) ? 1 : table === 'audit' ? 500 : 20

type Needs = { raw: DatabaseSync; quickly: Database['quickly']; durably: Database['durably'] }

// The returned function ends it after the step it is at.
export function startResealing(needs: Needs, codec: Codec | undefined, told: Resealing | undefined) {
  const stopping = new AbortController()
  const done = codec && told && reseal(needs, codec, stopping.signal, told).catch(told.onTrouble)
  return async (): Promise<void> => {
    stopping.abort()
    await done
  }
}

async function reseal(needs: Needs, codec: Codec, signal: AbortSignal, told: Resealing): Promise<void> {
  const { raw, quickly, durably } = needs
  if (!hasOlderKeys(raw, codec.current)) return
  raw.function('sealed_again', { varargs: true }, ((value: Value, place: string, ...row: unknown[]) =>
    isOld(value) ? codec.seal(codec.open(value, place, row), place, row) : value) as never)
  raw.function('is_old', (value) => (isOld(value as Value) ? 1 : 0))
  function isOld(value: Value | null): boolean {
    return !isEmptyValue(value) && codec.keyNumberOf(value) !== codec.current
  }
  // The last time nothing is found any more: only then nobody needs the older keys.
  for (let changed = 1; changed > 0; ) {
    changed = 0
    for (const [at, table] of sealedTables.entries()) {
      told.onProgress(table, at, sealedTables.length)
      for (let last: unknown[] | undefined; ; ) {
        if (signal.aborted) return
        const step = await quickly((tx) => resealSome(tx, table, last))
        changed += step.changed
        if (!step.last) break
        last = step.last
        await turn()
      }
    }
  }
  await durably(async () => forgetOlderKeys(raw, codec.current))
  told.onDone()
}

async function resealSome(tx: Writing, table: Table, after: unknown[] | undefined) {
  const keys = keyColumns(table)
  const key = sql.join(keys.map((name) => sql.ref(name)))
  const behind = sql.table(`main.${table}`)
  const beyond = after ? sql`(${key}) > (${sql.join(after)})` : sql`true`
  const { rows } = await sql<Record<string, unknown>>`
    select ${key} from ${behind} where ${beyond} order by ${key} limit ${sql.lit(rowsAtOnce(table))}`.execute(tx)
  if (rows.length === 0) return { changed: 0, last: undefined }
  const last = keys.map((name) => rows.at(-1)![name])
  const columns = sealedOf(table).flatMap(([name, how]) => (how === 'sealed' ? [name] : []))
  const isOld = sql.join(
    columns.map((name) => sql`is_old(${sql.ref(name)})`),
    sql` or `,
  )
  const update = sql`update ${behind} set ${sql.join(columns.map((name) => set(table, name)))}
    where ${beyond} and (${key}) <= (${sql.join(last)}) and (${isOld})`
  const { numAffectedRows } = await (table === 'audit'
    ? withoutGuard(tx, () => update.execute(tx))
    : update.execute(tx))
  return { changed: Number(numAffectedRows ?? 0n), last }
}

function set(table: Table, column: string): RawBuilder<unknown> {
  const row = rowKey(table).map((name) => sql.ref(name))
  const again = sql.join([sql.ref(column), sql.lit(`${table}.${column}`), ...row])
  return sql`${sql.ref(column)} = sealed_again(${again})`
}

// The audit record only grows; here it is written in another form, and says the same.
async function withoutGuard<T>(tx: Writing, act: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ sql: string }>`select sql from main.sqlite_schema where name = 'audit_stays'`.execute(tx)
  await sql`drop trigger main.audit_stays`.execute(tx)
  const result = await act()
  await sql.raw(rows[0]!.sql.replace(/^create trigger /i, 'create trigger main.')).execute(tx)
  return result
}
