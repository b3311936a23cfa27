// The answer in words, without a chat model: read out of memory, told as what was asked for, never more than memory says.
import { limits } from '../../domain/limits.ts'
import type { Persona } from '../../domain/persona.ts'
import { fits, type Kind } from '../../language/question-kinds.ts'
import { sentenceRanges, shortened } from '../../language/sentences.ts'
import { leadingName } from '../../recall/index/trace.ts'
import { day, isDated, timeTold } from '../evidence/dated.ts'
import { ANSWERS, type Evidence } from '../evidence/evidence.ts'
import { readable } from '../evidence/readable.ts'
import { bothSides, yesOrNo } from '../evidence/sides.ts'

export type Answer = { text: string; used: Evidence[] }

const IS_NEAR = 0.15 // relevance from which a memory is worth naming as the nearest
const SHARES_WORDS = 0.5 // and the same where nothing was read

export function answerFrom(question: string, kind: Kind, evidence: Evidence[], persona: Persona): Answer | undefined {
  const [best] = evidence
  if (!best) return undefined
  if (kind === 'yes-no') return yesNoTold(question, evidence, persona)
  const further = kind === 'list' || kind === 'count' ? furtherAnswers(best, evidence) : []
  const items = [best, ...further]
  if (kind === 'count' && further.length > 0 && !items.some((one) => fits(kind, said(one)))) return counted(items)
  if (kind === 'list' && further.length > 0)
    return { text: `${told(best, persona)} Also: ${further.map(spanTold).join('; ')}.`, used: [best, ...further] }
  const text = answerTold(kind, best, persona)
  const other = otherNumber(best, evidence)
  return other ? { text: `${text} ${alsoTold(other)}`, used: [best, other] } : { text, used: [best] }
}

// What is said when memory has no answer: so much, and the nearest thing it does have.
export function unknown(kind: Kind, evidence: Evidence[], persona: Persona): Answer {
  const text = "I don't have that in my memory."
  const [best] = evidence
  const nearest = best && isNear(best) ? readable(best) : undefined
  if (!nearest) return { text, used: [] }
  return {
    text: `${text} The nearest I know: ${answerTold(kind, nearest.evidence, persona)}`,
    used: [nearest.evidence],
  }
}

const isNear = ({ recollection: { reading }, strength }: Evidence): boolean =>
  reading ? reading.relevant >= IS_NEAR : strength >= SHARES_WORDS

const said = ({ passage, answer }: Evidence): string => passage.slice(answer.start, answer.end).trim()

// Words that stand before a colon and speak of nobody.
const LABEL =
  /^(?:note|reminder|todo|update|question|answer|summary|idea|fact|warning|title|subject|date|place|address)s?$/i

// Who says a sentence: a turn begins with its speaker's name, and a passage may hold several turns.
function speakerOf({ passage, sentence, recollection }: Evidence): string | null {
  if (!isDated(recollection)) return null
  const names = passage.slice(0, sentence.end).split('\n').map(leadingName)
  const name = names.findLast((one) => one !== null) ?? recollection.memory.place.speaker
  return name && !LABEL.test(name) ? name : null
}

