// What the reader is given of a memory: a turn of a chat with its date and speaker, and the question it answers; anything else as it stands.
import { limits } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import { leadingName } from './index/trace.ts'

// `before`: what was said right before it.
export function windowOf(memory: Memory, before?: Memory): string {
  const turn = turnOf(memory)
  if (!turn) return memory.text
  const question = before?.text.includes('?') ? turnOf(before) : null
  return [dayOf(memory.time), ...(question ? [question] : []), turn].join('\n')
}

// "Anna: I moved to Lisbon." Null for what nobody is known to have said, and for what is too long to be read beside another.
function turnOf({ text, place }: Memory): string | null {
  if (text.length > limits.windowTurnLength) return null
  if (leadingName(text)) return text
  return place.speaker ? `${place.speaker}: ${text}` : null
}

const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
