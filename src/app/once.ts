// A request that is sent again under its caller's own name for it, and what programs of 2023 read in an answer.
import { createHash } from 'node:crypto'
import type { Once, Pieces } from '../ports/store.ts'
import type { Caller } from './access.ts'

// A request is the same when it asks the same of the same operation, with the same bytes.
export async function onceOf(
  { key, onceName }: Caller,
  operationName: string,
  request: object,
  file?: Pieces,
): Promise<Once | undefined> {
  if (onceName === undefined) return undefined
  const hash = createHash('sha256').update(JSON.stringify([operationName, request]))
  if (file) for await (const piece of file()) hash.update(piece)
  return { name: `${key.id}/${onceName}`, fingerprint: hash.digest('hex') }
}

// Programs of 2023 look for these two.
export const legacyFields = ({ key }: Caller) => (key.legacy ? { status: 'Memblock Created', success: true } : {})
