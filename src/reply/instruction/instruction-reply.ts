// An instruction as a reply with its score: carried out by the chat model, or by what can be done without; else
// answered like a message.
import { AppError } from '../../domain/errors.ts'
import { limits as serviceLimits } from '../../domain/limits.ts'
import type { Persona } from '../../domain/persona.ts'
import { contentWords, type Order, queryFor, type Understood, understandOrder } from '../../language/language.ts'
import { composeReply, type Reply, replyWithoutModel } from '../compose.ts'
import { quoteWhole } from '../evidence/evidence.ts'
import { limits } from '../limits.ts'
import { composeModelReply, tellFailure } from '../model/model-reply.ts'
import { respond } from '../reply.ts'
import { createOccasion, type Occasion, type ReplyNeeds, type Request, type Search, searchFor } from '../responder.ts'
import { quotedConfidence } from '../score/fixed.ts'
import { modelConfidence } from '../score/model-confidence.ts'
import { type Instructed, instruct, instructByModel } from './instruct.ts'

export async function instructionReply(needs: ReplyNeeds, persona: Persona, request: Request): Promise<Reply> {
  const { message } = request
  const began = performance.now()
  const order = understandOrder(message.text)
  const occasion = createOccasion(needs, persona, request, searchForOrder(needs, message, order))
  const { done, withoutModel } = await carryOut(occasion, order)
  const timings = { instruction: performance.now() - began }
  if (done.kind === 'none') return replyWithoutModel(await answerAsMessage(occasion, withoutModel), withoutModel)
  if (done.kind !== 'model') return replyWithoutModel(composeQuotes(done, timings), withoutModel)
  const { answer, recollections } = done
  const sure = modelConfidence(message.text, recollections, answer, persona.calibration)
  return composeModelReply(answer, sure, { understoodAs: null, recollections, timings })
}

type CarriedOut = { done: Instructed; withoutModel: string | null }

async function carryOut(occasion: Occasion, order: Order | undefined): Promise<CarriedOut> {
  const { chat, withoutModel = null } = occasion.needs
  if (!chat) return { done: await instruct(occasion, order), withoutModel }
  try {
    return { done: await instructByModel(occasion, chat), withoutModel }
  } catch (error) {
    const why = tellFailure(occasion.needs, error)
    return { done: await instruct(occasion, order), withoutModel: why }
  }
}

// A chat model is asked about the whole message; without one, the subject of an order is searched for.
function searchForOrder(needs: ReplyNeeds, message: Understood, order: Order | undefined): Search {
  if (!order || contentWords(order.subject).length === 0)
    return needs.chat ? { query: message.query, size: serviceLimits.recallSize } : searchFor(needs, message)
  return { query: needs.chat ? message.query : queryFor(order.subject), size: limits.listRecollections }
}

// A chat model that failed is not asked twice.
async function answerAsMessage(occasion: Occasion, withoutModel: string | null): Promise<Reply> {
  const { chat: _, ...needs } = occasion.needs
  const found = await respond({ ...occasion, needs })
  if (!found.isKnown) throw cannot(withoutModel !== null)
  return found
}

const cannot = (hasModel: boolean): AppError =>
  new AppError(
    'unavailable',
    hasModel
      ? 'The instruction could not be processed: the chat model gave no answer, and memory has none.'
      : 'The instruction could not be processed: memory has no answer, and no chat model is set. ' +
          'MEMOIR_CHAT_MODEL sets one.',
  )

function composeQuotes(done: Instructed & { kind: 'summary' | 'list' }, timings: Record<string, number>): Reply {
  const sure = quotedConfidence(done.kind === 'summary' ? done.of : 'list')
  return composeReply({ text: done.text, used: done.sources.map(quoteWhole) }, sure, { timings })
}
