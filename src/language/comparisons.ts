// Messages that compare two facts by their times: which came first, whether one was before the other, how long between.
import type { TimeUnit } from './dates.ts'
import { limits } from './limits.ts'

export type Comparison = {
  first: string
  second: string
  asks: 'order' | 'before' | 'after' | 'between'
  unit?: TimeUnit
}

const HOW_LONG = 'how (?:many (day|week|month|year)s?|long|much time)\\b.*?\\bbetween'
const BETWEEN = new RegExp(`^${HOW_LONG} (?:the (?:time|day)s? )?(.+?) and (?:the (?:time|day) )?(.+?)[\\s?.]*$`, 'i')
// "between when I moved and when I married": either may hold an "and" of its own.
const BETWEEN_WHEN = new RegExp(`^${HOW_LONG} when (.+?),? and when (.+?)[\\s?.]*$`, 'i')
const ORDER = new RegExp(
  '^(?:which|what|who)\\b.*?\\b(?:first|earlier|came first|happened first)\\b' +
    '[\\s,:–-]*(?:was it )?(.+?),? or (.+?)[\\s?.]*$',
  'i',
)
const YES_NO = /^(?:did|was|were|had|has|have|is) (.+?) (before|after) (.+?)[\s?.]*$/i
// "Was she named after someone?", "Did you look after her?": no time is meant.
const NO_TIME = /\b(?:named|called|look(?:ed|ing)?|take|took|taken|takes|after)$/i

export function comparisonIn(question: string): Comparison | null {
  const text = question.trim()
  if (text.length > limits.patternCharacters) return null
  const between = BETWEEN_WHEN.exec(text) ?? BETWEEN.exec(text)
  if (between) {
    const unit = between[1]?.toLowerCase() as TimeUnit | undefined
    return { first: between[2]!, second: between[3]!, asks: 'between', ...(unit && { unit }) }
  }
  const order = ORDER.exec(text)
  if (order) return { first: order[1]!, second: order[2]!, asks: 'order' }
  const yesNo = YES_NO.exec(text)
  // "before May 2023" names a time, and recall knows what to do with it.
  if (!yesNo || NO_TIME.test(yesNo[1]!) || /^(?:the |in )?\d|\b\d{4}$/.test(yesNo[3]!)) return null
  return { first: yesNo[1]!, second: yesNo[3]!, asks: yesNo[2]!.toLowerCase() as 'before' | 'after' }
}

const THING = /^(?:the|a|an|my|our|your|his|her|their|its|this|that)\b|['’]s\b/i

// The question for the time of one of the facts.
export const whenQuestion = (fact: string): string => `When ${THING.test(fact) ? 'was' : 'did'} ${fact}?`
