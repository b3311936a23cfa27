// Lets kysely speak to node:sqlite: one connection that writes, one that reads and never waits for it.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from '../tables/schema.ts'

// `query` runs SQL that is known already, past kysely.
export type Connection = {
  raw: DatabaseSync
  db: Kysely<Tables>
  query(sql: string, values: readonly unknown[]): unknown[]
}

type Told = {
  onWrite?: (bytes: number) => void // about how many a statement writes
  onError?: (error: unknown) => void // of a statement that reads; it may throw another
}
export type ConnectOptions = Told & { readOnly?: boolean }

export function connect(path: string, options: ConnectOptions = {}): Connection {
  const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: 10_000 })
  // WAL commits are not synced one by one: sync.ts syncs many at once, before their callers are answered.
  raw.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -65536',
  )
  raw.exec('pragma temp_store = memory; pragma mmap_size = 1073741824')
  const statements = forKysely(raw, options)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statements }) })
  return { raw, db, query: (sql, values) => statements.prepare(sql).all(values) }
}

const STATEMENTS_KEPT = 500

function forKysely(raw: DatabaseSync, told: Told) {
  const kept = new Map<string, ReturnType<typeof statement>>()
  return {
    close: () => raw.close(),
    prepare(sql: string) {
      // Writing begins at once, so that two processes wait for each other instead of failing half-way.
      const text = sql === 'begin' ? 'begin immediate' : sql
      const known = kept.get(text)
      if (known) return known
      if (kept.size >= STATEMENTS_KEPT) kept.clear()
      const plain = statement(raw.prepare(text), told)
      // After a full disk SQLite has rolled back by itself: the error that is told is the disk's.
      const made = text === 'rollback' ? { ...plain, run: () => rollBack(raw) } : plain
      kept.set(text, made)
      return made
    },
  }
}

function rollBack(raw: DatabaseSync) {
  if (raw.isTransaction) raw.exec('rollback')
  return { changes: 0, lastInsertRowid: 0 }
}

function statement(prepared: StatementSync, { onWrite, onError }: Told) {
  const names = prepared.columns().map((column) => column.name)
  // Rows come as lists and are named here: objects made by the library are slow to make and slow to read.
  prepared.setReturnArrays(true)
  const named = (values: unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at]!] = values[at]
    return row
  }
  return {
    reader: names.length > 0,
    all(parameters: readonly unknown[]) {
      try {
        return (prepared.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]).map(named)
      } catch (error) {
        onError?.(error)
        throw error
      }
    },
    run(parameters: readonly unknown[]) {
      onWrite?.(bytesOf(parameters))
      return prepared.run(...(parameters as SQLInputValue[]))
    },
    *iterate(parameters: readonly unknown[]) {
      for (const values of prepared.iterate(...(parameters as SQLInputValue[])))
        yield named(values as unknown as unknown[])
    },
  }
}

const PAGE_BYTES = 4_096

const bytesOf = (parameters: readonly unknown[]): number =>
  parameters.reduce<number>((sum, one) => sum + ((one as string | Uint8Array | null)?.length ?? 0), PAGE_BYTES)
