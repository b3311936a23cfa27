// Asked about a subject, a persona tells what its memories say of it: most from the one that is nearest, then from
// others, each sentence saying something else, as they came.
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Range } from '../../domain/reply.ts'
import {
  evenWeights,
  isFormality,
  isOwnPhrase,
  leansBack,
  namesTimeAlone,
  type Query,
  sentenceRanges,
  shareHeld,
  shareInText,
  stems,
} from '../../language/language.ts'
import type { Embedder } from '../../ports/models.ts'
import type { Answer } from '../compose.ts'
import { isDated } from '../evidence/dated.ts'
import { logOdds, type Quote, quote, sentenceOf, wordWeights } from '../evidence/evidence.ts'
import { readable } from '../evidence/readable.ts'
import { limits } from '../limits.ts'
import { say } from './answer.ts'
import { pointsIn } from './points.ts'

const WORDS_WEIGHT = 0.6 // beside likeness in meaning, which lies between 0 and 1
const READING_WEIGHT = 0.06 // of a log-odds
const SPAN = 0.3 // of the sentence in which the reader sees the answer
const SAYS_IT_AGAIN = 0.6 // share of a sentence's words that another one has said
const IS_TITLED = 0.6 // share of the question's words in a document's title
const IS_NAMED = 0.5 // share of the title's words in the question
const IS_CLOSE = 0.6 // of the best one's strength: what is further off is another subject
const SAME_DOCUMENT = 0.25
const ROW = 0.3 // a row of a table says little by itself
const LEANS = 0.15 // so does "It was green"

type Sentence = Quote<Recollection> & { strength: number; point?: string }

// `isTitled`: a document's title says what is asked about; `isNamed`: that of the one that is told, and hardly anything
// else.
export type Topic = Answer & { isTitled: boolean; isNamed: boolean }

export async function describeTopic(
  { embedder }: { embedder: Embedder },
  persona: Persona,
  { question, time }: Pick<Query, 'question' | 'time'>,
  recollections: Recollection[],
): Promise<Topic | null> {
  const then = inTime(recollections, time)
  const quotes = sentencesOf((then ?? recollections).slice(0, limits.topicRecollections))
  if (quotes.length === 0) return null
  const weights = wordWeights(question, recollections)
  const [asked, ...vectors] = await embedder.embed([question, ...quotes.map(sentenceOf)], 'question')
  const weighed = quotes.map((one, at): Sentence => {
    const words = shareInText(weights, `${one.source.title} ${sentenceOf(one)}`)
    const alone = (readable(one)?.row === undefined ? 0 : ROW) + (leansBack(sentenceOf(one)) ? LEANS : 0)
    return { ...one, strength: dot(asked!, vectors[at]!) + WORDS_WEIGHT * words + readingOf(one) - alone }
  })
  const titled = sentencesOfTitled(question, weighed)
  const points = titled && pointsIn(titled)
  const year = then && namesTimeAlone(question) ? strongestOfEach(weighed) : null
  const whole = points ?? year
  const chosen = whole ? choose(whole, 0) : choose(weighed, IS_CLOSE)
  if (chosen.length === 0) return null
  // Of those chosen the strongest comes first.
  return { ...tell(chosen, persona), isTitled: titled !== null, isNamed: names(question, chosen[0]!.source) }
}

// Whether a document of this title is all about what is asked.
export const isTitled = (question: string, { title }: Recollection): boolean =>
  shareInText(evenWeights(stems(question)), title) >= IS_TITLED

// "The harbour meeting" is what "Minutes of the harbour meeting, 4 March" are of; a "Letter to Sofia about the boat" is
// not of Sofia.
function names(question: string, document: Recollection): boolean {
  const words = [...stems(document.title)].filter((word) => !/^\d/.test(word))
  return isTitled(question, document) && shareHeld(words, stems(question)) >= IS_NAMED
}

// Those of the document whose title says what is asked about: then all of it is.
function sentencesOfTitled(question: string, sentences: Sentence[]): Sentence[] | null {
  const titled = sentences.filter(({ source }) => isTitled(question, source))
  const [best] = titled.toSorted(strongestFirst)
  if (!best) return null
  return titled.filter(({ source }) => source.memory.documentId === best.source.memory.documentId)
}

