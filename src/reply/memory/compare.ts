// Two dated facts compared: which came first, whether one was before the other, how long lay between them.
import { limits } from '../../domain/limits.ts'
import type { Reading, Recollection } from '../../domain/memory.ts'
import { apart, isDated, type Told, timeOf } from '../evidence/dated.ts'
import { covered, type Evidence, evidenceIn, stems } from '../evidence/evidence.ts'

type Unit = 'day' | 'week' | 'month' | 'year'
export type Comparison = { first: string; second: string; asks: 'order' | 'before' | 'after' | 'between'; unit?: Unit }

const BETWEEN =
  /^how (?:many (day|week|month|year)s?|long|much time)\b.*?\bbetween (?:the (?:time|day)s? )?(.+?) and (?:the (?:time|day) )?(.+?)[\s?.]*$/i
const ORDER =
  /^(?:which|what|who)\b.*?\b(?:first|earlier|came first|happened first)\b[\s,:–-]*(?:was it )?(.+?),? or (.+?)[\s?.]*$/i
const YES_NO = /^(?:did|was|were|had|has|have|is) (.+?) (before|after) (.+?)[\s?.]*$/i

// "between when I moved and when I married": either may hold an "and" of its own.
const BETWEEN_WHEN =
  /^how (?:many (day|week|month|year)s?|long|much time)\b.*?\bbetween when (.+?),? and when (.+?)[\s?.]*$/i

export function comparisonIn(question: string): Comparison | null {
  const text = question.trim()
  if (text.length > limits.patternCharacters) return null
  const between = BETWEEN_WHEN.exec(text) ?? BETWEEN.exec(text)
  if (between) {
    const unit = between[1]?.toLowerCase() as Unit | undefined
    return { first: between[2]!, second: between[3]!, asks: 'between', ...(unit && { unit }) }
  }
  const order = ORDER.exec(text)
  if (order) return { first: order[1]!, second: order[2]!, asks: 'order' }
  const yesNo = YES_NO.exec(text)
  // "before May 2023" names a time, and recall knows what to do with it.
  if (!yesNo || /^(?:the |in )?\d|\b\d{4}$/.test(yesNo[3]!)) return null
  return { first: yesNo[1]!, second: yesNo[3]!, asks: yesNo[2]!.toLowerCase() as 'before' | 'after' }
}

const THING = /^(?:the|a|an|my|our|your|his|her|their|its|this|that)\b|['’]s\b/i
export const whenAsked = (fact: string): string => `When ${THING.test(fact) ? 'was' : 'did'} ${fact}?`

export type Half = { fact: string; evidence: Evidence; recollections: Recollection[]; told: Told }

const IS_ABOUT = 0.5

// The memory that speaks of the fact, and the time it gives for it. The time of a note is its own,
// so what counts is whether the note is about the fact, not whether it says when.
export function halfOf(fact: string, recollections: Recollection[]): Half | null {
  const about = recollections.map((one) => {
    const { reading } = one
    return reading && isDated(one)
      ? { ...one, reading: { ...reading, answerable: aboutness(fact, one, reading) } }
      : one
  })
  const [evidence] = evidenceIn(whenAsked(fact), about)
  if (!evidence || (evidence.recollection.reading?.answerable ?? 0) < IS_ABOUT) return null
  const { passage, sentence, recollection } = evidence
  const told = timeOf(recollection, passage.slice(sentence.start, sentence.end))
  return told && { fact, evidence, recollections, told }
}

function aboutness(fact: string, { memory }: Recollection, { relevant, answerable }: Reading): number {
  const words = covered(new Map(stems(fact).map((word) => [word, 1])), memory.text)
  return Math.max(answerable, (relevant + words) / 2)
}

export function compared({ asks, unit }: Comparison, first: Half, second: Half): string {
  const dates = `${capital(first.fact)}: ${first.told.words}; ${second.fact}: ${second.told.words}.`
  const [one, two] = [first.told.at.getTime(), second.told.at.getTime()]
  if (asks === 'between') return `${capital(apart(first.told.at, second.told.at, unit))}. ${dates}`
  if (one === two) return `At the same time, as far as I know. ${dates}`
  if (asks === 'order') return `${capital((one < two ? first : second).fact)} came first. ${dates}`
  return `${one < two === (asks === 'before') ? 'Yes' : 'No'}. ${dates}`
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