// Without the marks of a list, a heading or a sentence before, and without the line breaks of a narrow page.
const plainly = (text: string): string =>
  text.replace(/^(?:#{1,6}|[-*•:;,]|\d+[.)])\s+/, '').replaceAll(/\s*\n\s*/g, ' ')

function spoken(evidence: Evidence): { speaker: string | null; text: string } {
  const { passage, sentence, answer } = evidence
  const text = plainly(shortened(passage, sentence, answer, limits.replyWords))
  const speaker = speakerOf(evidence)
  return { speaker, text: speaker && text.startsWith(`${speaker}:`) ? text.slice(speaker.length + 1).trim() : text }
}

// As the persona tells it: its own words as they are, another one's as theirs; of a table the whole row.
export function told(evidence: Evidence, persona: Persona): string {
  const row = readable(evidence)?.row
  if (row !== undefined) return ended(row)
  const { speaker, text } = spoken(evidence)
  if (speaker === null || speaker.toLowerCase() === persona.name.toLowerCase()) return ended(text)
  return `${speaker} said on ${day(evidence.recollection.memory.time)}: “${text}”`
}

const answerTold = (kind: Kind, evidence: Evidence, persona: Persona): string =>
  kind === 'when' ? whenTold(evidence, persona) : told(evidence, persona)

function whenTold(evidence: Evidence, persona: Persona): string {
  const { recollection } = evidence
  if (!isDated(recollection)) return told(evidence, persona)
  const { speaker, text } = spoken(evidence)
  const date = timeTold(text, recollection.memory.time)
  if (date) return `${capital(date.words)}: ${told(evidence, persona)}`
  const before = timeBefore(evidence)
  if (before) return `${capital(before.words)}: ${told({ ...evidence, sentence: before.sentences }, persona)}`
  // Where nobody names a time, the memory's own is the best there is, and is told as that.
  return speaker === null && !fits('when', text)
    ? `${day(recollection.memory.time)}: ${ended(text)}`
    : told(evidence, persona)
}

// "Last night was great! We went to a concert.": the time stands in the sentence before.
function timeBefore({ passage, sentence, recollection: { memory } }: Evidence) {
  const own = Math.max(0, passage.lastIndexOf(memory.text))
  const before = sentenceRanges(passage).findLast(({ start, end }) => start >= own && end <= sentence.start)
  const date = before && timeTold(passage.slice(before.start, before.end), memory.time)
  return date && { words: date.words, sentences: { start: before.start, end: sentence.end } }
}

// Where memory says both, so does the reply: which one holds, only its owner knows.
function yesNoTold(question: string, evidence: Evidence[], persona: Persona): Answer {
  const both = bothSides(question, evidence)
  if (both) {
    const [earlier, later] = both.map((one) => told(one, persona))
    return { text: `My memory says both. ${earlier} But also: ${later}`, used: both }
  }
  const best = evidence[0]!
  return { text: `${yesOrNo(question, best)}${told(best, persona)}`, used: [best] }
}

// Other memories that answer with something else.
function furtherAnswers(best: Evidence, evidence: Evidence[]): Evidence[] {
  const heard = [said(best).toLowerCase()]
  const further: Evidence[] = []
  for (const one of evidence.slice(1)) {
    const answer = said(one).toLowerCase()
    const isNew = answer !== '' && !heard.some((other) => other.includes(answer) || answer.includes(other))
    if ((one.recollection.reading?.answerable ?? 0) < ANSWERS || !isNew) continue
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
  const [numbers, around] = [numbersIn(said(best)), numbersIn(best.passage)]
  if (numbers.length === 0 || !isDated(best.recollection)) return undefined
  return evidence
    .slice(1)
    .filter(({ recollection }) => isDated(recollection) && (recollection.reading?.answerable ?? 0) >= ANSWERS)
    .find((one) => {
      const others = numbersIn(said(one))
      return (
        others.length > 0 &&
        !others.some((number) => around.includes(number)) &&
        !numbers.some((number) => numbersIn(one.passage).includes(number))
      )
    })
}

function alsoTold(evidence: Evidence): string {
  const { passage, sentence, answer, recollection } = evidence
  const text = plainly(shortened(passage, sentence, answer, limits.replyWords / 2))
  return `My memory also says, on ${day(recollection.memory.time)}: “${text}”`
}

const counted = (items: Evidence[]): Answer => ({
  text: `I count ${items.length}: ${items.map(spanTold).join('; ')}.`,
  used: items,
})

function spanTold(evidence: Evidence): string {
  const { memory, title } = evidence.recollection
  const from = isDated(evidence.recollection) ? day(memory.time) : title
  return from ? `${said(evidence)} (${from})` : said(evidence)
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const ended = (text: string): string => (/[.!?…:;”"')\]]$/.test(text) ? text : `${text}.`)