// Asked about a time, what was noted then, where several things were.
function inTime(recollections: Recollection[], time: Query['time']): Recollection[] | null {
  if (!time) return null
  const then = recollections.filter(({ memory }) => {
    const minute = memory.time.getTime() / 60_000
    return minute >= time.from && minute <= time.to
  })
  return then.length > 1 ? then : null
}

// Many things happen in a year: one sentence of each memory.
const strongestOfEach = (sentences: Sentence[]): Sentence[] =>
  [...Map.groupBy(sentences, ({ source }) => source.memory.id).values()].map(
    (some) => some.toSorted(strongestFirst)[0]!,
  )

function readingOf({ source: { reading, passage }, sentence }: Quote<Recollection>): number {
  if (!reading) return 0
  const [start, end] = [sentence.start + passage.own.start, sentence.end + passage.own.start]
  const holdsSpan = reading.start < end && reading.end > start
  return READING_WEIGHT * (logOdds(reading.relevant) + logOdds(reading.answerable)) + (holdsSpan ? SPAN : 0)
}

// Every sentence that can be read by itself, up to a bound.
export function sentencesOf(recollections: Recollection[]): Quote<Recollection>[] {
  const quotes = recollections.flatMap((source) => unitsOf(source).map((unit) => quote(source, unit)))
  return quotes
    .filter((one) => stems(sentenceOf(one)).size >= LEAST_WORDS && !sentenceOf(one).endsWith('?'))
    .filter((one) => !isOwnPhrase(sentenceOf(one)) && !isFormality(sentenceOf(one)) && readable(one) !== undefined)
    .slice(0, limits.topicSentences)
}

const LEAST_WORDS = 3

// A note says little at a time: "25 years since we shut the bakery. The loaf is still there. Grey." Its sentences are
// taken together, up to as many words as are told of one.
function unitsOf(source: Recollection): Range[] {
  const { text } = source.memory
  const sentences = sentenceRanges(text)
  if (!isDated(source) || text.includes('\n')) return sentences
  const units: Range[] = []
  for (const sentence of sentences) {
    const last = units.at(-1)
    const words = last ? text.slice(last.start, sentence.end).split(/\s+/).length : Number.POSITIVE_INFINITY
    if (words <= limits.topicSentenceWords) units[units.length - 1] = { start: last!.start, end: sentence.end }
    else units.push(sentence)
  }
  return units
}

function choose(sentences: Sentence[], close: number): Sentence[] {
  const [best] = sentences.toSorted(strongestFirst)
  const raise = (one: Sentence) => (one.source.memory.documentId === best!.source.memory.documentId ? SAME_DOCUMENT : 0)
  const ranked = sentences.map((one) => ({ ...one, strength: one.strength + raise(one) })).sort(strongestFirst)
  const taken: { one: Sentence; words: Set<string> }[] = []
  let left: number = limits.topicWords
  for (const one of ranked) {
    const words = stems(sentenceOf(one))
    const length = Math.min(sentenceOf(one).split(/\s+/).length, limits.topicSentenceWords)
    if (one.strength < close * ranked[0]!.strength || taken.length === limits.topicTold) break
    if (length > left || taken.some((other) => shareHeld(words, other.words) >= SAYS_IT_AGAIN)) continue
    taken.push({ one, words })
    left -= length
  }
  return taken.map(({ one }) => one)
}

const strongestFirst = (one: Sentence, two: Sentence): number => two.strength - one.strength

// In the order of time; what stands in one document, in its order.
export function tell(quotes: (Quote<Recollection> & { point?: string })[], persona: Persona): Answer {
  const inOrder = quotes.toSorted((one, two) => {
    const [first, second] = [one.source.memory, two.source.memory]
    if (first.documentId === second.documentId)
      return first.position - second.position || one.sentence.start - two.sentence.start
    return first.time.getTime() - second.time.getTime()
  })
  const text = inOrder
    .map((one) => (one.point ? `${one.point}: ` : '') + say(one, persona, limits.topicSentenceWords))
    .join(' ')
  return { text, used: inOrder }
}

export const dot = (one: Float32Array, two: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * two[at]!
  return sum
}
