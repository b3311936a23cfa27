// The head of a backup file: what it is, who made it when, of which version its rows are, and how it is encrypted.
import { createHash } from 'node:crypto'
import type { Encryption } from './seal.ts'

export const MAGIC = Buffer.from('MEMOIR BACKUP\r\n\x1a')
export const FORMAT = 3 // 2: may be encrypted with the owner's key; 3: its tags need no SHA-256
export const HASH_BYTES = 32

// How many migrations each engine had: rows come back into a store of the same age, which is then brought up.
export type Versions = { sqlite: number; postgres: number }

export type Header = {
  format: 1 | 2 | typeof FORMAT
  made_by: string
  made_at: string
  store: Versions
  encryption: Encryption | null
}

// What stands before the parts, and the hash that ties them to it.
export function writeHeader(header: Header): { bytes: Buffer; hash: Buffer } {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  const head = Buffer.concat([MAGIC, length, json])
  const hash = createHash('sha256').update(head).digest()
  return { bytes: Buffer.concat([head, hash]), hash }
}
