// What an engine gives to the shared tables: a way to read, and two ways to write.
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

export type Writing = Transaction<Tables>

export type Database = {
  read: Kysely<Tables>
  // Reads with SQL that was made before (prepared.ts).
  query(sql: string, values: readonly unknown[]): Promise<unknown[]>
  // Resolves when the transaction would survive a power cut.
  durably<T>(write: (tx: Writing) => Promise<T>): Promise<T>
  // Resolves when it is committed; a crash may undo it.
  quickly<T>(write: (tx: Writing) => Promise<T>): Promise<T>
}
