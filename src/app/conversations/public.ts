// Messages, instructions, and the history of a session.
import { publicOperations } from '../../contract/public-api.ts'
import { AppError } from '../../domain/errors.ts'
import { type Heard, understand } from '../../language/language.ts'
import type { Voice } from '../../ports/models.ts'
import type { RequestClaim } from '../../ports/store.ts'
import { hearMessage } from '../../reply/hear.ts'
import { instructionReply } from '../../reply/instruction/instruction-reply.ts'
import { searchReply } from '../../reply/instruction/search.ts'
import { allowEffect } from '../access.ts'
import { map } from '../in-turn.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import { answerOnce, onceOf } from '../once.ts'
import type { Implementation, PublicRequest } from '../request.ts'
import { converse, requestOf, turnsBefore, withheldReply } from './converse.ts'
import { meter } from './meter.ts'
import { presentEntry } from './present.ts'
import { repeatReply } from './repeat.ts'
import { keptSession } from './session.ts'
import { startTurn } from './turn.ts'

type Instruction = PublicRequest<'instruction'>

export const message: Implementation<'message'> = async (needs, { caller, persona, body, query }) => {
  checkMetadata(body.Metadata)
  const once = await onceOf(caller, 'message', body)
  return answerOnce(
    needs,
    { persona, once },
    {
      answer: (claim) => converse(needs, caller, persona, body, { include: query.include, claim }),
      repeat: (reply) => repeatReply(needs, caller, persona, body, reply, query.include),
    },
  )
}

export const instruction: Implementation<'instruction'> = async (needs, request) => {
  const { caller, persona, body, query } = request
  const once = await onceOf(caller, 'instruction', { cmd: query.cmd, ...body })
  const { ai_picture: _, ...answer } = await answerOnce(
    needs,
    { persona, once },
    {
      answer: (claim) => (body.is_message ? asMessage(needs, request, claim) : instruct(needs, request, claim)),
      repeat: (reply) => repeatReply(needs, caller, persona, body, reply, query.include),
    },
  )
  return answer
}

const asMessage = (needs: Needs, { caller, persona, body, query }: Instruction, claim?: RequestClaim) => {
  allowEffect(caller, publicOperations.instruction, 'message')
  const message = { ...body, is_stack: false, is_draft: false }
  return converse(needs, caller, persona, message, { include: query.include, claim })
}

async function instruct(needs: Needs, request: Instruction, claim?: RequestClaim) {
  const { caller, persona, body, query } = request
  const keptAs = body.SessionId && (await keptSession(needs, caller, persona, body.SessionId))
  const turn = startTurn(persona, body, { keptAs })
  const heard = await hearMessage(needs, persona, body.Text)
  const voice = meter(needs.voiceOf(persona))
  const found =
    query.cmd === 'search'
      ? await searchReply(needs, persona, understand(heard))
      : await carryOut({ ...needs, ...voice }, request, heard, keptAs)
  const isWithheld = found.score < persona.threshold
  const decision = isWithheld ? 'withheld' : 'sent'
  await needs.store.conversations.record({
    messages: isWithheld ? [turn.question()] : [turn.question(), turn.answer(found)],
    holder: caller.key.id,
    ...(isWithheld && { draft: turn.draft(found, 'below threshold') }),
    reply: turn.record(found, decision, voice.spent()),
    claim,
  })
  needs.onReplied(decision)
  caller.onReply?.(turn.replyId)
  if (isWithheld) throw withheldReply()
  return turn.present(found, query.include)
}

async function carryOut(
  needs: Needs & Voice,
  { caller, persona, body }: Instruction,
  heard: Heard,
  keptAs: string | undefined,
) {
  const before = await turnsBefore(needs, caller, persona, keptAs, heard, needs.chat)
  return instructionReply(needs, persona, requestOf(caller, body, heard, before))
}

export const conversation: Implementation<'conversation'> = async (needs, { caller, persona, body, query }) => {
  const keptAs = await keptSession(needs, caller, persona, body.SessionId)
  const history = await needs.store.conversations.history(persona.id, keptAs)
  if (!history) throw new AppError('not_found', 'This persona has no conversation with that SessionId.')
  const entries = map(history, (entry) => presentEntry(persona, body.SessionId, entry))
  return query.last === undefined ? entries : latest(entries, query.last)
}

// Never more than these are held, however long the history is.
async function latest<T>(all: AsyncIterable<T[]>, count: number): Promise<T[]> {
  let kept: T[] = []
  for await (const some of all) kept = [...kept, ...some].slice(-count)
  return kept
}

function checkMetadata(metadata: object | undefined): void {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > limits.metadataBytes)
    throw new AppError('invalid', `Metadata is larger than ${limits.metadataBytes} bytes.`)
}
