// Greetings, thanks and questions about the persona itself are answered without memory.
import { sayInReturn } from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import type { Occasion } from '../responder.ts'
import { smallTalkConfidence } from '../score/fixed.ts'

export function returnSmallTalk({ persona, request: { message, userName } }: Occasion): Reply | null {
  const { smallTalk } = message
  if (!smallTalk) return null
  return composeReply({ text: sayInReturn(smallTalk, persona, userName), used: [] }, smallTalkConfidence(smallTalk))
}
