// Identifiers that sort by time (UUID version 7), so that "newest first" is a walk along a primary key.
import { randomBytes, randomInt } from 'node:crypto'

let lastMs = 0
let sequence = 0

export function newId(nowMs = Date.now()): string {
  // Within one millisecond a counter keeps the order of making.
  if (nowMs > lastMs) {
    lastMs = nowMs
    sequence = randomInt(0x400)
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const random = randomBytes(8)
  random[0] = (random[0]! & 0x3f) | 0x80
  const hex = lastMs.toString(16).padStart(12, '0') + (0x7000 | sequence).toString(16) + random.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// What is made from now on sorts after what was made until then, though the clock may have been put back since.
export function sortAfter(ms: number): void {
  lastMs = Math.max(lastMs, ms + 1)
}

// No id of an earlier moment sorts after it.
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}

// Integer ids that any machine can make alone and that survive JSON: 48 random bits.
export const newNumber = (): number => randomInt(1, 2 ** 48 - 1)
