// What kind of answer a message waits for.
import { limits } from './limits.ts'
import { holdsNumber } from './numbers.ts'
import { holdsTime } from './times.ts'

export type QuestionKind = 'when' | 'who' | 'where' | 'count' | 'amount' | 'why' | 'yes-no' | 'list' | 'other'

const LEAD = new RegExp(
  '^(?:(?:and|but|so|ok|okay|well|hey|hi|please|um|uh)[\\s,]+|' +
    '(?:can|could|would) you (?:please )?(?:tell me|say)\\s+|(?:do you know|tell me|i want to know|i wonder)\\s+)+',
  'i',
)

const TIMES = '(?:what|which) (?:day|date|month|year|century|decade|time)\\b'
const PLACES = '(?:city|country|place|town|state)'

const KINDS: [QuestionKind, RegExp][] = [
  ['when', new RegExp(`^(?:when\\b|(?:on|in|since|until|by|at) ${TIMES}|${TIMES})`)],
  ['count', /^(?:how many\b|what (?:is|was) the number of\b)/],
  ['amount', /^how (?:much|long|old|far|tall|big|large|high|often|fast|deep|wide|heavy)\b/],
  ['who', /^(?:who|whom|whose)\b/],
  ['why', /^(?:why|how come|what (?:is|was) the reason)\b/],
  [
    'list',
    // "What has she painted?" asks for all of it so far.
    new RegExp(
      '^(?:what|where|which(?: \\w+){1,2}|what (?:kinds?|types?|sorts?) of(?: \\w+){1,2}) (?:has|have) (?!been\\b)|' +
        '^in what ways\\b|^(?:list|name|enumerate)\\b|' +
        '^(?:what|which)(?: (?:are|were)\\b| (?:\\w+ ){0,2}?' +
        '(?!(?:was|is|does|has|bus|class|business|process|s)\\b)\\w{2,}s ' +
        '(?:are|were|has|have|had|did|do|does|can|could|will)\\b)|^what all\\b|^what else\\b',
    ),
  ],
  ['where', new RegExp(`^(?:where|(?:in|at|from|to) (?:what|which) (?:${PLACES}|street)|(?:what|which) ${PLACES})\\b`)],
  [
    'yes-no',
    new RegExp(
      '^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|' +
        "isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|can't|won't)\\b",
    ),
  ],
]

export function kindOf(message: string): QuestionKind {
  const question = message.trim().toLowerCase().replace(LEAD, '')
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other'
}

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

const ASKS = /\?\s*$|^(?:what|when|where|who|whom|whose|which|why|how)\b/i

const SEARCHED_WORDS = 4

// A few words, as one types them into a search box, ask nothing but what is said about them.
export const isQuestion = (message: string): boolean =>
  ASKS.test(message.trim()) || kindOf(message) !== 'other' || message.trim().split(/\s+/).length > SEARCHED_WORDS

// Whether an answer is of the kind that was asked for; null where any would be.
export function fits(kind: QuestionKind, answer: string): boolean | null {
  if (kind === 'when') return holdsTime(answer)
  if (kind === 'count' || kind === 'amount') return holdsNumber(answer)
  if (kind === 'who') return /\p{Lu}/u.test(answer)
  return null
}
