// What a question asks for: its words and their weights, the people and the time it names, and what it leaves to the talk before it.
import { limits } from '../domain/limits.ts'
import { type TimeRange, timeIn } from './times.ts'
import { termsOf } from './words.ts'

export type Asked = {
  meaning: string // the text to embed
  terms: ReadonlyMap<number, number> // with their weights
  sequence: Uint32Array // the terms of the question itself, in its order
  names: ReadonlySet<string> // of known speakers, in lower case
  aboutSelf: boolean
  time: TimeRange | null
}

export type Turn = { role: 'user' | 'ai'; text: string }

export type Context = {
  isSpeaker(name: string): boolean // in lower case
  at: Date
  before: Turn[] // the session so far, oldest first
}

export function understand(question: string, { isSpeaker, at, before }: Context): Asked {
  const earlier = earlierTurns(question, before)
  const asked = askedBefore(earlier)
  const whole = [...asked, question].join(' ')
  const names = new Set(namesIn(whole).filter(isSpeaker))
  const sequence = termsOf(question).slice(0, limits.questionWords)
  return {
    meaning: withoutNames(whole, names),
    terms: weighted(sequence, earlier),
    sequence,
    names,
    aboutSelf: SELF.test(whole),
    time: timeIn(question, at) ?? (asked.length > 0 ? timeIn(asked.at(-1)!, at) : null),
  }
}

// The question with what the session so far adds to it.
export const completed = (question: string, before: Turn[]): string =>
  [...askedBefore(earlierTurns(question, before)), question].join(' ')

const earlierTurns = (question: string, before: Turn[]): Turn[] =>
  isFollowUp(question) ? before.slice(-limits.followUpTurns) : []
const askedBefore = (turns: Turn[]): string[] => turns.filter(({ role }) => role === 'user').map(({ text }) => text)

// First persons: who speaks of themselves, or asks about themselves.
export const SELF = /\b(?:I|my|me|mine|myself|I['’](?:m|ve|d|ll))\b/i

const POINTS_BACK =
  /\b(?:that|this|those|these|it|its|they|them|their|he|him|his|she|her|hers|there|then|one|ones|same)\b/i
const GOES_ON = /^(?:and|but|so|or|what about|how about|why|really|how come|since when|which one)\b/i

// A question that names little of its own and points to what was said.
export function isFollowUp(question: string): boolean {
  const words = termsOf(question).length
  return words <= 1 || (words <= 4 && (POINTS_BACK.test(question) || GOES_ON.test(question.trim())))
}

// Names of one or two words.
function namesIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []
  return words.flatMap((word, at) => [word, `${word} ${words[at + 1] ?? ''}`])
}

// The name of someone who speaks in every other memory says nothing about which one answers, but pulls a vector to all of them.
function withoutNames(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text
  const any = [...names].map((name) => name.replaceAll(/[^\p{L}\p{N} -]/gu, '')).join('|')
  const rest = text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?:['’]s)?(?![\\p{L}\\p{N}])`, 'giu'), '')
  return rest.replaceAll(/\s+/g, ' ').trim()
}

// What was said before counts less, and what the persona answered least: it may have been wrong.
function weighted(sequence: Uint32Array, earlier: Turn[]): Map<number, number> {
  const terms = new Map<number, number>()
  const raise = (term: number, weight: number) => terms.set(term, Math.max(weight, terms.get(term) ?? 0))
  for (const term of sequence) raise(term, 1)
  for (const { role, text } of earlier)
    for (const term of termsOf(text).slice(0, limits.questionWords)) raise(term, role === 'user' ? 0.5 : 0.25)
  return terms
}
