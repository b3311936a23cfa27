// Manners towards servers: one request at a time with a pause between two, and nothing that robots.txt forbids.
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import type { Fetcher, Look, Seen } from '../ports/extractor.ts'
import { limits } from './limits.ts'
import { everything, type Robots, readRobots } from './robots.ts'

// When each server was last asked, over all looks of this process.
export type Clock = Map<string, number>

export type Manners = {
  robots(url: URL): Promise<Robots>
  look(address: string, seen?: Seen): Promise<Look>
}

type Needs = { fetcher: Fetcher; delayMs: number; clock: Clock; signal: AbortSignal }

export function createManners({ fetcher, delayMs, clock, signal }: Needs): Manners {
  const known = new Map<string, Promise<Robots>>()
  let bytes = 0

  const pause = async (url: URL, delayS: number) => {
    const last = clock.get(url.host) ?? 0
    const dueIn = last + Math.max(delayMs, delayS * 1000) - Date.now()
    if (dueIn > 0) await wait(dueIn, undefined, { signal })
    clock.set(url.host, Date.now())
  }
  const robots = (url: URL): Promise<Robots> => {
    const before = known.get(url.origin)
    if (before) return before
    if (known.size >= limits.hosts)
      throw new AppError('not_found', `It is on one of more than ${limits.hosts} sites that are linked to.`)
    const found = readRobotsOf(url.origin)
    known.set(url.origin, found)
    return found
  }
  const readRobotsOf = async (origin: string): Promise<Robots> => {
    // Where it leads elsewhere, that is asked with the same pause.
    const found = await fetcher.look(`${origin}/robots.txt`, { signal, before: (url) => pause(url, 0) })
    if (found.is === 'found') return checked(readRobots(Buffer.from(found.content.bytes).toString('utf8')))
    // There is none; but a server that is in trouble may have one.
    const { status, retryAfterS } = found as Extract<Look, { is: 'refused' }>
    const answered = answeredWith(status, retryAfterS, 'robots.txt')
    if (answered.code === 'not_found') return everything
    throw answered
  }
  return {
    robots,
    async look(address, seen) {
      const found = await fetcher.look(address, {
        seen,
        signal,
        async before(url) {
          const asks = await robots(url)
          if (!asks.allows(url)) throw new AppError('not_found', 'robots.txt asks not to fetch it.')
          await pause(url, asks.delayS)
        },
      })
      if (found.is === 'found') bytes += found.content.bytes.length
      if (bytes > limits.lookBytes) throw new AppError('too_large', 'More was fetched than one look may fetch.')
      return found
    },
  }
}

function checked(robots: Robots): Robots {
  if (robots.delayS > limits.crawlDelayS)
    throw new AppError('unreachable', `robots.txt asks for ${robots.delayS} seconds between two requests: too slow.`)
  return robots
}

// What is not there, or not for us, is not_found; what may be there later is unreachable.
export function answeredWith(status: number, retryAfterS: number | null, what = 'The address'): AppError {
  const isForGood = status >= 400 && status < 500 && status !== 408 && status !== 429
  const options = retryAfterS === null ? {} : { retryAfterS }
  return new AppError(isForGood ? 'not_found' : 'unreachable', `${what} answered with status ${status}.`, options)
}
