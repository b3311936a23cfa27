// What a message asks for, worked out once: its kind, what it leaves to the session before it, and what to search for.
import { type Comparison, comparisonIn } from './comparisons.ts'
import { limits } from './limits.ts'
import { type Overview, overviewIn } from './overviews.ts'
import { isAboutSelf, possibleNames } from './persons.ts'
import { kindOf, type QuestionKind } from './question-kinds.ts'
import { asksForHoldings, type SmallTalk, smallTalkIn } from './small-talk.ts'
import { type TimeRange, timeIn } from './times.ts'
import { termsOf } from './words.ts'

export type Turn = { role: 'user' | 'ai'; text: string }

export type Session = {
  before?: Turn[] // oldest first
  at?: Date // when the message is written
}

export type Understood = {
  text: string // as written
  question: string // completed by what the session adds
  isFollowUp: boolean
  before: Turn[] // the session so far, oldest first
  kind: QuestionKind
  smallTalk: SmallTalk | null
  asksForHoldings: boolean // what the persona knows, without a subject
  comparison: Comparison | null
  overview: Overview | null
  query: Query
}

// What recall searches for.
export type Query = {
  question: string // completed; read together with passages, and embedded without the names of speakers
  terms: ReadonlyMap<number, number> // with their weights
  sequence: Uint32Array // the terms of the message itself, in its order
  names: string[] // possible names of speakers, in lower case
  isAboutSelf: boolean
  time: TimeRange | null
}

export function understand(text: string, session: Session = {}): Understood {
  const query = queryFor(text, session)
  return {
    text,
    question: query.question,
    isFollowUp: isFollowUp(text),
    before: session.before ?? [],
    kind: kindOf(text),
    smallTalk: smallTalkIn(text),
    asksForHoldings: asksForHoldings(text),
    comparison: comparisonIn(text),
    overview: overviewIn(text),
    query,
  }
}

// The query for a text that is no message, such as the subject of an overview, has no session.
export function queryFor(text: string, { before = [], at = new Date() }: Session = {}): Query {
  const earlier = isFollowUp(text) ? before.slice(-limits.followUpTurns) : []
  const asked = earlier.filter(({ role }) => role === 'user').map((turn) => turn.text)
  const question = [...asked, text].join(' ')
  const sequence = termsOf(text).slice(0, limits.questionWords)
  return {
    question,
    terms: weigh(sequence, earlier),
    sequence,
    names: possibleNames(question),
    isAboutSelf: isAboutSelf(question),
    time: timeIn(text, at) ?? (asked.length > 0 ? timeIn(asked.at(-1)!, at) : null),
  }
}

const POINTS_BACK =
  /\b(?:that|this|those|these|it|its|they|them|their|he|him|his|she|her|hers|there|then|one|ones|same)\b/i
const GOES_ON = /^(?:and|but|so|or|what about|how about|why|really|how come|since when|which one)\b/i

// A message that names little of its own and points to what was said.
export function isFollowUp(message: string): boolean {
  const words = termsOf(message).length
  return words <= 1 || (words <= 4 && (POINTS_BACK.test(message) || GOES_ON.test(message.trim())))
}

// What was said before counts less, and what the persona answered least: it may have been wrong.
function weigh(sequence: Uint32Array, earlier: Turn[]): Map<number, number> {
  const terms = new Map<number, number>()
  const raise = (term: number, weight: number) => terms.set(term, Math.max(weight, terms.get(term) ?? 0))
  for (const term of sequence) raise(term, 1)
  for (const { role, text } of earlier)
    for (const term of termsOf(text).slice(0, limits.questionWords)) raise(term, role === 'user' ? 0.5 : 0.25)
  return terms
}
