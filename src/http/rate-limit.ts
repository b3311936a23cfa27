// So many requests a minute for each key, saved up to a minute's worth for bursts.
import { AppError } from '../domain/errors.ts'

type Bucket = { left: number; at: number }

export function createRateLimit(perMinute: number): (keyId: string, now?: number) => void {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000
  return (keyId, now = Date.now()) => {
    if (perMinute === 0) return
    const bucket = buckets.get(keyId) ?? { left: perMinute, at: now }
    bucket.left = Math.min(perMinute, bucket.left + (now - bucket.at) * perMs)
    bucket.at = now
    buckets.set(keyId, bucket)
    if (bucket.left < 1) {
      const retryAfterS = Math.max(1, Math.ceil((1 - bucket.left) / perMs / 1000))
      const sentence = `This key has used up its ${perMinute} requests a minute; try again in ${retryAfterS} s.`
      throw new AppError('rate_limited', sentence, { retryAfterS })
    }
    bucket.left -= 1
  }
}
