// Greetings, thanks and the like, where it is sure that a message is no more than that.
import { limits } from './limits.ts'
import { type Classified, type MessageKind, SMALL_TALK } from './message-kinds.ts'
import { isCommon, isTalk, stems } from './words.ts'

export type SmallTalk = (typeof SMALL_TALK)[number]

const SURE = 0.6 // whoever is taken for saying hello and is not gets no answer to a question
const ASKS: MessageKind[] = ['wellbeing', 'identity']

// "Who are you?", "Who am I talking to?", but not "Who is Defne?".
const MEANS_THE_PERSONA = /(?<!\p{L})(?:you|u|ya|your|ur|yours|yourself|i|this|there)(?!\p{L})/iu

// Null where the message wants something of memory.
export function smallTalkIn(message: string, { kind, probability }: Classified): SmallTalk | null {
  const talk = SMALL_TALK.find((one) => one === kind)
  if (!talk || probability < SURE || message.length > limits.smallTalkCharacters) return null
  if (talk === 'identity' && !MEANS_THE_PERSONA.test(message)) return null
  return message.includes('?') && !ASKS.includes(talk) ? null : talk
}

// Words that people greet, thank and part with, as stems.
const POLITE = stems(
  'hello hi hey welcome greetings good morning afternoon evening night day today nice great glad pleased ' +
    'pleasure meet fine well feel feeling doing going thank thanks thankful appreciate kind kindly sorry ' +
    'apologize worry problem bye goodbye farewell see soon later care take again help helping assist answer ' +
    'question ask anything something happy love hope wish weekend week time here course sure absolutely okay ' +
    'ok yes anytime wonderful lovely talk talking chat speak tell let know need want like much very always ' +
    'ready listen hear back come return understand mean matter mind word words compliment honest better best ' +
    'luck enjoy rest',
)

// The share, 0–1, of what a reply to small talk says that is neither polite nor among these words.
export function shareBeyondTalk(reply: string, known: string): number {
  const said = stems(reply)
  const usual = stems(known)
  const beyond = [...said].filter((word) => !POLITE.has(word) && !isTalk(word) && !usual.has(word))
  return said.size === 0 ? 0 : beyond.length / said.size
}

// "What can I ask you?", but not "Do you have doctoral students?" and "Where do I see what people asked?", which are
// like it: those are about something.
export const asksForHoldings = (message: string, { kind, probability }: Classified): boolean =>
  kind === 'ability' &&
  probability >= SURELY_ASKS &&
  subjectsIn(message) <= MOST_SUBJECTS &&
  !/^(?:where|when|why|who|whose)\b/i.test(message)

const SURELY_ASKS = 0.8
const MOST_SUBJECTS = 1

// How many words of a question name something beside knowing, asking and telling.
const subjectsIn = (message: string): number =>
  [...stems(message)].filter((word) => !isCommon(word) && !isTalk(word) && !POLITE.has(word) && !KNOWING.has(word))
    .length

const KNOWING = stems(
  'able ability access area assistant best bot capable chat cover date else everything exact exactly example ' +
    'feature far find function general give good guide idea info information kind learn limit look memory message ' +
    'number out phrase possible purpose reliable rule say sort stuff subject support system teach thing topic type ' +
    'understand use useful way work write',
)
