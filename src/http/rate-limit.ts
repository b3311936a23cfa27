// So many requests a minute for each key, over all processes: whoever comes often is fetched more than one at a time.
import { AppError } from '../domain/errors.ts'
import type { Allowances } from '../ports/store.ts'

const HELD_MS = 1_000

export type RateLimit = (keyId: string) => Promise<void>

export function createRateLimit(allowances: Allowances, perMinute: number, whose = 'This key has'): RateLimit {
  const held = new Map<string, { left: number; fetched: number; until: number }>()
  const most = Math.max(1, Math.floor(perMinute / 60))
  return async (keyId) => {
    if (perMinute === 0) return
    const some = held.get(keyId)
    const isFresh = some !== undefined && some.until > Date.now()
    if (isFresh && some.left > 0) {
      some.left--
      return
    }
    // What is not spent within the second is lost, so only a key that spends all of it gets more at once.
    const wanted = isFresh ? Math.min(most, some.fetched * 2) : 1
    const { granted, waitMs } = await allowances.take(keyId, perMinute, wanted)
    if (granted < 1) {
      const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
      const sentence = `${whose} used up its ${perMinute} requests a minute; try again in ${retryAfterS} s.`
      throw new AppError('rate_limited', sentence, { retryAfterS })
    }
    held.set(keyId, { left: granted - 1, fetched: granted, until: Date.now() + HELD_MS })
  }
}
