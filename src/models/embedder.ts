// The embedder that needs nothing: all-MiniLM-L6-v2 from weights/, in threads of this process.
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { limits } from '../domain/limits.ts'
import type { Embedder } from '../ports/models.ts'

const NAME = 'all-MiniLM-L6-v2/int8'
const DIMENSIONS = 384

type Job = { text: string; resolve(vector: Float32Array): void; reject(error: unknown): void }

export function createEmbedder(options: { threads?: number } = {}): Embedder {
  const threads = options.threads ?? Math.max(1, Math.min(limits.embedThreads, availableParallelism() - 1))
  const pool = new Piscina<string[], Float32Array>({
    filename: new URL('./embedder-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    recordTiming: false,
  })
  const urgent: Job[] = []
  const bulk: Job[] = []
  let busy = 0

  const next = () => {
    while (busy < threads && urgent.length + bulk.length > 0) {
      const batch = takeBatch(urgent.length > 0 ? urgent : bulk)
      busy++
      pool
        .run(batch.map((job) => job.text))
        .then(
          (vectors) =>
            batch.forEach((job, at) => {
              job.resolve(vectors.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS))
            }),
          (error) => {
            for (const job of batch) job.reject(error)
          },
        )
        .finally(() => {
          busy--
          next()
        })
    }
  }

  return {
    name: NAME,
    dimensions: DIMENSIONS,
    embed(texts, as) {
      if (texts.length === 0) return pool.run([]).then(() => [])
      const queue = as === 'question' ? urgent : bulk
      const vectors = texts.map(
        (text) => new Promise<Float32Array>((resolve, reject) => queue.push({ text, resolve, reject })),
      )
      // Calls of the same moment share a batch.
      setImmediate(next)
      return Promise.all(vectors)
    },
    close: () => pool.close({ force: true }),
  }
}

// Texts of about one length together, for a batch costs as much as its longest text times its size.
function takeBatch(queue: Job[]): Job[] {
  const seen = queue.splice(0, limits.embedBatchTexts * 8).sort((one, two) => one.text.length - two.text.length)
  let size = 1
  while (
    size < Math.min(seen.length, limits.embedBatchTexts) &&
    seen[size]!.text.length * (size + 1) <= limits.embedBatchCharacters
  )
    size++
  queue.unshift(...seen.slice(size))
  return seen.slice(0, size)
}
