// Counting what is about to be removed.
import type { SelectQueryBuilder } from 'kysely'
import type { Receipt } from '../../domain/persona.ts'
import type { Tables } from './schema.ts'

export const emptyReceipt: Receipt = {
  documents: 0,
  memories: 0,
  revisions: 0,
  file_bytes: 0,
  sessions: 0,
  messages: 0,
  drafts: 0,
}

export async function count<T extends keyof Tables>(from: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await from.select((of) => of.fn.countAll().as('rows')).executeTakeFirstOrThrow()
  return Number((row as { rows: number | bigint | string }).rows)
}

export async function total(documents: SelectQueryBuilder<Tables, 'documents', object>): Promise<number> {
  const row = await documents.select((of) => of.fn.sum('file_bytes').as('bytes')).executeTakeFirstOrThrow()
  return Number(row.bytes ?? 0)
}
