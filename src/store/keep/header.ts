// The head of a backup file: what it is, who made it when, of which version its rows are, and how it is encrypted.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { limits } from './limits.ts'

export const MAGIC = Buffer.from('MEMOIR BACKUP\r\n\x1a')
export const FORMAT = 2 // 2: may be encrypted with the owner's key
export const HASH_BYTES = 32

// How many migrations each engine had: rows come back into a store of the same age, which is then brought up.
export type Versions = { sqlite: number; postgres: number }

const count = z.number().int().min(1)

const secret = { salt: z.string().max(100), check: z.string().max(100) }

const Header = z.object({
  format: z.literal([1, FORMAT]),
  made_by: z.string().max(100),
  made_at: z.string().max(100),
  store: z.object({ sqlite: count, postgres: count }),
  encryption: z
    .discriminatedUnion('kdf', [
      z.object({
        kdf: z.literal('scrypt'),
        cost: count.max(limits.scryptMost.cost),
        block_size: count.max(limits.scryptMost.blockSize),
        parallelization: count.max(limits.scryptMost.parallelization),
        ...secret,
      }),
      z.object({ kdf: z.literal('hkdf'), ...secret }),
    ])
    .nullable(),
})

export type Header = z.output<typeof Header>

// What stands before the parts, and the hash that ties them to it.
export function writeHeader(header: Header): { bytes: Buffer; hash: Buffer } {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  const head = Buffer.concat([MAGIC, length, json])
  const hash = createHash('sha256').update(head).digest()
  return { bytes: Buffer.concat([head, hash]), hash }
}

// Undefined where it is not ours at all; `newer` names the Memoir that can read it.
export function readHeader(json: Buffer): { header: Header } | { newer: string } | undefined {
  try {
    const given = JSON.parse(json.toString())
    if (typeof given.format === 'number' && given.format > FORMAT) return { newer: String(given.made_by) }
    const { data } = Header.safeParse(given)
    return data && { header: data }
  } catch {
    return undefined
  }
}
