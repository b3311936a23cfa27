// What each key may still spend, counted in this process: a data folder is served by one.
import type { Allowances } from '../../ports/store.ts'

export function createAllowances(): Allowances {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    async take(keyId, perMinute, wanted) {
      const now = performance.now() // whatever becomes of the clock
      const perMs = perMinute / 60_000
      const bucket = buckets.get(keyId) ?? { left: perMinute, at: now }
      const left = Math.min(perMinute, bucket.left + (now - bucket.at) * perMs)
      const granted = Math.min(wanted, Math.floor(left))
      buckets.set(keyId, { left: left - granted, at: now })
      return { granted, left: left - granted, waitMs: granted > 0 ? 0 : (1 - left) / perMs }
    },
  }
}
