// What in the recalled memories answers the question: the reader's span, the sentence around it, and how strongly it
// answers.
import type { KnownMemory, Passage, Reading, Recollection } from '../../domain/memory.ts'
import type { Range } from '../../domain/reply.ts'
import {
  asksForNow,
  findAnswerBelow,
  fits,
  isAsked,
  isOwnPhrase,
  isTitle,
  sentenceAround,
  sentenceRanges,
  shareInText,
  stems,
  stressesNow,
  tellsOfChange,
  type Understood,
  withNext,
} from '../../language/language.ts'
import { ownPassage } from '../../recall/window.ts'
import { limits } from '../limits.ts'
import { askedThere } from './asked-there.ts'
import { isDated } from './dated.ts'

// A place in a memory.
export type Quote<Source extends KnownMemory = KnownMemory> = {
  source: Source
  passage: Passage
  answer: Range // of the passage
  sentence: Range // of the passage
}

export type Evidence = Quote<Recollection> & {
  rank: number // in recall's order
  strength: number // log-odds where it was read, else a share of the question's words
  isRead: boolean
}

export const textAt = ({ text }: Passage, { start, end }: Range): string => text.slice(start, end)
export const sentenceOf = ({ passage, sentence }: Quote): string => textAt(passage, sentence)
export const answerOf = ({ passage, answer }: Quote): string => textAt(passage, answer).trim()

// Beside its answerability: how clearly the span stands out, and what recall thought of the memory.
const SPAN_WEIGHT = 0.2
const RECALL_WEIGHT = 2
const ASKS_ITSELF = 3
const ASKED_THERE = 3

export type Asked = Pick<Understood, 'question'> & Partial<Pick<Understood, 'kind' | 'asksForBefore' | 'isFollowUp'>>

export function evidenceIn({ question, kind }: Asked, recollections: Recollection[]): Evidence[] {
  const isRead = recollections.some(({ reading }) => reading)
  if (!isRead) return quotesIn(question, recollections).filter(isOwnKnowledge).sort(strongestFirst)
  const asked = stems(question)
  const found = recollections.flatMap((one, rank) => readEvidence(asked, one, rank)).filter(isOwnKnowledge)
  // A few words, as one types them into a search box: there is no span to trust, but there are words to find.
  const isSearch = kind === 'other' && question.trim().split(/\s+/).length <= SEARCHED_WORDS
  const placed = isSearch ? found.map((one) => ({ ...one, ...bestQuote(question, one.source) })) : found
  return placed.sort(strongestFirst)
}

const SEARCHED_WORDS = 4

// What the persona itself said, its refusals above all, may stand in a transcript or was stored by a bot: that is no
// knowledge. Nor is a row of names in code.
const isOwnKnowledge = (quote: Quote): boolean => !isOwnPhrase(sentenceOf(quote)) && !isBareCode(sentenceOf(quote))

