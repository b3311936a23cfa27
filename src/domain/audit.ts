// The audit record: who did what, when and from where, never a text. Each entry holds the hash of itself and the one
// before, so that nothing can be changed, left out or put between without a trace.
import { createHash } from 'node:crypto'

export type Deed = {
  who: string // the id of a key or an account, "owner", or "service"
  what: string // the name of the operation
  on: string // the persona, and the id of the thing, where there is one
  from: string // an address, or "command line"
  outcome: string // "done", or the code of the error
}

export type AuditEntry = Deed & { number: number; at: Date; hash: string }

export const FIRST_HASH = '0'.repeat(64)

export function linkHash(
  previous: string,
  { number, at, who, what, on, from, outcome }: Omit<AuditEntry, 'hash'>,
): string {
  const fields = [previous, number, at.getTime(), who, what, on, from, outcome]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

// The first of these entries, in their order, that does not follow from the one before; undefined where all do.
export function firstBroken(before: { number: number; hash: string }, entries: AuditEntry[]): number | undefined {
  let { number, hash } = before
  for (const entry of entries) {
    if (entry.number !== number + 1 || entry.hash !== linkHash(hash, entry)) return number + 1
    number = entry.number
    hash = entry.hash
  }
  return undefined
}
