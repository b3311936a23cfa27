// Wrong keys, by the address they come from: whoever guesses is told to wait, whoever was right there before is not.
import type { Key } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'

type Seen = { left: number; at: number; known: Set<string> }

export type KeyGuard = {
  // `key` is what was found for the key that was sent, if one was. AppError('rate_limited') after too many wrong ones.
  check(address: string, sent: boolean, key: Key | undefined): void
  // The same before anything is looked up: for what costs something to look up.
  look(address: string): void
}

const KEYS_KNOWN = 1_000

export function createKeyGuard(wrongPerMinute: number): KeyGuard {
  const addresses = new Map<string, Seen>()

  // The one seen longest ago goes when there are too many.
  const seenAt = (network: string): Seen => {
    const now = performance.now() // whatever becomes of the clock
    const seen = addresses.get(network) ?? { left: wrongPerMinute, at: now, known: new Set<string>() }
    addresses.delete(network)
    addresses.set(network, seen)
    if (addresses.size > limits.addressesKept) addresses.delete(addresses.keys().next().value!)
    seen.left = Math.min(wrongPerMinute, seen.left + ((now - seen.at) * wrongPerMinute) / 60_000)
    seen.at = now
    return seen
  }

  const refuseMany = ({ left }: Seen) => {
    if (left >= 1) return
    const retryAfterS = Math.max(1, Math.ceil(((1 - left) * 60) / wrongPerMinute))
    const sentence = `Too many wrong keys came from this address; try again in ${retryAfterS} s.`
    throw new AppError('rate_limited', sentence, { retryAfterS })
  }

  return {
    look: (address) => refuseMany(seenAt(networkOf(address))),

    check(address, sent, key) {
      if (!sent) return
      const seen = seenAt(networkOf(address))
      if (key && seen.known.has(key.id)) return
      // Also a right one: else the answer would tell a good guess from a bad one.
      refuseMany(seen)
      if (!key) seen.left--
      else if (seen.known.size < KEYS_KNOWN) seen.known.add(key.id)
    },
  }
}

// Of IPv6 a customer has a whole network of addresses.
export function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return plain.includes(':') ? plain.split(':').slice(0, 4).join(':') : plain
}