const isBareCode = (text: string): boolean => text.includes('`') && !/\p{L}/u.test(text.replaceAll(/`[^`\n]*`/g, ''))

export const strongestFirst = (one: Evidence, two: Evidence): number => two.strength - one.strength

const ABOUT_AS_STRONG = 2 // log-odds
const NOW_STRESSED = 4 // the same for a question that stresses how it is now
const ANSWERS = 0.5 // answerability from which a memory answers rather than not

export const answerability = ({ source }: Evidence): number => source.reading?.answerable ?? 0
export const answers = (evidence: Evidence): boolean => answerability(evidence) >= ANSWERS

// A question in the present asks for what is so now: of dated answers about as strong, the latest. One that asks how it
// was before gets the earliest.
export function inTime({ question, kind, asksForBefore, isFollowUp }: Asked, evidence: Evidence[]): Evidence[] {
  const [best] = evidence
  if (!best || !(asksForBefore || asksForNow(question))) return evidence
  const within = !asksForBefore && stressesNow(question) ? NOW_STRESSED : ABOUT_AS_STRONG
  const isBetter = (one: Date, other: Date) => (asksForBefore ? one < other : one > other)
  // What changed since is told in the same words: a note that has fewer of them speaks of something else.
  const asked = stems(question)
  const named = (one: Evidence) => asked.intersection(stems(sentenceOf(one))).size
  const isAsStrong = (one: Evidence) =>
    one.strength > best.strength - within && answers(one) && named(one) >= named(best)
  const isAbout = (one: Evidence) => named(one) > 0 || (kind === 'amount' && fits(kind, sentenceOf(one)))
  const isChange = (one: Evidence) =>
    !asksForBefore && isAbout(one) && tellsOfChange(sentenceOf(one)) && speaksOf(one, best, isFollowUp ? DOUBTS : HINTS)
  const chosen = evidence
    .filter((one) => isDated(one.source) && (isAsStrong(one) || isChange(one)))
    .reduce((last, one) => (isBetter(one.source.memory.time, last.source.memory.time) ? one : last), best)
  const isByItself = isAsStrong(chosen) && !tellsOfChange(sentenceOf(chosen))
  const first = isByItself || chosen.strength >= best.strength ? chosen : readWith(best, chosen)
  return [first, ...evidence.filter((one) => one !== chosen)]
}

// Nobody reads of a change but with what it changes: so it answers as surely.
const readWith = ({ source, strength }: Evidence, change: Evidence): Evidence => ({
  ...change,
  strength,
  source: { ...change.source, reading: { ...change.source.reading!, ...answeringOf(source.reading!) } },
})

const answeringOf = ({ answerable, relevant, span }: Reading) => ({ answerable, relevant, span })

// "They moved the knee to January 28." is no answer by itself, but it is to whoever has read of the knee.
function speaksOf(one: Evidence, best: Evidence, atLeast: number): boolean {
  const { answerable, relevant } = one.source.reading ?? { answerable: 0, relevant: 0 }
  if (!answers(best) || relevant < SPEAKS_OF || answerable < atLeast) return false
  const told = isDated(best.source) ? best.source.memory.text : sentenceOf(best)
  return stems(sentenceOf(one)).intersection(stems(told)).size > 0
}

const SPEAKS_OF = 0.6 // relevance
const HINTS = 0.05 // answerability: it need not name the thing again
const DOUBTS = 0.25 // of a follow-up: "And for kids?" asks about a part of what was asked before

function bestQuote(question: string, recollection: Recollection): Partial<Evidence> {
  const [quote] = quotesIn(question, [recollection])
  return quote ? { passage: quote.passage, answer: quote.answer, sentence: quote.sentence } : {}
}

function readEvidence(asked: ReadonlySet<string>, recalled: Recollection, rank: number): Evidence[] {
  if (!recalled.reading) return []
  const { passage } = recalled
  const surely = isDated(recalled) ? 0 : askedThere(asked, passage)
  const reading = surelyRead(recalled.reading, surely)
  const source = { ...recalled, reading }
  const { text } = passage
  const span = spanInMemory(asked, passage, reading)
  const found = withNext(text, clip(sentenceAround(text, span), passage))
  const next = findAnswerBelow(text, found, span, isTitle(text, found) && isRepeated(asked, text, found))
  const answer = next ?? span
  const sentence = next ?? ((isDated(source) && shortTurn(passage, span)) || found)
  // A question shares its words with another question and answers neither.
  const asks = isAsked(text, sentence, answer) ? ASKS_ITSELF : 0
  const beside = SPAN_WEIGHT * reading.span + RECALL_WEIGHT * source.score + ASKED_THERE * surely
  const strength = logOdds(reading.answerable) + beside - asks
  return [{ source, rank, passage, answer, sentence, strength, isRead: true }]
}

const SURE_SPAN = 6

const surelyRead = (reading: Reading, sure: number): Reading =>
  sure <= reading.answerable
    ? reading
    : {
        ...reading,
        answerable: sure,
        relevant: Math.max(sure, reading.relevant),
        span: Math.max(SURE_SPAN, reading.span),
      }

// A title that holds the question's words and no others says nothing; another may well be the answer.
const isRepeated = (asked: ReadonlySet<string>, text: string, { start, end }: Range): boolean =>
  stems(text.slice(start, end)).isSubsetOf(asked)

// A memory is read with its date and with what it answers. Where the span lies there, the memory itself is the answer:
// of its sentences the one with most of the question's words.
function spanInMemory(asked: ReadonlySet<string>, { text, own }: Passage, { start, end }: Range): Range {
  if (start >= own.start && start < own.end) return { start, end }
  const shared = (one: Range) => stems(text.slice(one.start, one.end)).intersection(asked).size
  const [first = own, ...others] = sentenceRanges(text).filter((one) => one.start >= own.start)
  return others.reduce((best, one) => (shared(one) > shared(best) ? one : best), first)
}

// Only what the memory says itself is quoted, not what stands beside it when it is read.
const clip = ({ start, end }: Range, { own }: Passage): Range => ({
  start: start < own.start && end > own.start ? own.start : start,
  end,
})

// What someone said in one go belongs together, as long as it is short.
function shortTurn(passage: Passage, { start }: Range): Range | null {
  const { text } = passage
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', start)
  const turn = clip({ start: from, end: to < 0 ? text.length : to }, passage)
  return text.slice(turn.start, turn.end).split(/\s+/).length <= limits.turnWords ? turn : null
}

export const logOdds = (probability: number): number => {
  const held = Math.min(Math.max(probability, 0.001), 0.999)
  return Math.log(held / (1 - held))
}

// By words alone: the sentence of each memory that shares most of the question's words, the rarer ones counting more.
export function quotesIn(question: string, recollections: Recollection[]): Evidence[] {
  const asked = stems(question)
  const weights = wordWeights(question, recollections)
  const found: Evidence[] = []
  recollections.forEach((source, rank) => {
    const passage = ownPassage(source.memory)
    const whole = shareInText(weights, passage.text)
    let best: Evidence | undefined
    for (const sentence of sentenceRanges(passage.text)) {
      const text = textAt(passage, sentence)
      if (text.endsWith('?')) continue
      const share = shareInText(weights, text)
      const strength = share + 0.3 * whole - 0.02 * rank
      if (share > 0 && strength > (best?.strength ?? 0))
        best = { source, rank, passage, answer: sentence, sentence, strength, isRead: false }
    }
    if (best) found.push(belowTitle(asked, best))
  })
  return found
}

// Words alone point to titles most of all. In someone's notes a line without an end may be all there is to quote, in a
// document it is not.
function belowTitle(asked: ReadonlySet<string>, evidence: Evidence): Evidence {
  const { passage, sentence, source } = evidence
  const { text } = passage
  const namesIt = isTitle(text, sentence) && (!isDated(source) || isRepeated(asked, text, sentence))
  const next = findAnswerBelow(text, sentence, sentence, namesIt)
  return next ? { ...evidence, sentence: next, answer: next } : evidence
}

// A place in a memory that no reader pointed to.
export const quote = <Source extends KnownMemory>(source: Source, place: Range): Quote<Source> => ({
  source,
  passage: ownPassage(source.memory),
  answer: place,
  sentence: place,
})

export const quoteWhole = <Source extends KnownMemory>(source: Source): Quote<Source> =>
  quote(source, { start: 0, end: source.memory.text.length })

// Where nothing points into a memory, how it begins stands for it.
export function quoteBeginning<Source extends KnownMemory>(source: Source): Quote<Source> {
  const [first] = sentenceRanges(source.memory.text)
  return first ? quote(source, first) : quoteWhole(source)
}

// What each of the question's words is worth: one that most of the recalled memories hold says little about which of
// them answers.
export function wordWeights(question: string, recollections: Recollection[]): Map<string, number> {
  const texts = recollections.map(({ memory, title }) => stems(`${title} ${memory.text}`))
  return new Map(
    [...stems(question)].map((word) => {
      const holding = texts.filter((text) => text.has(word)).length
      return [word, Math.log(1 + (texts.length + 1) / (holding + 0.5))]
    }),
  )
}

// Where in the memory's own text a range of the passage lies; none where it lies in a neighbour that was read with it.
export function rangeInMemory({ own }: Passage, { start, end }: Range): Range[] {
  const [from, to] = [Math.max(start, own.start) - own.start, Math.min(end, own.end) - own.start]
  return from < to ? [{ start: from, end: to }] : []
}
