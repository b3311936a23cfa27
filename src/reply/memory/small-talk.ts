// Greetings and thanks are answered without memory, as is "Are you a bot?"; "Who are you?" is answered from it.
import { introduceByInstructions, sayInReturn } from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import type { Occasion } from '../responder.ts'
import { aboutSelfConfidence, smallTalkConfidence } from '../score/fixed.ts'
import { describeSelf } from './portrait.ts'

export async function returnSmallTalk(occasion: Occasion): Promise<Reply | null> {
  const { persona, request } = occasion
  const { message, userName } = request
  const { smallTalk, kind } = message
  if (!smallTalk) return null
  const asksWho = kind === 'about-self' && introduceByInstructions(persona) === null
  return (
    (asksWho ? await introduceFromMemory(occasion) : null) ??
    composeReply({ text: sayInReturn(smallTalk, persona, userName), used: [] }, smallTalkConfidence(smallTalk))
  )
}

async function introduceFromMemory({ needs, persona, recalled }: Occasion): Promise<Reply | null> {
  const { recollections, tookMs } = await recalled()
  const answer = await describeSelf(needs, persona, recollections)
  return answer && composeReply(answer, aboutSelfConfidence, { recollections, timings: { recall: tookMs } })
}
