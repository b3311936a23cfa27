// The reader that needs nothing: our own model from weights/reader, in threads of this process.
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Reading } from '../domain/memory.ts'
import type { Claim, Entailment, Reader } from '../ports/models.ts'

const NAME = 'memoir-reader/int8'
const MOST_THREADS = 2

export function createReader(options: { threads?: number } = {}): Reader {
  const pool = new Piscina<{ question: string; passages: string[] } | Claim[], Reading[] | Entailment[]>({
    filename: new URL('./reader-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: options.threads ?? Math.min(MOST_THREADS, availableParallelism()),
    idleTimeout: 60_000,
    recordTiming: false,
  })
  return {
    name: NAME,
    // Shared out between the threads; a reading never depends on what is read beside it.
    async read(question, passages) {
      const shares = share(passages, pool.maxThreads)
      const readings = await Promise.all(
        shares.map((part) => pool.run({ question, passages: part.map((at) => passages[at]!) }) as Promise<Reading[]>),
      )
      return gather(shares, readings)
    },
    async verify(claims) {
      const shares = share(
        claims.map(({ sentence, passage }) => sentence + passage),
        pool.maxThreads,
      )
      const found = await Promise.all(
        shares.map(
          (part) =>
            pool.run(
              part.map((at) => claims[at]!),
              { name: 'verify' },
            ) as Promise<Entailment[]>,
        ),
      )
      return gather(shares, found)
    },
    close: () => pool.close({ force: true }),
  }
}

// What was found of each share, in the order in which it was asked.
function gather<Found>(shares: number[][], found: Found[][]): Found[] {
  const all: Found[] = []
  for (const [number, part] of shares.entries())
    for (const [place, at] of part.entries()) all[at] = found[number]![place]!
  return all
}

// Places of the texts in as many parts of about the same length as there are threads.
function share(texts: string[], parts: number): number[][] {
  const shares = Array.from({ length: parts }, () => ({ places: [] as number[], length: 0 }))
  const longestFirst = texts.map((_, at) => at).sort((one, two) => texts[two]!.length - texts[one]!.length)
  for (const at of longestFirst) {
    const least = shares.reduce((one, two) => (two.length < one.length ? two : one))
    least.places.push(at)
    least.length += texts[at]!.length
  }
  return shares.map(({ places }) => places).filter((places) => places.length > 0)
}
