// A message or an instruction: found, answered, scored, decided on, kept.
import type { z } from 'zod'
import * as api from '../contract/public-api.ts'
import type { DraftReason } from '../domain/conversation.ts'
import { AppError } from '../domain/errors.ts'
import type { Persona } from '../domain/persona.ts'
import { isFollowUp, languageLimits, type Turn as SessionTurn, understand } from '../language/language.ts'
import type { ChatModel } from '../ports/models.ts'
import { instructionReply } from '../reply/instruction/instruction-reply.ts'
import { searchReply } from '../reply/instruction/search.ts'
import { sessionBounds } from '../reply/model/prompt.ts'
import { reply } from '../reply/reply.ts'
import { authorize, type Caller } from './access.ts'
import { memoryDocument } from './documents.ts'
import type { Needs } from './needs.ts'
import { type Turn, turnOf } from './turn.ts'
import { validate } from './validate.ts'

type Request = z.output<typeof api.message.body>
type Heard = Pick<Request, 'Text' | 'Context' | 'UserName' | 'SessionId'>
type Include = z.output<typeof api.message.query>['include']

export async function message(needs: Needs, caller: Caller, given: unknown, query: unknown = {}) {
  const request = validate(api.message.body, given, needs.limits.textCharacters)
  const { include } = validate(api.message.query, query, needs.limits.textCharacters)
  checkMetadata(request.Metadata, needs.limits.metadataBytes)
  const persona = await authorize(needs.store, caller, api.message, request.DomainName)
  return converse(needs, caller, persona, request, include)
}

export async function instruction(needs: Needs, caller: Caller, query: unknown, given: unknown) {
  const { cmd, include } = validate(api.instruction.query, query, needs.limits.textCharacters)
  const request = validate(api.instruction.body, given, needs.limits.textCharacters)
  const persona = await authorize(needs.store, caller, api.instruction, request.DomainName)
  if (request.is_message) {
    const asMessage = { ...request, is_stack: false, is_draft: false }
    const { ai_picture: _, ...answer } = await converse(needs, caller, persona, asMessage, include)
    return answer
  }
  const turn = turnOf(persona, request, {})
  const found =
    cmd === 'search'
      ? await searchReply(needs, persona, understand(request.Text))
      : await carryOut(needs, caller, persona, request)
  const messages = [turn.asked(), turn.answered(found)]
  await needs.store.conversations.record({ messages, reply: turn.kept(found, 'sent') })
  caller.onReply?.(turn.replyId)
  const { ai_picture: _, ...answer } = turn.present(found, include)
  return answer
}

async function carryOut(needs: Needs, caller: Caller, persona: Persona, request: Heard) {
  const chat = needs.chatFor(persona)
  const before = await turnsBefore(needs, persona, request, chat)
  return instructionReply({ ...needs, chat }, persona, requestOf(caller, request, before))
}

async function converse(needs: Needs, caller: Caller, persona: Persona, request: Request, include: Include) {
  const turn = turnOf(persona, request, request.Metadata ?? {})
  const documentIds = request.Events === undefined ? undefined : await eventDocuments(needs, persona, request.Events)
  const chat = needs.chatFor(persona)
  const before = await turnsBefore(needs, persona, request, chat)
  const onText = shownLive(caller, persona, turn)
  const found = await reply({ ...needs, chat }, persona, {
    ...requestOf(caller, request, before),
    documentIds,
    onText,
  })
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
    reply: turn.kept(found, withheld ? 'withheld' : reason ? 'draft' : 'sent'),
  })
  caller.onReply?.(turn.replyId)
  if (request.is_stack) needs.onAccepted()
  if (withheld) throw new AppError('withheld', 'AI message does not meet threshold.')
  return turn.present(found, include)
}

const requestOf = ({ signal }: Caller, { Text, Context, UserName }: Heard, before: SessionTurn[]) => ({
  message: understand(Text, { before }),
  context: Context,
  userName: UserName,
  signal,
})

// With a threshold nobody sees a word before the whole is scored.
function shownLive({ onText, onReply }: Caller, { threshold }: Persona, { replyId, sessionId }: Turn) {
  if (!onText || threshold > 0) return undefined
  return (delta: string) => {
    onReply?.(replyId)
    onText(delta, sessionId)
  }
}

// Only a follow-up needs to know what was said before it, and a chat model, who talks with them.
async function turnsBefore(
  { store, limits }: Needs,
  persona: Persona,
  { Text, SessionId }: Heard,
  chat: ChatModel | undefined,
): Promise<SessionTurn[]> {
  if (SessionId === undefined || (!chat && !isFollowUp(Text))) return []
  const bounds = chat
    ? sessionBounds(chat.promptTokens)
    : { turns: languageLimits.followUpTurns, charactersEach: limits.textCharacters }
  return store.conversations.latest(persona.id, SessionId, bounds)
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
