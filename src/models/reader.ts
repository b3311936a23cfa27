// The reader that needs nothing: our own model from weights/reader, in threads of this process.
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Reading } from '../domain/memory.ts'
import type { Reader } from '../ports/models.ts'

const NAME = 'memoir-reader/int8'
const MOST_THREADS = 2

export function createReader(options: { threads?: number } = {}): Reader {
  const pool = new Piscina<{ question: string; passages: string[] }, Reading[]>({
    filename: new URL('./reader-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: options.threads ?? Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)),
    idleTimeout: 60_000,
    recordTiming: false,
  })
  return {
    name: NAME,
    // One call is one thread's work, so that none waits for another: two questions are read beside one another.
    read: async (question, passages) => (passages.length === 0 ? [] : pool.run({ question, passages })),
    close: () => pool.close({ force: true }),
  }
}
