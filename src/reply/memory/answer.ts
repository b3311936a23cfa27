// The answer in words, without a chat model: quoted from memory in the form that was asked for, never more than memory
// says.
import type { Persona } from '../../domain/persona.ts'
import type { Range } from '../../domain/reply.ts'
import {
  type AskedAge,
  ageAt,
  asksForAge,
  asksForMany,
  asksWhenToo,
  capitalize,
  endSentence,
  figureClause,
  fits,
  formatAge,
  formatDay,
  formatSpan,
  holdsDuration,
  holdsNumber,
  isLabel,
  leadingName,
  leansBack,
  type MessageKind,
  namesDate,
  quoteSpeaker,
  resolveRelativeTime,
  resolveTime,
  sayAge,
  sayAgo,
  sayAlso,
  sayBothSides,
  sayCells,
  sayCount,
  sayItems,
  saySpan,
  sayUnknown,
  sayWhen,
  sayWithOrigin,
  sayYesOrNo,
  sentenceAround,
  sentenceRanges,
  shorten,
} from '../../language/language.ts'
import type { Answer } from '../compose.ts'
import { birthIn } from '../evidence/births.ts'
import { isDated, timeOf } from '../evidence/dated.ts'
import { answerOf, answers, type Evidence, type Quote, textAt } from '../evidence/evidence.ts'
import { quoteAnswer } from '../evidence/faq.ts'
import { readable } from '../evidence/readable.ts'
import { bothSides, isYes } from '../evidence/sides.ts'
import { limits } from '../limits.ts'
import { furtherAnswers, otherNumber, othersToo } from './others.ts'
import { listColumn } from './rows.ts'
import { sayLines, stepsAround } from './steps.ts'

const IS_NEAR = 0.9 // relevance from which a memory is worth naming as the nearest
const SHARES_WORDS = 0.5 // and the same where nothing was read

export type AskedAs = { kind: MessageKind; question?: string; age?: AskedAge | null; at?: Date }

export function answerFrom(
  asked: AskedAs & { question: string },
  evidence: Evidence[],
  persona: Persona,
): Answer | undefined {
  const { question, kind } = asked
  const [best] = evidence
  if (!best) return undefined
  if (kind === 'yesno') return answerYesOrNo(question, evidence, persona)
  // Asked for a figure, the sentence that is surely the answer says enough.
  const isPointed = (kind === 'when' || FIGURES.has(kind)) && answers(best)
  const whole = isPointed ? null : quoteAnswer(best)
  if (whole) return { text: withoutYes(say(whole, persona, limits.faqWords)), used: [whole] }
  const steps = stepsAround(asked, best)
  if (steps) return { text: sayLines(textAt(best.passage, steps)), used: [{ ...best, sentence: steps }] }
  if (kind === 'list') return answerList(question, evidence, persona)
  const further = kind === 'count' ? furtherAnswers(best, evidence) : []
  const items = [best, ...further]
  if (kind === 'count' && further.length > 0 && !items.some((one) => fits(kind, answerOf(one))))
    return { text: sayCount(items.map(sayItem)), used: items }
  const text = sayAs(asked, { ...best, sentence: withFollowing(best, limits.replyBreath) }, persona)
  const other = otherNumber(best, evidence)
  return other ? { text: `${text} ${sayOther(other)}`, used: [best, other] } : { text, used: [best] }
}

// "Yes, on Saturdays." answers the FAQ's question, and not what was asked in another form.
const withoutYes = (text: string): string => capitalize(text.replace(/^Yes[,.] /, ''))

// Things from several memories, each once, as far as the reader takes them for answers.
function answerList(question: string, evidence: Evidence[], persona: Persona): Answer {
  const best = evidence[0]!
  const column = listColumn(question, best)
  if (column) return { text: sayCells(column), used: [best] }
  const further = othersToo(best, evidence)
  const words = further.length === 0 ? limits.listWords : limits.listFirstWords
  const first = { ...best, sentence: withFollowing(best, words, () => true) }
  if (further.length === 0) return { text: say(first, persona, words), used: [first] }
  const items = further.map((one) => say(one, persona, limits.listItemWords))
  return { text: sayItems([say(first, persona, words), ...items]), used: [first, ...further] }
}

