// Greetings, thanks and questions about the persona itself: what needs no memory.
import { limits } from './limits.ts'

export type SmallTalk = 'greeting' | 'how are you' | 'thanks' | 'goodbye' | 'assent' | 'who are you'

const NAME = `(?:[,\\s]+[\\p{L}-]{1,20})?`
const alone = (pattern: string) => new RegExp(`^(?:${pattern})${NAME}[\\s!.,?…)🙂😊👋❤️]*$`, 'iu')

const KINDS: [SmallTalk, RegExp][] = [
  [
    'greeting',
    alone(
      'hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|howdy|hi there|hello there|hey there|yo|moin',
    ),
  ],
  [
    'how are you',
    new RegExp(
      "^(?:hi|hello|hey)?[\\s,!.]*(?:how are you|how(?:'s| is) it going|how do you do|what'?s up|how are things)" +
        '(?: (?:today|doing|doing today|going))?[\\s?!.]*$',
      'i',
    ),
  ],
  [
    'thanks',
    alone(
      '(?:ok(?:ay)?,? |great,? |perfect,? |many )?(?:thanks|thank you|thx|ty|cheers|much appreciated)' +
        '(?: (?:so|very) much| a lot| again| for (?:that|your help|the help|everything))?',
    ),
  ],
  ['goodbye', alone('bye|goodbye|bye bye|see you(?: later| soon| tomorrow)?|good night|farewell|take care|ciao')],
  ['assent', alone('ok|okay|great|nice|cool|perfect|good|got it|i see|alright|sounds good|wonderful|awesome')],
  [
    'who are you',
    new RegExp(
      "^(?:and )?(?:who|what) are you\\b|^what(?:'s| is) your name\\b|" +
        '^(?:please )?(?:introduce yourself|tell me about yourself)\\b|^what (?:can|do) you do\\b',
      'i',
    ),
  ],
]

export function smallTalkIn(message: string): SmallTalk | null {
  const text = message.trim()
  if (text.length > limits.smallTalkCharacters) return null
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

const HOLDINGS = new RegExp(
  '^(?:(?:so|and|ok|okay)[\\s,]+)?what (?:do you (?:know|remember)|can you tell me|can i ask(?: you)?)(?: about)?' +
    "[\\s?!.]*$|^what(?:'s| is) in your memory[\\s?!.]*$",
  'i',
)

// "What do you know?", without a subject.
export const asksForHoldings = (message: string): boolean => HOLDINGS.test(message.trim())
