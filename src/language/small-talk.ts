// Greetings, thanks and the like, where it is sure that a message is no more than that.
import { limits } from './limits.ts'
import { type Classified, type MessageKind, SMALL_TALK } from './message-kinds.ts'

export type SmallTalk = (typeof SMALL_TALK)[number]

const SURE = 0.6 // whoever is taken for saying hello and is not gets no answer to a question
const ASKS: MessageKind[] = ['wellbeing', 'identity']

// Null where the message wants something of memory.
export function smallTalkIn(message: string, { kind, probability }: Classified): SmallTalk | null {
  const talk = SMALL_TALK.find((one) => one === kind)
  if (!talk || probability < SURE || message.length > limits.smallTalkCharacters) return null
  return message.includes('?') && !ASKS.includes(talk) ? null : talk
}

// "What can I ask you?"
export const asksForHoldings = ({ kind, probability }: Classified): boolean => kind === 'ability' && probability >= SURE
