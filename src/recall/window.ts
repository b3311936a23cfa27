// What the reader is given of a memory: a turn of a chat with its date, its speaker and the question it answers;
// anything else as it stands.
import type { Memory, Passage } from '../domain/memory.ts'
import { formatDay, leadingName } from '../language/language.ts'
import { limits } from './limits.ts'

// `before`: what was said right before it.
export function windowOf(memory: Memory, before?: Memory): Passage {
  const turn = turnOf(memory)
  if (!turn) return ownPassage(memory)
  const question = before?.text.includes('?') ? turnOf(before) : null
  const text = [formatDay(memory.time), ...(question ? [question] : []), turn].join('\n')
  return { text, own: { start: text.length - memory.text.length, end: text.length } }
}

// A memory without anything beside it.
export const ownPassage = ({ text }: Memory): Passage => ({ text, own: { start: 0, end: text.length } })

// "Anna: I moved to Lisbon." Null for what nobody is known to have said, and for what is too long to be read beside
// another.
function turnOf({ text, place }: Memory): string | null {
  if (text.length > limits.windowTurnCharacters) return null
  if (leadingName(text)) return text
  return place.speaker ? `${place.speaker}: ${text}` : null
}