// What is said when memory has no answer: so much, and the nearest thing it does have.
export function refuse(kind: MessageKind, evidence: Evidence[], persona: Persona): Answer {
  const [best] = evidence
  const nearest = best && isNear(best) ? readable(best)?.quote : undefined
  if (!nearest) return { text: sayUnknown(), used: [] }
  return { text: sayUnknown(sayAs({ kind }, nearest, persona)), used: [nearest] }
}

const isNear = ({ source: { reading }, strength }: Evidence): boolean =>
  reading ? reading.relevant >= IS_NEAR : strength >= SHARES_WORDS

// Who says a sentence: whoever is known to, whatever name the text begins with; else the name that its turn begins
// with, of several in a passage.
function speakerOf({ passage, sentence, source }: Quote): string | null {
  if (!isDated(source)) return null
  if (source.memory.place.speaker !== null) return nameOrNull(source.memory.place.speaker)
  const own = passage.text.slice(Math.min(passage.own.start, sentence.start), sentence.end)
  const names = own.split('\n').map(leadingName)
  return nameOrNull(names.findLast((one) => one !== null) ?? null)
}

const nameOrNull = (name: string | null): string | null => (name && !isLabel(name) ? name : null)

// Without the marks of a list, a heading or a sentence before, and without the line breaks of a narrow page.
const withoutMarks = (text: string): string =>
  text.replace(/^(?:#{1,6}|[-*•:;,]|\d+[.)]|A\d{0,3}:)\s+/, '').replaceAll(/\s*\n\s*/g, ' ')

const shortenQuote = ({ passage, sentence, answer }: Quote, words: number): string =>
  withoutMarks(shorten(passage.text, sentence, answer, words))

function spokenWords(quote: Quote, words: number = limits.replyWords): { speaker: string | null; text: string } {
  const text = shortenQuote(quote, words)
  const speaker = speakerOf(quote)
  return { speaker, text: speaker && text.startsWith(`${speaker}:`) ? text.slice(speaker.length + 1).trim() : text }
}

// As the persona says it: its own words as they are, another one's as theirs; of a table the whole row.
export function say(quote: Quote, persona: Persona, words: number = limits.replyWords): string {
  const row = readable(quote)?.row
  if (row !== undefined) return endSentence(row)
  const { speaker, text } = spokenWords(quote, words)
  if (speaker === null || isNameOf(speaker, persona.name)) return endSentence(text)
  return quoteSpeaker(speaker, quote.source.memory.time, text)
}

// "Jonna" and "Berg" are names of Jonna Berg.
const isNameOf = (speaker: string, name: string): boolean => {
  const words = name.toLowerCase().split(/\s+/)
  return speaker
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

function sayAs(askedAs: AskedAs, quote: Quote, persona: Persona): string {
  const { kind, question = '', age, at = new Date() } = askedAs
  if (age) return sayAged(age, quote, persona, at)
  if (kind === 'when' || asksWhenToo(question)) return sayTime(quote, persona)
  if (!FIGURES.has(kind)) return say(quote, persona)
  const asked = { ...quote, sentence: figureClause(quote.passage.text, quote.sentence, quote.answer, question) }
  return capitalize(kind === 'duration' ? sayDuration(question, asked, persona, at) : say(asked, persona))
}

const FIGURES: ReadonlySet<MessageKind> = new Set(['count', 'amount', 'duration'])

const DAY_MS = 86_400_000

// Where a sentence gives a date and no length of time, how long ago that was is worked out, or how long a time it was
// that it names by both ends. "0 days ago" tells nothing.
function sayDuration(question: string, quote: Quote, persona: Persona, at: Date): string {
  const { source } = quote
  const [sentence, said] = [textAt(quote.passage, quote.sentence), say(quote, persona)]
  if (asksForAge(question) && isAgeOfThen(quote, sentence, at)) return sayWhen(formatDay(source.memory.time), said)
  if (holdsDuration(sentence)) return said
  const span = formatSpan(sentence)
  if (span) return saySpan(said, span)
  const time = timeOf(source, sentence)
  const isPast = time && at.getTime() - time.at.getTime() >= DAY_MS
  return isPast ? sayAgo(said, formatAge(time.middle, at)) : said
}

// "Saga, who is 12": so old she was when that was noted, and half a year later may be no more.
const isAgeOfThen = ({ source }: Quote, sentence: string, at: Date): boolean =>
  isDated(source) &&
  at.getTime() - source.memory.time.getTime() > 183 * DAY_MS &&
  holdsNumber(sentence) &&
  !resolveTime(sentence, source.memory.time)

// An age, by the birth.
function sayAged({ year }: AskedAge, quote: Quote, persona: Persona, at: Date): string {
  const birth = birthIn(quote)
  const age = birth && ageAt(birth, at, year)
  return age ? sayAge(say(quote, persona), age) : say(quote, persona)
}

function sayTime(quote: Quote, persona: Persona): string {
  const { source } = quote
  if (!isDated(source)) return say(quote, persona)
  const { speaker, text } = spokenWords(quote)
  // The sentence of the answer names its time more surely than those beside it; "this year" says less than the day
  // of the note.
  const said = source.memory.time
  const own = textAt(quote.passage, sentenceAround(quote.passage.text, quote.answer))
  const time = resolveRelativeTime(own, said) ?? resolveRelativeTime(text, said)
  if (time?.isDay) return sayWhen(time.words, say(quote, persona))
  const before = timeBefore(quote)
  if (before) return sayWhen(before.words, say({ ...quote, sentence: before.sentences }, persona))
  // Where nobody names a time, the memory's own is the best there is, and is given as that.
  return speaker === null && (time || !namesDate(own))
    ? sayWhen(formatDay(said), endSentence(text))
    : say(quote, persona)
}

// "Last night was great! We went to a concert.": the time stands in the sentence before.
function timeBefore({ passage, sentence, source }: Quote) {
  const before = sentenceRanges(passage.text).findLast(
    ({ start, end }) => start >= passage.own.start && end <= sentence.start,
  )
  const time = before && resolveRelativeTime(textAt(passage, before), source.memory.time)
  return time && { words: time.words, sentences: { start: before.start, end: sentence.end } }
}

// Where memory says both, so does the reply: which one holds, only its owner knows.
function answerYesOrNo(question: string, evidence: Evidence[], persona: Persona): Answer {
  const both = bothSides(question, evidence)
  if (both) return { text: sayBothSides(say(both[0], persona), say(both[1], persona)), used: both }
  const best = evidence[0]!
  const whole = quoteAnswer(best)
  const others = !whole && asksForMany(question) ? othersToo(best, evidence) : []
  if (others.length > 0) {
    const words = [best, ...others].map((one) => say(one, persona, limits.listFirstWords))
    return { text: sayItems(words), used: [best, ...others] }
  }
  const text = whole
    ? say(whole, persona, limits.faqWords)
    : asksWhenToo(question)
      ? sayTime(best, persona)
      : say(best, persona)
  return { text: sayYesOrNo(isYes(question, best), text), used: [whole ?? best] }
}

// What is told in one breath: in a document, a sentence with those that go on about the same thing, up to so many
// words; in a list, with whatever follows it in its paragraph.
function withFollowing({ passage, sentence, source }: Quote, words: number, follows = leansBack): Range {
  if (isDated(source)) return sentence
  const { text } = passage
  let { end } = sentence
  for (const next of sentenceRanges(text)) {
    if (next.start < end) continue
    const isBeside = !text.slice(end, next.start).includes('\n') && follows(textAt(passage, next))
    if (!isBeside || text.slice(sentence.start, next.end).split(/\s+/).length > words) break
    end = next.end
  }
  return { start: sentence.start, end }
}

const sayOther = (quote: Quote): string => sayAlso(quote.source.memory.time, shortenQuote(quote, limits.replyWords / 2))

function sayItem(quote: Quote): string {
  const { source } = quote
  return sayWithOrigin(answerOf(quote), isDated(source) ? formatDay(source.memory.time) : source.title)
}
