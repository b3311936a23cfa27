// One question and its answer in their session, in the shapes that are kept and shown.
import { randomUUID } from 'node:crypto'
import type { Spent } from '../../domain/chat-model.ts'
import type { Draft, DraftReason, Message } from '../../domain/conversation.ts'
import { newId } from '../../domain/id.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Decision, KeptReply } from '../../domain/reply.ts'
import type { Reply } from '../../reply/compose.ts'
import { presentReply } from './present.ts'

type Asked = {
  Text: string
  SessionId?: string | undefined
  UserName?: string | undefined
  SourceName?: string | undefined
}

export type Turn = ReturnType<typeof startTurn>

// `keptAs`: the id of the session in the store, where it is another than the caller's.
export function startTurn(
  persona: Persona,
  request: Asked,
  { metadata = {}, keptAs }: { metadata?: Record<string, unknown>; keptAs?: string | undefined } = {},
) {
  const told = request.SessionId ?? randomUUID()
  const sessionId = keptAs ?? told
  const sourceApp = request.SourceName ?? 'api'
  const shared = { personaId: persona.id, sessionId, sourceApp, userName: request.UserName ?? null, metadata }
  const began = performance.now()
  const questionId = newId()
  const replyId = newId() // later than the question's
  const kept = (found: Reply) => ({
    personaId: persona.id,
    id: replyId,
    sessionId,
    question: request.Text,
    text: found.text,
    score: found.score,
    createdAt: new Date(),
  })
  return {
    replyId,
    told, // the session as the caller calls it
    sourceApp,

    question: (): Message => ({
      ...shared,
      id: questionId,
      role: 'user',
      text: request.Text,
      score: 0,
      time: new Date(),
    }),

    answer: (found: Reply): Message => ({
      ...shared,
      id: replyId,
      role: 'ai',
      text: found.text,
      score: found.score,
      time: new Date(),
    }),

    draft: (found: Reply, reason: DraftReason): Draft => ({
      ...kept(found),
      reason,
      sources: found.sources,
      sourceApp,
    }),

    record: (found: Reply, decision: Decision, spent: Spent | null): KeptReply => ({
      ...kept(found),
      logit: found.logit,
      decision,
      answeredBy: found.answeredBy,
      tookMs: Math.round(performance.now() - began),
      label: null,
      visitorLabel: null,
      spent,
      explanation: found.explanation,
    }),

    present: (found: Reply, include: 'sources' | undefined) =>
      presentReply(persona, { told, sourceApp }, found, include),
  }
}
