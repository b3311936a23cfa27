// What the reader is given of a memory: a note or a turn of a chat with its day and who speaks, a passage of a document
// under its title.
import type { KnownMemory, Memory, Passage } from '../domain/memory.ts'
import { formatDay, isFirstPerson, leadingName } from '../language/language.ts'
import { limits } from './limits.ts'

// `speaker`: whose memory it is, and so who speaks in a note; `isNamed`: the question asks about them by name, so that
// who says "I" in a document has to be told; `before`: what was said right before it.
export function windowOf(
  { memory, title }: KnownMemory,
  { speaker, isNamed = false }: { speaker: string; isNamed?: boolean },
  before?: Memory,
): Passage {
  const turn = turnOf(memory)
  if (turn !== null) {
    const question = before?.text.includes('?') ? turnOf(before) : null
    return passageOf([formatDay(memory.time), ...(question === null ? [] : [question]), turn].join('\n'), memory)
  }
  if (title === '') {
    const isShort = memory.text.length <= limits.windowTurnCharacters
    return passageOf(`${formatDay(memory.time)}\n${isShort ? `${speaker}: ` : ''}${memory.text}`, memory)
  }
  const lead = isNamed && isFirstPerson(memory.text) && !leadingName(memory.text) ? `${speaker}: ` : ''
  return passageOf(`${headerOf(title)}${lead}${memory.text}`, memory)
}

const passageOf = (text: string, { text: own }: Memory): Passage => ({
  text,
  own: { start: text.length - own.length, end: text.length },
})

// A memory without anything beside it.
export const ownPassage = (memory: Memory): Passage => passageOf(memory.text, memory)

// What stands above a part of a document when it is read.
export const headerOf = (title: string): string =>
  title === '' || title.length > limits.windowTitleCharacters ? '' : `${title}\n`

// "Anna: I moved to Lisbon." Null for what nobody is known to have said, and for what is too long to be read beside
// another.
function turnOf({ text, place }: Memory): string | null {
  if (text.length > limits.windowTurnCharacters) return null
  // Whoever is known to have said it did, whatever name the text begins with.
  if (place.speaker !== null) return text.startsWith(`${place.speaker}:`) ? text : `${place.speaker}: ${text}`
  return leadingName(text) ? text : null
}
