// What answers to a kind of question hold, and what one memory can hardly answer.
import { limits } from './limits.ts'
import type { MessageKind } from './message-kinds.ts'
import { holdsNumber } from './numbers.ts'
import { holdsTime } from './times.ts'

const REQUEST = new RegExp(
  '\\b(?:help|show|walk|teach|guide) me\\b|' +
    '^(?:can|could|would|will) you (?:please )?' +
    '(?:help|explain|write|create|design|suggest|recommend|draft|plan|make)\\b|' +
    '\\bhow (?:should|can|could|would|do) (?:i|we|you)\\b|\\bwhat (?:should|would|can|could) (?:i|we|you)\\b|' +
    '\\b(?:would|do|can|could) you (?:suggest|recommend)\\b|\\bstep[- ]by[- ]step\\b|' +
    '\\b(?:any|some) (?:tips|advice|ideas|suggestions)\\b',
  'i',
)
const SUM =
  /^how (?:many|much|long)\b.*\b(?:in total|total|altogether|in all|overall|combined|across|between|different)\b/i

// What one memory hardly answers: advice and help, or a sum over many.
export function asksBeyond(message: string): boolean {
  const asked = message.trim().slice(0, limits.patternCharacters)
  return REQUEST.test(asked) || SUM.test(asked)
}

// "Did I sell the boat, and when?"
export const asksWhenToo = (question: string): boolean => /\b(?:and|or|,) (?:since )?when\b/i.test(question)

// Whether an answer is of the kind that was asked for; null where any would be.
export function fits(kind: MessageKind, answer: string): boolean | null {
  if (kind === 'when') return holdsTime(answer)
  if (kind === 'count' || kind === 'amount' || kind === 'duration') return holdsNumber(answer)
  return null
}

const MANY = new RegExp(
  "^(?:so |and |hey,? |hi,? )?(?:(?:do|does|did|have|has) [\\p{L}'’-]{1,30} (?:\\p{L}{2,12} ){0,2}|got )(?:any )?" +
    '(?:\\p{L}{3,30}s|children|people|(?:brothers|sisters) (?:and|or) (?:brothers|sisters))\\W{0,3}$',
  'iu',
)

// "Do you have kids?" wants to hear of all of them.
export const asksForMany = (question: string): boolean => MANY.test(question.slice(0, limits.patternCharacters).trim())

const MOST =
  /\b(?:most|highest|biggest|largest|longest|oldest|tallest|heaviest|deepest|fastest|latest|strongest|dearest)\b/i
const LEAST =
  /\b(?:least|fewest|lowest|smallest|shortest|youngest|cheapest|lightest|shallowest|slowest|earliest|weakest)\b/i

// What is measured, as tables name it.
const MEASURES: [asked: RegExp, names: string][] = [
  [
    /\b(?:cheap(?:er|est)|dearest|(?:most|less|least|more|how) expensive|how much (?:is|are|for)|costs?)\b/i,
    'price cost fee fare rate',
  ],
  [/\b(?:how heavy|heaviest|weighs?|lightest)\b/i, 'weight mass'],
  [/\b(?:how long|longest|shortest)\b/i, 'length duration'],
  [/\b(?:how wide|widest|narrowest)\b/i, 'width breadth'],
  [/\b(?:how (?:tall|high)|tallest|highest)\b/i, 'height altitude'],
  [/\b(?:how deep|deepest|shallowest)\b/i, 'depth'],
  [/\b(?:how fast|fastest|slowest)\b/i, 'speed'],
  [/\b(?:how old|oldest|youngest)\b/i, 'age born'],
  [/\b(?:how hot|hottest|coldest)\b/i, 'temperature'],
  [/\b(?:how far|farthest|furthest)\b/i, 'distance'],
  [/\b(?:how powerful|strongest)\b/i, 'power'],
  [/\b(?:how (?:big|large)|biggest|largest|smallest)\b/i, 'size area'],
]

// The names that a column of a table may have which holds what is asked for: of "how heavy", weight.
export const measuresIn = (question: string): string =>
  MEASURES.flatMap(([asked, names]) => (asked.test(question) ? names : [])).join(' ')

// Which end of a row of figures is asked for, if any: "the most", "the cheapest".
export function extremeIn(question: string): 'most' | 'least' | null {
  if (LEAST.test(question)) return 'least'
  return MOST.test(question) ? 'most' : null
}
