// So many messages a minute from one address, of people who have no key to be counted by.
import { AppError } from '../domain/errors.ts'
import { networkOf } from './key-guard.ts'
import { limits } from './limits.ts'

export type VisitorLimit = {
  // A message costs 1, what is cheaper a part of it. AppError('rate_limited') when too much was spent.
  spend(address: string, cost: number): void
}

export function createVisitorLimit(perMinute: number): VisitorLimit {
  const networks = new Map<string, { left: number; at: number }>()
  return {
    spend(address, cost) {
      if (perMinute === 0) return
      const network = networkOf(address)
      const now = performance.now() // whatever becomes of the clock
      const before = networks.get(network) ?? { left: perMinute, at: now }
      const left = Math.min(perMinute, before.left + ((now - before.at) * perMinute) / 60_000)
      const isEnough = left >= cost
      // The one seen longest ago goes when there are too many.
      networks.delete(network)
      networks.set(network, { left: isEnough ? left - cost : left, at: now })
      if (networks.size > limits.addressesKept) networks.delete(networks.keys().next().value!)
      if (isEnough) return
      const retryAfterS = Math.max(1, Math.ceil(((cost - left) * 60) / perMinute))
      const sentence = `Too many messages came from this address; try again in ${retryAfterS} s.`
      throw new AppError('rate_limited', sentence, { retryAfterS })
    },
  }
}
