// So many requests a minute for each key, over all processes: whoever comes often is fetched more than one at a time.
// Every answer says what is left, in the fields of draft-ietf-httpapi-ratelimit-headers-10.
import type { FastifyReply } from 'fastify'
import { AppError } from '../domain/errors.ts'
import type { Allowances } from '../ports/store.ts'

const HELD_MS = 1_000
const WINDOW_S = 60

export type RateLimit = (keyId: string, reply: FastifyReply) => Promise<void>

// `rest` is what was left with the store.
type Held = { left: number; fetched: number; rest: number; until: number }

export function createRateLimit(allowances: Allowances, perMinute: number, whose = 'This key has'): RateLimit {
  const held = new Map<string, Held>()
  const most = Math.max(1, Math.floor(perMinute / 60))
  const tell = (reply: FastifyReply, remaining: number, resetS: number) =>
    reply.headers({
      'ratelimit-policy': `"minute";q=${perMinute};w=${WINDOW_S}`,
      ratelimit: `"minute";r=${remaining};t=${resetS}`,
    })
  // Until all of it is there again.
  const refillS = (remaining: number) => Math.ceil(((perMinute - remaining) * WINDOW_S) / perMinute)

  return async (keyId, reply) => {
    if (perMinute === 0) return
    let some = held.get(keyId)
    const isFresh = some !== undefined && some.until > performance.now()
    if (!some || !isFresh || some.left === 0) {
      // What is not spent within the second is lost, so only a key that spends all of it gets more at once.
      const wanted = isFresh ? Math.min(most, some!.fetched * 2) : 1
      const { granted, left, waitMs } = await allowances.take(keyId, perMinute, wanted)
      if (granted < 1) {
        const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
        tell(reply, 0, retryAfterS)
        const sentence = `${whose} used up its ${perMinute} requests a minute; try again in ${retryAfterS} s.`
        throw new AppError('rate_limited', sentence, { retryAfterS })
      }
      some = { left: granted, fetched: granted, rest: Math.floor(left), until: performance.now() + HELD_MS }
      held.set(keyId, some)
    }
    some.left--
    const remaining = some.left + some.rest
    tell(reply, remaining, refillS(remaining))
  }
}
