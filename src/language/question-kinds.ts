// What kind of answer a message waits for.
import { limits } from '../domain/limits.ts'

export type Kind = 'when' | 'who' | 'where' | 'count' | 'amount' | 'why' | 'yes-no' | 'list' | 'other'

const LEAD =
  /^(?:(?:and|but|so|ok|okay|well|hey|hi|please|um|uh)[\s,]+|(?:can|could|would) you (?:please )?(?:tell me|say)\s+|(?:do you know|tell me|i want to know|i wonder)\s+)+/i

const KINDS: [Kind, RegExp][] = [
  [
    'when',
    /^(?:when\b|(?:on|in|since|until|by|at) (?:what|which) (?:day|date|month|year|century|decade|time)\b|(?:what|which) (?:day|date|month|year|century|decade|time)\b)/,
  ],
  ['count', /^(?:how many\b|what (?:is|was) the number of\b)/],
  ['amount', /^how (?:much|long|old|far|tall|big|large|high|often|fast|deep|wide|heavy)\b/],
  ['who', /^(?:who|whom|whose)\b/],
  ['why', /^(?:why|how come|what (?:is|was) the reason)\b/],
  [
    'list',
    // "What has she painted?" asks for all of it so far.
    /^(?:what|where|which(?: \w+){1,2}|what (?:kinds?|types?|sorts?) of(?: \w+){1,2}) (?:has|have) (?!been\b)|^in what ways\b|^(?:list|name|enumerate)\b|^(?:what|which)(?: (?:are|were)\b| (?:\w+ ){0,2}?(?!(?:was|is|does|has|bus|class|business|process|s)\b)\w{2,}s (?:are|were|has|have|had|did|do|does|can|could|will)\b)|^what all\b|^what else\b/,
  ],
  [
    'where',
    /^(?:where|(?:in|at|from|to) (?:what|which) (?:city|country|place|town|state|street)|(?:what|which) (?:city|country|place|town|state))\b/,
  ],
  [
    'yes-no',
    /^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|can't|won't)\b/,
  ],
]

export function kindOf(message: string): Kind {
  const question = message.trim().toLowerCase().replace(LEAD, '')
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other'
}

const REQUEST =
  /\b(?:help|show|walk|teach|guide) me\b|^(?:can|could|would|will) you (?:please )?(?:help|explain|write|create|design|suggest|recommend|draft|plan|make)\b|\bhow (?:should|can|could|would|do) (?:i|we|you)\b|\bwhat (?:should|would|can|could) (?:i|we|you)\b|\b(?:would|do|can|could) you (?:suggest|recommend)\b|\bstep[- ]by[- ]step\b|\b(?:any|some) (?:tips|advice|ideas|suggestions)\b/i
const SUM =
  /^how (?:many|much|long)\b.*\b(?:in total|total|altogether|in all|overall|combined|across|between|different)\b/i

// What one memory hardly tells: advice and help, or a sum over many.
export function asksBeyond(message: string): boolean {
  const asked = message.trim().slice(0, limits.patternCharacters)
  return REQUEST.test(asked) || SUM.test(asked)
}

const ASKS = /\?\s*$|^(?:what|when|where|who|whom|whose|which|why|how)\b/i

const SEARCHED_WORDS = 4

// A few words, as one types them into a search box, ask nothing but what is said about them.
export const isQuestion = (message: string): boolean =>
  ASKS.test(message.trim()) || kindOf(message) !== 'other' || message.trim().split(/\s+/).length > SEARCHED_WORDS

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|once|twice|single|half|several|both|no|none)\b/i
const TIME =
  /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|yesterday|tomorrow|tonight|ago|last|next|century|morning|evening|afternoon|night|noon|midnight|spring|summer|autumn|fall|winter|weekend|week|month|year|day|after|before|during|when|while|since|until)\b/i

// Whether an answer is of the kind that was asked for; null where any would be.
export function fits(kind: Kind, answer: string): boolean | null {
  if (kind === 'when') return TIME.test(answer)
  if (kind === 'count' || kind === 'amount') return NUMBER.test(answer)
  if (kind === 'who') return /\p{Lu}/u.test(answer)
  return null
}
