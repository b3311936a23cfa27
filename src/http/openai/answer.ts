// A reply of a persona, for answers in OpenAI's shape: what was said, or why it was not.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import type { Service } from '../../contract/public-api.ts'
import { AppError } from '../../domain/errors.ts'
import { untilTheyLeave } from '../leaving.ts'
import type { Asked } from './conversation.ts'

type Reply = Awaited<ReturnType<Service['message']>>

export type Answered = {
  id: string
  text: string
  refusal: string | null // set where the reply was withheld; text is empty then
  memoir: { confidence: number | null; sources: NonNullable<Reply['sources']>; session: string; withheld: boolean }
}

const WITHHELD = 'The persona is not sure enough to reply; its reply waits as a draft for the owner.'

export async function answer(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  onText?: (delta: string) => void,
): Promise<Answered> {
  let id: string = randomUUID()
  const service = app.as({
    key: request.key!,
    requestId: request.id,
    signal: untilTheyLeave(reply),
    before: asked.before,
    onReply: (replyId) => {
      id = replyId
    },
    ...(onText && { onText }),
  })
  const message = {
    DomainName: asked.model,
    Text: asked.text,
    Context: asked.context,
    SessionId: asked.sessionId,
    SourceName: 'openai',
  }
  try {
    const said = await service.message(message, { include: 'sources' })
    const { ai_message: text, ai_score: confidence, sources = [], SessionId: session } = said
    return { id, text, refusal: null, memoir: { confidence, sources, session, withheld: false } }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'withheld')) throw error
    const memoir = { confidence: null, sources: [], session: asked.sessionId, withheld: true }
    return { id, text: '', refusal: WITHHELD, memoir }
  }
}

// Estimates: nothing here is paid by the token.
export function tokensOf({ text, context = '', before = [] }: Asked, said: string) {
  const asked = [text, context, ...before.map((turn) => turn.text)].join(' ')
  return { asked: tokens(asked), said: tokens(said) }
}

export const tokens = (text: string): number => Math.ceil(text.length / 4)
