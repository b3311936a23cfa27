// When a delivery that failed is tried again: soon at first, then ever later, for a day in all.

const S = 1_000
const MIN = 60 * S
const HOUR = 60 * MIN

// After each attempt; together a little more than a day, after which a trigger that only failed is switched off.
const WAITS = [5 * S, 30 * S, 2.5 * MIN, 12 * MIN, 30 * MIN, 1.25 * HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR]

// Receivers that were away are not met by all of their deliveries in the same moment.
const JITTER = 0.1

// `tries`: attempts so far. Undefined when it is given up.
export function retryAt(tries: number, now: Date, random = Math.random()): Date | undefined {
  const wait = WAITS[tries - 1]
  return wait === undefined ? undefined : new Date(now.getTime() + wait * (1 + JITTER * random))
}
