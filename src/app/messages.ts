// A message or an instruction: found, answered, scored, decided on, kept.
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import * as api from '../contract/public-api.ts'
import type { Draft, DraftReason, Message } from '../domain/conversation.ts'
import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/id.ts'
import type { Persona } from '../domain/persona.ts'
import { type Reply, reply, searchReply } from '../reply/reply.ts'
import { authorize, type Caller } from './access.ts'
import { memoryDocument } from './documents.ts'
import type { Needs } from './needs.ts'
import { validate } from './validate.ts'

type Request = z.output<typeof api.message.body>

export async function message(needs: Needs, caller: Caller, given: unknown) {
  const request = validate(api.message.body, given, needs.limits.textCharacters)
  checkMetadata(request.Metadata, needs.limits.metadataBytes)
  const persona = await authorize(needs.store, caller, api.message, request.DomainName)
  return converse(needs, caller, persona, request)
}

export async function instruction(needs: Needs, caller: Caller, cmd: unknown, given: unknown) {
  const query = validate(api.instruction.query, { cmd }, needs.limits.textCharacters)
  const request = validate(api.instruction.body, given, needs.limits.textCharacters)
  const persona = await authorize(needs.store, caller, api.instruction, request.DomainName)
  if (request.is_message) {
    const { ai_picture: _, ...answer } = await converse(needs, caller, persona, {
      ...request,
      is_stack: false,
      is_draft: false,
    })
    return answer
  }
  const found =
    query.cmd === 'search'
      ? await searchReply(needs, persona, request.Text)
      : await reply(needs, persona, { text: request.Text, documentIds: undefined })
  if (query.cmd !== 'search' && found.sources.length === 0) {
    throw new AppError('unavailable', 'The instruction could not be processed: memory holds nothing about it.')
  }
  const turn = turnOf(persona, request, {})
  await needs.store.conversations.record({ messages: [turn.asked(), turn.answered(found)] })
  const { ai_picture: _, ...answer } = turn.present(found)
  return answer
}

async function converse(needs: Needs, caller: Caller, persona: Persona, request: Request) {
  const documentIds = request.Events === undefined ? undefined : await eventDocuments(needs, persona, request.Events)
  const found = await reply(needs, persona, { text: request.Text, documentIds })
  const turn = turnOf(persona, request, request.Metadata ?? {})
  const withheld = found.score < persona.threshold
  const reason: DraftReason | undefined = withheld
    ? 'below threshold'
    : request.is_draft
      ? 'asked for as a draft'
      : undefined
  await needs.store.conversations.record({
    messages: reason ? [turn.asked()] : [turn.asked(), turn.answered(found)],
    ...(reason && { draft: turn.drafted(found, reason) }),
    ...(request.is_stack && { document: memoryDocument(persona, caller, request.Text, turn.sourceApp) }),
  })
  if (request.is_stack) needs.onAccepted()
  if (withheld) throw new AppError('withheld', 'AI message does not meet threshold.')
  return turn.present(found)
}

// Titles of documents, `:`-separated: an exact title first, else every title that contains the words.
async function eventDocuments({ store }: Needs, persona: Persona, events: string): Promise<string[]> {
  const whole = await store.documents.named(persona.id, events)
  if (whole.length > 0) return whole
  const found: string[] = []
  for (const title of events.split(':').map((part) => part.trim())) {
    if (title === '') continue
    const ids = await store.documents.named(persona.id, title)
    if (ids.length === 0) throw new AppError('invalid', `Events names "${title}", and no document has such a title.`)
    found.push(...ids)
  }
  if (found.length === 0) throw new AppError('invalid', 'Events names no document.')
  return found
}

function checkMetadata(metadata: object | undefined, mostBytes: number): void {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > mostBytes) {
    throw new AppError('invalid', `Metadata is larger than ${mostBytes} bytes.`)
  }
}

type Turn = {
  Text: string
  SessionId?: string | undefined
  UserName?: string | undefined
  SourceName?: string | undefined
}

// One question and its answer in their session, in the shapes that are kept and shown.
function turnOf(persona: Persona, request: Turn, metadata: Record<string, unknown>) {
  const sessionId = request.SessionId ?? randomUUID()
  const sourceApp = request.SourceName ?? 'api'
  const shared = { personaId: persona.id, sessionId, sourceApp, userName: request.UserName ?? null, metadata }
  return {
    sourceApp,
    asked: (): Message => ({ ...shared, id: newId(), role: 'user', text: request.Text, score: 0, time: new Date() }),
    answered: (found: Reply): Message => ({
      ...shared,
      id: newId(),
      role: 'ai',
      text: found.text,
      score: found.score,
      time: new Date(),
    }),
    drafted: (found: Reply, reason: DraftReason): Draft => ({
      personaId: persona.id,
      id: newId(),
      sessionId,
      question: request.Text,
      text: found.text,
      score: found.score,
      reason,
      sources: found.sources,
      sourceApp,
      createdAt: new Date(),
    }),
    present: (found: Reply): z.output<typeof api.message.answer> => ({
      ai_message: found.text,
      ai_score: found.score,
      ai_name: persona.name,
      ai_picture: persona.picture,
      SessionId: sessionId,
      source_app: sourceApp,
    }),
  }
}
