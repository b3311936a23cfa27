// What in the recalled memories answers the question: the reader's span, the sentence around it, and how strongly it answers.
import { limits } from '../../domain/limits.ts'
import type { Recollection } from '../../domain/memory.ts'
import type { Range } from '../../domain/reply.ts'
import { isQuestion } from '../../language/question-kinds.ts'
import { answered, around, isAsked, isTitle, sentenceRanges, withNext } from '../../language/sentences.ts'
import { contentWords, stem } from '../../language/words.ts'
import { isDated } from './dated.ts'

export type Evidence = {
  recollection: Recollection
  rank: number // in recall's order
  passage: string
  answer: Range // of the passage
  sentence: Range // of the passage
  strength: number // log-odds where it was read, else a share of the question's words
  isRead: boolean
  closer?: number // answerability of the sentences around the answer, where these were read alone
}

// Beside its answerability: how clearly the span stands out, and what recall thought of the memory.
const SPAN_WEIGHT = 0.2
const RECALL_WEIGHT = 2
const ASKS_ITSELF = 3

export function evidenceIn(question: string, recollections: Recollection[]): Evidence[] {
  const isRead = recollections.some(({ reading }) => reading)
  if (!isRead) return quotesIn(question, recollections).sort(strongestFirst)
  const asked = new Set(stems(question))
  const found = recollections.flatMap((one, rank) => readEvidence(asked, one, rank))
  const told = isQuestion(question) ? found : found.map((one) => ({ ...one, ...quoted(question, one.recollection) }))
  return latestFirst(question, told.sort(strongestFirst))
}

const strongestFirst = (one: Evidence, two: Evidence): number => two.strength - one.strength

