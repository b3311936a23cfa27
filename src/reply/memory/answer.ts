// The answer in words, without a chat model: quoted from memory in the form that was asked for, never more than memory
// says.
import type { Persona } from '../../domain/persona.ts'
import {
  endSentence,
  fits,
  formatDay,
  isLabel,
  leadingName,
  type QuestionKind,
  quoteSpeaker,
  resolveRelativeTime,
  sayAlso,
  sayBothSides,
  sayCount,
  sayFurther,
  sayUnknown,
  sayWhen,
  sayWithOrigin,
  sayYesOrNo,
  sentenceRanges,
  shorten,
} from '../../language/language.ts'
import type { Answer } from '../compose.ts'
import { isDated } from '../evidence/dated.ts'
import { answerOf, answers, type Evidence, type Quote, textAt } from '../evidence/evidence.ts'
import { readable } from '../evidence/readable.ts'
import { bothSides, isYes } from '../evidence/sides.ts'
import { limits } from '../limits.ts'

const IS_NEAR = 0.15 // relevance from which a memory is worth naming as the nearest
const SHARES_WORDS = 0.5 // and the same where nothing was read

export function answerFrom(
  question: string,
  kind: QuestionKind,
  evidence: Evidence[],
  persona: Persona,
): Answer | undefined {
  const [best] = evidence
  if (!best) return undefined
  if (kind === 'yes-no') return answerYesOrNo(question, evidence, persona)
  const further = kind === 'list' || kind === 'count' ? furtherAnswers(best, evidence) : []
  const items = [best, ...further]
  if (kind === 'count' && further.length > 0 && !items.some((one) => fits(kind, answerOf(one))))
    return { text: sayCount(items.map(sayItem)), used: items }
  if (kind === 'list' && further.length > 0)
    return { text: sayFurther(say(best, persona), further.map(sayItem)), used: items }
  const text = sayAs(kind, best, persona)
  const other = otherNumber(best, evidence)
  return other ? { text: `${text} ${sayOther(other)}`, used: [best, other] } : { text, used: [best] }
}

// What is said when memory has no answer: so much, and the nearest thing it does have.
export function sayNearest(kind: QuestionKind, evidence: Evidence[], persona: Persona): Answer {
  const [best] = evidence
  const nearest = best && isNear(best) ? readable(best)?.quote : undefined
  if (!nearest) return { text: sayUnknown(), used: [] }
  return { text: sayUnknown(sayAs(kind, nearest, persona)), used: [nearest] }
}

const isNear = ({ source: { reading }, strength }: Evidence): boolean =>
  reading ? reading.relevant >= IS_NEAR : strength >= SHARES_WORDS

// Who says a sentence: a turn begins with its speaker's name, and a passage may hold several turns.
function speakerOf({ passage, sentence, source }: Quote): string | null {
  if (!isDated(source)) return null
  const names = passage.text.slice(0, sentence.end).split('\n').map(leadingName)
  const name = names.findLast((one) => one !== null) ?? source.memory.place.speaker
  return name && !isLabel(name) ? name : null
}

// Without the marks of a list, a heading or a sentence before, and without the line breaks of a narrow page.
const withoutMarks = (text: string): string =>
  text.replace(/^(?:#{1,6}|[-*•:;,]|\d+[.)])\s+/, '').replaceAll(/\s*\n\s*/g, ' ')

const shortenQuote = ({ passage, sentence, answer }: Quote, words: number): string =>
  withoutMarks(shorten(passage.text, sentence, answer, words))

function spokenWords(quote: Quote): { speaker: string | null; text: string } {
  const text = shortenQuote(quote, limits.replyWords)
  const speaker = speakerOf(quote)
  return { speaker, text: speaker && text.startsWith(`${speaker}:`) ? text.slice(speaker.length + 1).trim() : text }
}

// As the persona says it: its own words as they are, another one's as theirs; of a table the whole row.
export function say(quote: Quote, persona: Persona): string {
  const row = readable(quote)?.row
  if (row !== undefined) return endSentence(row)
  const { speaker, text } = spokenWords(quote)
  if (speaker === null || speaker.toLowerCase() === persona.name.toLowerCase()) return endSentence(text)
  return quoteSpeaker(speaker, quote.source.memory.time, text)
}

const sayAs = (kind: QuestionKind, quote: Quote, persona: Persona): string =>
  kind === 'when' ? sayTime(quote, persona) : say(quote, persona)

function sayTime(quote: Quote, persona: Persona): string {
  const { source } = quote
  if (!isDated(source)) return say(quote, persona)
  const { speaker, text } = spokenWords(quote)
  const time = resolveRelativeTime(text, source.memory.time)
  if (time) return sayWhen(time.words, say(quote, persona))
  const before = timeBefore(quote)
  if (before) return sayWhen(before.words, say({ ...quote, sentence: before.sentences }, persona))
  // Where nobody names a time, the memory's own is the best there is, and is given as that.
  return speaker === null && !fits('when', text)
    ? sayWhen(formatDay(source.memory.time), endSentence(text))
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
  return { text: sayYesOrNo(isYes(question, best), say(best, persona)), used: [best] }
}

// Other memories that answer with something else.
function furtherAnswers(best: Evidence, evidence: Evidence[]): Evidence[] {
  const heard = [answerOf(best).toLowerCase()]
  const further: Evidence[] = []
  for (const one of evidence.slice(1)) {
    const answer = answerOf(one).toLowerCase()
    const isNew = answer !== '' && !heard.some((other) => other.includes(answer) || answer.includes(other))
    if (!answers(one) || !isNew) continue
    heard.push(answer)
    further.push(one)
    if (further.length === limits.replyFurther) break
  }
  return further
}

const NUMBER = /\d+(?:[.,:]\d+)*/g
const numbersIn = (text: string): string[] => text.match(NUMBER) ?? []

// What one wrote down more than once may have changed in between: another memory that answers with another number.
function otherNumber(best: Evidence, evidence: Evidence[]): Evidence | undefined {
  const [numbers, around] = [numbersIn(answerOf(best)), numbersIn(best.passage.text)]
  if (numbers.length === 0 || !isDated(best.source)) return undefined
  return evidence
    .slice(1)
    .filter((one) => isDated(one.source) && answers(one))
    .find((one) => {
      const others = numbersIn(answerOf(one))
      return (
        others.length > 0 &&
        !others.some((number) => around.includes(number)) &&
        !numbers.some((number) => numbersIn(one.passage.text).includes(number))
      )
    })
}

const sayOther = (quote: Quote): string => sayAlso(quote.source.memory.time, shortenQuote(quote, limits.replyWords / 2))

function sayItem(quote: Quote): string {
  const { source } = quote
  return sayWithOrigin(answerOf(quote), isDated(source) ? formatDay(source.memory.time) : source.title)
}
