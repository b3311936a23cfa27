// What an engine gives to the shared tables: a way to read, and two ways to write.
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

export type Writing = Transaction<Tables>

export type Database = {
  read: Kysely<Tables>
  // Reads without comparing values with their checksums: for looking through many, and handing out none of them.
  stored: Kysely<Tables>
  // Reads with SQL that was made before (prepared.ts).
  query(sql: string, values: readonly unknown[]): Promise<unknown[]>
  // Resolves when the transaction would survive a power cut.
  durably<T>(write: (tx: Writing) => Promise<T>): Promise<T>
  // Resolves when it is committed. A crash may undo it, but only together with everyone who might have seen it.
  visibly<T>(write: (tx: Writing) => Promise<T>): Promise<T>
  // Resolves when it is committed; a crash may undo it.
  quickly<T>(write: (tx: Writing) => Promise<T>): Promise<T>
  // Rows about to be changed, where several processes look for some at once: what another holds is passed over.
  free<T extends keyof Tables, O>(rows: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  // To be called when events were committed: whoever sends them looks now.
  announceEvents(): void
}