const IS_NOW = /\b(?:is|are|am|do|does|has|have|current|currently|now|latest)\b|['’]s\b/i
const WAS_THEN =
  /\b(?:was|were|did|had|first|before|after|ago|last|original|originally|previous|previously|initial|initially|used to)\b|\b\d{4}\b/i
const ABOUT_AS_STRONG = 2 // log-odds
export const ANSWERS = 0.5 // answerability from which a memory answers rather than not

// A question in the present asks for what is so now: of dated answers about as strong, the latest.
function latestFirst(question: string, evidence: Evidence[]): Evidence[] {
  const [best] = evidence
  if (!best || !isDated(best.recollection) || !IS_NOW.test(question) || WAS_THEN.test(question)) return evidence
  const latest = evidence
    .filter(({ strength, recollection }) => strength > best.strength - ABOUT_AS_STRONG && isDated(recollection))
    .filter(({ recollection: { reading } }) => (reading?.answerable ?? 0) >= ANSWERS)
    .reduce((last, one) => (one.recollection.memory.time > last.recollection.memory.time ? one : last), best)
  return [latest, ...evidence.filter((one) => one !== latest)]
}

// Where nothing is asked there is no span to trust, but there are words to find.
function quoted(question: string, recollection: Recollection): Partial<Evidence> {
  const [quote] = quotesIn(question, [recollection])
  return quote ? { passage: quote.passage, answer: quote.answer, sentence: quote.sentence } : {}
}

function readEvidence(asked: ReadonlySet<string>, recollection: Recollection, rank: number): Evidence[] {
  const { reading } = recollection
  if (!reading) return []
  const { passage } = reading
  const span = withinMemory(asked, recollection.memory.text, reading)
  const found = withNext(passage, around(passage, span))
  const next = answered(passage, found, span, isTitle(passage, found) && isRepeated(asked, passage, found))
  const answer = next ?? span
  const sentence = next ?? ((isDated(recollection) && shortTurn(passage, span)) || found)
  // A question shares its words with another question and answers neither.
  const asks = isAsked(passage, sentence, answer) ? ASKS_ITSELF : 0
  const strength = logOdds(reading.answerable) + SPAN_WEIGHT * reading.span + RECALL_WEIGHT * recollection.score - asks
  return [{ recollection, rank, passage, answer, sentence, strength, isRead: true }]
}

// A title that holds the question's words and no others tells nothing; another may well be the answer.
const isRepeated = (asked: ReadonlySet<string>, passage: string, { start, end }: Range): boolean =>
  stems(passage.slice(start, end)).every((word) => asked.has(word))

// A memory is read with its date and with what it answers. Where the span lies there, the memory itself is the answer: of its
// sentences the one with most of the question's words.
function withinMemory(
  asked: ReadonlySet<string>,
  text: string,
  { passage, start, end }: Range & { passage: string },
): Range {
  const from = Math.max(0, passage.lastIndexOf(text))
  const own = { start: from, end: from + text.length }
  if (start >= own.start && start < own.end) return { start, end }
  const shared = (one: Range) =>
    new Set(stems(passage.slice(one.start, one.end)).filter((word) => asked.has(word))).size
  const [first = own, ...others] = sentenceRanges(passage).filter((one) => one.start >= from)
  return others.reduce((best, one) => (shared(one) > shared(best) ? one : best), first)
}

// What someone said in one go belongs together, as long as it is short.
function shortTurn(passage: string, { start }: Range): Range | null {
  const from = passage.lastIndexOf('\n', start - 1) + 1
  const to = passage.indexOf('\n', start)
  const turn = { start: from, end: to < 0 ? passage.length : to }
  return passage.slice(turn.start, turn.end).split(/\s+/).length <= limits.replyWords ? turn : null
}

export const logOdds = (probability: number): number => {
  const held = Math.min(Math.max(probability, 0.001), 0.999)
  return Math.log(held / (1 - held))
}

// By words alone: the sentence of each memory that shares most of the question's words, the rarer ones counting more.
export function quotesIn(question: string, recollections: Recollection[]): Evidence[] {
  const asked = new Set(stems(question))
  const weights = rarity(asked, recollections)
  const found: Evidence[] = []
  recollections.forEach((recollection, rank) => {
    const passage = recollection.memory.text
    const whole = covered(weights, passage)
    let best: Evidence | undefined
    for (const sentence of sentenceRanges(passage)) {
      const text = passage.slice(sentence.start, sentence.end)
      if (text.endsWith('?')) continue
      const coverage = covered(weights, text)
      const strength = coverage + 0.3 * whole - 0.02 * rank
      if (coverage > 0 && strength > (best?.strength ?? 0))
        best = { recollection, rank, passage, answer: sentence, sentence, strength, isRead: false }
    }
    if (best) found.push(belowTitle(asked, best))
  })
  return found
}

// Words alone point to titles most of all. In someone's notes a line without an end may be all there is to tell, in a document it is not.
function belowTitle(asked: ReadonlySet<string>, evidence: Evidence): Evidence {
  const { passage, sentence, recollection } = evidence
  const namesIt = isTitle(passage, sentence) && (!isDated(recollection) || isRepeated(asked, passage, sentence))
  const next = answered(passage, sentence, sentence, namesIt)
  return next ? { ...evidence, sentence: next, answer: next } : evidence
}

// A place in a memory that no reader pointed to.
export const placeIn = (recollection: Recollection, place: Range, rank = 0): Evidence => ({
  recollection,
  rank,
  passage: recollection.memory.text,
  answer: place,
  sentence: place,
  strength: 0,
  isRead: false,
})

// Where nothing points into a memory, how it begins stands for it.
export function beginningOf(recollection: Recollection): Evidence {
  const { text } = recollection.memory
  return placeIn(recollection, sentenceRanges(text)[0] ?? { start: 0, end: text.length })
}

export const stems = (text: string): string[] => contentWords(text).map(stem)

// A word that most of the recalled memories hold says little about which of them answers.
export function rarity(asked: ReadonlySet<string>, recollections: Recollection[]): Map<string, number> {
  const texts = recollections.map(({ memory, title }) => new Set(stems(`${title} ${memory.text}`)))
  return new Map(
    [...asked].map((word) => {
      const holding = texts.filter((text) => text.has(word)).length
      return [word, Math.log(1 + (texts.length + 1) / (holding + 0.5))]
    }),
  )
}

export function covered(weights: ReadonlyMap<string, number>, text: string): number {
  const words = new Set(stems(text))
  let [held, all] = [0, 0]
  for (const [word, weight] of weights) {
    all += weight
    if (words.has(word)) held += weight
  }
  return all === 0 ? 0 : held / all
}

// Where in the memory's own text a range of the passage lies; none where it lies in a neighbour that was read with it.
export function inMemory({ recollection, passage }: Evidence, { start, end }: Range): Range[] {
  const { text } = recollection.memory
  const offset = Math.max(0, passage.lastIndexOf(text))
  const [from, to] = [Math.max(0, start - offset), Math.min(text.length, end - offset)]
  return from < to ? [{ start: from, end: to }] : []
}
