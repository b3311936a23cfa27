// The shipped embedder with its vectors kept between runs of the benchmark: embedding is the same every time, and slow.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder } from '../../src/models/embedder.ts'
import type { Embedder } from '../../src/ports/models.ts'

export type KeptEmbedder = Embedder & { keep(): void }

export function createKeptEmbedder(set: string): KeptEmbedder {
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
      const missing = texts.filter((text) => !kept.has(keyOf(text)))
      const vectors = await embedder.embed(missing, as)
      missing.forEach((text, at) => {
        kept.set(keyOf(text), vectors[at]!)
      })
      return texts.map((text) => kept.get(keyOf(text))!)
    },
    keep() {
      writeFileSync(
        file,
        Buffer.concat(
          [...kept].flatMap(([key, vector]) => [
            Buffer.from(key, 'latin1'),
            Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
          ]),
        ),
      )
    },
  }
}
