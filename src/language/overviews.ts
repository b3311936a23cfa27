// Messages that ask for a summary of a subject, or in what order things came.
import { limits } from './limits.ts'
import type { Classified } from './message-kinds.ts'
import { numberFromWord, numberWords } from './numbers.ts'
import { isOwn } from './persons.ts'
import { contentWords } from './words.ts'

export type Overview = {
  subject: string
  count: number | null // how many things are asked for
  isOwn: boolean // about whoever asks
}

// Asked for, not asked about: "the Order of Malta" and "what does the summary say" are neither.
const SUMMARY = new RegExp(
  '\\b(?:summari[sz]e|sum up|recap)\\b|' +
    '\\b(?:give|provide|write|make|show|tell|get|have|need|want)\\b.*\\b(?:summary|overview|recap|timeline)\\b|' +
    '^(?:an? )?(?:\\w+ )?(?:summary|overview|recap|timeline) of\\b',
  'i',
)
const ORDER = new RegExp(
  '\\bin (?:what|which) order\\b|\\bthe order in which\\b|' +
    '\\b(?:list|give|tell|name|show)\\b.*\\b(?:in (?:chronological )?order|the order of|chronologically)\\b',
  'i',
)
// What such messages are made of, besides their subject.
const AROUND = new RegExp(
  '\\b(?:can|could|would|will|you|please|give|provide|write|make|show|tell|list|walk|me|us|i|we|a|an|the|short|brief|' +
    'clear|comprehensive|detailed|full|complete|quick|summar(?:y|ies|i[sz]e)|sum up|overview|recap|timeline|' +
    'chronological(?:ly)?|order|sequence|in which|in order|brought up|mention(?:ed)?|only|items?|of|how|what|which|' +
    'different|various|aspects?|throughout|across|our|conversations?|so far|over time|including|everything|all|key)\\b',
  'gi',
)
const COUNTED = new RegExp(
  `\\b(\\d{1,2}|${numberWords(1, 12)}) (?:items?|points?|things|sentences?|steps|events)\\b`,
  'i',
)

export const asksForOverview = (message: string): boolean =>
  message.length <= limits.patternCharacters && (SUMMARY.test(message) || ORDER.test(message))

const IS_ORDER = 0.5 // probability from which a message that says nothing of an order asks for one

// Null where the message asks for something else, or names no subject.
export function overviewIn(message: string, { kind, probability }: Classified): Overview | null {
  const asksForOrder = kind === 'order' && probability >= IS_ORDER
  if (!asksForOrder && !asksForOverview(message)) return null
  const subject = message.replaceAll(AROUND, ' ').replaceAll(/\s+/g, ' ').trim()
  if (contentWords(subject).length === 0) return null
  return { subject, count: countIn(message), isOwn: isOwn(message) }
}

function countIn(message: string): number | null {
  const found = COUNTED.exec(message)?.[1]
  return found === undefined ? null : Number(found) || numberFromWord(found)!
}
