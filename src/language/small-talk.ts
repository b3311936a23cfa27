// Greetings, thanks and questions about the persona itself need no memory.
import type { Persona } from '../domain/persona.ts'
import { type Confidence, certain } from '../reply/score/confidence.ts'
import { sentences } from './sentences.ts'

const LONGEST = 60 // characters: whoever writes more wants more than a greeting

const NAME = `(?:[,\\s]+[\\p{L}-]{1,20})?`
const alone = (pattern: string) => new RegExp(`^(?:${pattern})${NAME}[\\s!.,?…)🙂😊👋❤️]*$`, 'iu')

const GREETING = alone(
  'hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|howdy|hi there|hello there|hey there|yo|moin',
)
const HOW_ARE_YOU =
  /^(?:hi|hello|hey)?[\s,!.]*(?:how are you|how(?:'s| is) it going|how do you do|what'?s up|how are things)(?: (?:today|doing|doing today|going))?[\s?!.]*$/i
const THANKS = alone(
  `(?:ok(?:ay)?,? |great,? |perfect,? |many )?(?:thanks|thank you|thx|ty|cheers|much appreciated)(?: (?:so|very) much| a lot| again| for (?:that|your help|the help|everything))?`,
)
const GOODBYE = alone('bye|goodbye|bye bye|see you(?: later| soon| tomorrow)?|good night|farewell|take care|ciao')
const YES = alone('ok|okay|great|nice|cool|perfect|good|got it|i see|alright|sounds good|wonderful|awesome')
const WHO =
  /^(?:and )?(?:who|what) are you\b|^what(?:'s| is) your name\b|^(?:please )?(?:introduce yourself|tell me about yourself)\b|^what (?:can|do) you do\b/i

// Log-odds: there is nothing in it to be wrong about.
const SMALL_TALK = certain(4)
export const ABOUT_SELF = certain(3)

export type SmallTalk = { text: string; isAboutSelf: boolean; sure: Confidence }

export function smallTalk(message: string, persona: Persona, userName?: string | undefined): SmallTalk | null {
  const text = message.trim()
  if (text.length > LONGEST) return null
  const said = (words: string): SmallTalk => ({ text: words, isAboutSelf: false, sure: SMALL_TALK })
  const named = userName ? `, ${userName}` : ''
  if (GREETING.test(text)) return said(`Hello${named}! I'm ${persona.name}. What would you like to know?`)
  if (HOW_ARE_YOU.test(text)) return said(`I'm well, thank you${named}. What would you like to know?`)
  if (THANKS.test(text)) return said(`You're welcome${named}.`)
  if (GOODBYE.test(text)) return said(`Goodbye${named}.`)
  if (YES.test(text)) return said('Good. Ask me more whenever you like.')
  if (WHO.test(text)) return { text: introduction(persona), isAboutSelf: true, sure: ABOUT_SELF }
  return null
}

// Instructions say "you" to the persona; the persona says "I" of itself.
const TELLS_OF_SELF =
  /^you(?:'re| are| work| live| know| help| answer| speak| were| have| love| like| teach| study| run| can)?\b/i

export function introduction({ name, instructions }: Persona): string {
  const told = sentences(instructions)
    .filter(
      (sentence) => TELLS_OF_SELF.test(sentence) && !/\b(?:never|always|must|should|do not|don't)\b/i.test(sentence),
    )
    .slice(0, 2)
    .map(asI)
  return [`I'm ${name}.`, ...(told.length > 0 ? told : ['I answer from my memory.'])].join(' ')
}

const asI = (sentence: string): string => {
  const turned = sentence
    .replaceAll(/\byou're\b/gi, "I'm")
    .replaceAll(/\byou are\b/gi, 'I am')
    .replaceAll(/\byou were\b/gi, 'I was')
    .replaceAll(/\byourself\b/gi, 'myself')
    .replaceAll(/\byours\b/gi, 'mine')
    .replaceAll(/\byour\b/gi, 'my')
    .replaceAll(/\byou\b/gi, 'I')
  return turned[0]!.toUpperCase() + turned.slice(1)
}
