// The embedder that needs nothing: all-MiniLM-L6-v2 from weights/, in threads of this process.
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Embedder } from '../ports/models.ts'
import type { EmbedderThread } from './embedder-thread.ts'
import { limits } from './limits.ts'

const NAME = 'all-MiniLM-L6-v2/int8'
const DIMENSIONS = 384

// A question has a thread of its own: it never waits behind a batch of memories, however long that takes.
export function createEmbedder(options: { threads?: number } = {}): Embedder {
  // Numbers of a batch depend on what is in it, a little: a question is embedded by itself, and always the same.
  const questions = createLine(1, 1, { niceness: 0 })
  const threads = options.threads ?? Math.max(1, Math.min(limits.embedThreads, availableParallelism() - 1))
  const memories = createLine(threads, limits.embedBatchTexts, { niceness: limits.embedNiceness })
  return {
    name: NAME,
    dimensions: DIMENSIONS,
    embed: (texts, as) => (as === 'question' ? questions : memories).embed(texts),
    close: async () => void (await Promise.all([questions.close(), memories.close()])),
  }
}

type Job = { text: string; resolve(vector: Float32Array): void; reject(error: unknown): void }

// Texts that wait for threads which take them in batches.
function createLine(threads: number, batchTexts: number, workerData: EmbedderThread) {
  const pool = new Piscina<string[], Float32Array>({
    filename: new URL('./embedder-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    workerData,
    recordTiming: false,
  })
  const waiting: Job[] = []
  let busy = 0

  const next = () => {
    while (busy < threads && waiting.length > 0) {
      const batch = takeBatch(waiting, batchTexts)
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
    embed(texts: string[]): Promise<Float32Array[]> {
      if (texts.length === 0) return pool.run([]).then(() => [])
      const vectors = texts.map(
        (text) => new Promise<Float32Array>((resolve, reject) => waiting.push({ text, resolve, reject })),
      )
      // Calls of the same moment share a batch.
      setImmediate(next)
      return Promise.all(vectors)
    },
    close: () => pool.close({ force: true }),
  }
}

// Texts of about one length together, for a batch costs as much as its longest text times its size. The one that came
// first is always among them: short texts without end would otherwise hold up a long one for ever.
function takeBatch(queue: Job[], batchTexts: number): Job[] {
  const seen = queue.slice(0, batchTexts * 8)
  const byLength = seen.toSorted((one, two) => one.text.length - two.text.length)
  let from = byLength.indexOf(seen[0]!)
  let to = from + 1
  const fits = (longest: number) =>
    to - from < batchTexts && byLength[longest]!.text.length * (to - from + 1) <= limits.embedBatchCharacters
  while (from > 0 && fits(to - 1)) from--
  while (to < byLength.length && fits(to)) to++
  const batch = new Set(byLength.slice(from, to))
  queue.splice(0, seen.length, ...seen.filter((job) => !batch.has(job)))
  return [...batch]
}
