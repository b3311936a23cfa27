// Lets kysely speak to node:sqlite: one connection that writes, one that reads and never waits for it.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from '../tables/schema.ts'

export function connect(path: string, options: { readOnly?: boolean } = {}): { raw: DatabaseSync; db: Kysely<Tables> } {
  const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: 10_000 })
  // WAL commits are not synced one by one: sync.ts syncs many at once, before their callers are answered.
  raw.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -65536',
  )
  raw.exec('pragma temp_store = memory; pragma mmap_size = 1073741824')
  return { raw, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(raw) }) }) }
}

const STATEMENTS_KEPT = 500

function forKysely(raw: DatabaseSync) {
  const kept = new Map<string, ReturnType<typeof statement>>()
  return {
    close: () => raw.close(),
    prepare(sql: string) {
      // Writing begins at once, so that two processes wait for each other instead of failing half-way.
      const text = sql === 'begin' ? 'begin immediate' : sql
      const known = kept.get(text)
      if (known) return known
      if (kept.size >= STATEMENTS_KEPT) kept.clear()
      const made = statement(raw.prepare(text))
      kept.set(text, made)
      return made
    },
  }
}

function statement(prepared: StatementSync) {
  return {
    reader: prepared.columns().length > 0,
    all: (parameters: readonly unknown[]) => prepared.all(...(parameters as SQLInputValue[])),
    run: (parameters: readonly unknown[]) => prepared.run(...(parameters as SQLInputValue[])),
    iterate: (parameters: readonly unknown[]) => prepared.iterate(...(parameters as SQLInputValue[])),
  }
}
