// The shipped embedder with its vectors kept between runs of the benchmark: embedding is the same every time, and slow.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder } from '../../src/models/embedder.ts'
import type { Embedder } from '../../src/ports/models.ts'

export function createKeptEmbedder(set: string): Embedder {
  const folder = join(tmpdir(), 'memoir-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${set}.vectors`)
  const embedder = createEmbedder()
  const kept = new Map<string, Float32Array>()
  const size = 16 + 4 * embedder.dimensions
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    for (let at = 0; at + size <= bytes.length; at += size) {
      const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + 16, bytes.byteOffset + at + size))
      kept.set(bytes.toString('latin1', at, at + 16), vector)
    }
  }
  const keyOf = (text: string) => createHash('md5').update(text).digest().toString('latin1')
  return {
    ...embedder,
    async embed(texts, as) {
      const missing = [...new Set(texts)].filter((text) => !kept.has(keyOf(text)))
      const vectors = await embedder.embed(missing, as)
      for (const [at, text] of missing.entries()) {
        const vector = vectors[at]!
        kept.set(keyOf(text), vector)
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
        appendFileSync(file, Buffer.concat([Buffer.from(keyOf(text), 'latin1'), bytes]))
      }
      return texts.map((text) => kept.get(keyOf(text))!)
    },
  }
}
