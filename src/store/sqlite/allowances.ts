// What each key may still spend, counted in this process: a data folder is served by one.
import type { Allowances } from '../../ports/store.ts'

// By time passed, whatever becomes of the clock.
export function createAllowances(now = () => performance.now()): Allowances {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    async take(keyId, perMinute, wanted) {
      const at = now()
      const perMs = perMinute / 60_000
      const bucket = buckets.get(keyId) ?? { left: perMinute, at }
      const left = Math.min(perMinute, bucket.left + (at - bucket.at) * perMs)
      const granted = Math.min(wanted, Math.floor(left))
      buckets.set(keyId, { left: left - granted, at })
      return { granted, left: left - granted, waitMs: granted > 0 ? 0 : (1 - left) / perMs }
    },
  }
}
