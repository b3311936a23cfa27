// Checks the head of a backup file; apart from writing it, so that a backup need not load what checks.
import { z } from 'zod'
import { FORMAT, type Header } from './header.ts'
import { limits } from './limits.ts'

const count = z.number().int().min(1)

const secret = { salt: z.string().max(100), check: z.string().max(100) }

const HeaderSchema = z.object({
  format: z.literal([1, 2, FORMAT]),
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

// Undefined where it is not ours at all; `newer` names the Memoir that can read it.
export function readHeader(json: Buffer): { header: Header } | { newer: string } | undefined {
  try {
    const given = JSON.parse(json.toString())
    if (typeof given.format === 'number' && given.format > FORMAT) return { newer: String(given.made_by) }
    const { data } = HeaderSchema.safeParse(given)
    return data && { header: data }
  } catch {
    return undefined
  }
}
