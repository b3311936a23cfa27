// What the reader is given of a memory: a turn of a chat with its date, its speaker and the turns beside it; anything else as it stands.
import { limits } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import { leadingName } from './trace.ts'

// The turns that were said right before and after it.
export type Beside = { before?: Memory | undefined; after?: Memory | undefined }

export function windowOf(memory: Memory, { before, after }: Beside = {}): string {
  const turn = turnOf(memory)
  if (!turn) return memory.text
  const said = [before && turnOf(before), turn, after && turnOf(after)].filter(
    (line) => line !== undefined && line !== null,
  )
  return [dayOf(memory.time), ...said].join('\n')
}

// "Anna: I moved to Lisbon." Null for what nobody is known to have said, and for what is too long to be read beside another.
function turnOf({ text, place }: Memory): string | null {
  if (text.length > limits.windowTurnLength) return null
  if (leadingName(text)) return text
  return place.speaker ? `${place.speaker}: ${text}` : null
}

const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
