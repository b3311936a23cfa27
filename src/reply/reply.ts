// From a message to a reply: one after the other, the ways of replying are tried on what was understood and recalled.
// Every door comes through here.
import type { Persona } from '../domain/persona.ts'
import { type Reply, replyWithoutModel } from './compose.ts'
import { workOutAge } from './memory/age-then.ts'
import { answerFromMemory } from './memory/best-answer.ts'
import { compare } from './memory/compare.ts'
import { sayWhatIKnow } from './memory/holdings.ts'
import { summarizeMemory } from './memory/overview.ts'
import { returnSmallTalk } from './memory/small-talk.ts'
import { answerByModel } from './model/model-reply.ts'
import { createOccasion, type Occasion, type ReplyNeeds, type Request, type Responder, searchFor } from './responder.ts'

const FROM_MEMORY: Responder[] = [returnSmallTalk, sayWhatIKnow, compare, workOutAge, summarizeMemory]

export const reply = (needs: ReplyNeeds, persona: Persona, request: Request): Promise<Reply> =>
  respond(createOccasion(needs, persona, request, searchFor(needs, request.message)))

// By the chat model where there is one; where there is none, or it fails, from memory alone.
export async function respond(occasion: Occasion): Promise<Reply> {
  const spoken = await answerByModel(occasion)
  return spoken.reply ?? replyWithoutModel(await respondFromMemory(occasion), spoken.withoutModel)
}

async function respondFromMemory(occasion: Occasion): Promise<Reply> {
  for (const responder of FROM_MEMORY) {
    const found = await responder(occasion)
    if (found) return found
  }
  return answerFromMemory(occasion)
}
