// What an old office file says about itself: title, author and date from its property set.

import type { Compound } from './compound.ts'
import { codePageLabel } from './rtf-words.ts'

export function describeCompound(compound: Compound): {
  title: string | null
  author: string | null
  time: Date | null
} {
  const nothing = { title: null, author: null, time: null }
  const bytes = compound.read('\x05SummaryInformation')
  if (!bytes || bytes.length < 48) return nothing
  try {
    const start = bytes.readUInt32LE(44)
    const count = Math.min(64, bytes.readUInt32LE(start + 4))
    const places = new Map<number, number>()
    for (let index = 0; index < count; index++)
      places.set(bytes.readUInt32LE(start + 8 + index * 8), start + bytes.readUInt32LE(start + 12 + index * 8))
    const codePage = places.has(1) ? bytes.readUInt16LE(places.get(1)! + 4) : 1252
    const text = (id: number): string | null => {
      const at = places.get(id)
      if (at === undefined) return null
      const length = bytes.readUInt32LE(at + 4)
      const raw = bytes.subarray(at + 8, at + 8 + Math.min(length, 2_000))
      return (
        new TextDecoder(codePageLabel(codePage))
          .decode(raw)
          .replace(/\0[\s\S]*$/, '')
          .trim() || null
      )
    }
    const at = places.get(12)
    return { title: text(2), author: text(4), time: at === undefined ? null : fileTime(bytes, at + 4) }
  } catch {
    return nothing
  }
}

// Tenths of microseconds since 1601.
export function fileTime(bytes: Buffer, at: number): Date | null {
  if (at + 8 > bytes.length) return null
  const milliseconds = Number(bytes.readBigUInt64LE(at) / 10_000n) - 11_644_473_600_000
  const date = new Date(milliseconds)
  return date.getUTCFullYear() > 1985 && date.getUTCFullYear() < 2200 ? date : null
}
