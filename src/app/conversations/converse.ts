// A message: answered, scored, decided on, recorded.
import { setTimeout as wait } from 'node:timers/promises'
import { publicOperations } from '../../contract/public-api.ts'
import type { DraftReason } from '../../domain/conversation.ts'
import type { Document } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import { type Heard, languageLimits, type Turn as SessionTurn, understand } from '../../language/language.ts'
import type { ChatModel } from '../../ports/models.ts'
import type { RequestClaim } from '../../ports/store.ts'
import { hearMessage } from '../../reply/hear.ts'
import { sessionBounds } from '../../reply/model/prompt.ts'
import { reply } from '../../reply/reply.ts'
import { allowEffect, type Caller, may, mayDo } from '../access.ts'
import { memoryDocument } from '../documents/new-document.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import type { PublicRequest } from '../request.ts'
import { meter } from './meter.ts'
import { keptSession } from './session.ts'
import { startTurn, type Turn } from './turn.ts'

type Request = PublicRequest<'message'>['body']
type Sent = Pick<Request, 'Context' | 'UserName'>
type Include = PublicRequest<'message'>['query']['include']

export async function converse(
  needs: Needs,
  caller: Caller,
  persona: Persona,
  request: Request,
  { include, claim }: { include: Include; claim?: RequestClaim | undefined },
) {
  if (persona.requiresSourceName && !request.SourceName?.trim())
    throw new AppError('invalid', 'SourceName is missing: this persona asks every message where it comes from.')
  // Whoever may only talk does not teach.
  if (request.is_stack) allowEffect(caller, publicOperations.message, 'memory')
  const keptAs = request.SessionId && (await keptSession(needs, caller, persona, request.SessionId))
  const turn = startTurn(persona, request, { metadata: request.Metadata ?? {}, keptAs })
  const documentIds = await eventDocuments(needs, caller, persona, request.Events)
  const voice = meter(needs.voiceOf(persona))
  const [heard] = await Promise.all([hearMessage(needs, persona, request.Text), awaitOwnWrites(needs, persona)])
  const before = await turnsBefore(needs, caller, persona, keptAs, heard, voice.chat)
  const onText = listenerOf(caller, persona, turn)
  const found = await reply({ ...needs, ...voice }, persona, {
    ...requestOf(caller, request, heard, before),
    documentIds,
    onText,
  })
  const withheld = found.score < persona.threshold
  const reason: DraftReason | undefined = withheld
    ? 'below threshold'
    : request.is_draft
      ? 'asked for as a draft'
      : undefined
  const decision = withheld ? 'withheld' : reason ? 'draft' : 'sent'
  await needs.store.conversations.record({
    messages: reason ? [turn.question()] : [turn.question(), turn.answer(found)],
    ...(reason && { draft: turn.draft(found, reason) }),
    holder: caller.key.id,
    ...(request.is_stack && { document: saidDocument(caller, persona, request, turn.sourceApp) }),
    reply: turn.record(found, decision, voice.spent()),
    claim,
  })
  needs.onReplied(decision)
  caller.onReply?.(turn.replyId)
  if (request.is_stack) needs.onAccepted()
  if (withheld) throw withheldReply()
  return turn.present(found, include)
}

export const withheldReply = (): AppError => new AppError('withheld', 'AI message does not meet threshold.')

// What a caller said is remembered as a caller's words, not as the persona's own, whatever name they give themselves.
function saidDocument(caller: Caller, persona: Persona, { Text, UserName }: Request, sourceApp: string): Document {
  const names = new Set(persona.name.toLowerCase().split(/\s+/))
  const isOwnName =
    UserName?.toLowerCase()
      .split(/\s+/)
      .some((word) => names.has(word)) ?? true
  const saidBy = mayDo(caller, 'manage') ? null : isOwnName ? 'A caller' : UserName!
  return memoryDocument(persona, caller, Text, sourceApp, { saidBy })
}

// What was acknowledged a moment ago is known to the very next message: a note is learned within a blink, on a busy
// machine within a few seconds, so that is waited for, unless so many wait that somebody is importing.
export async function awaitOwnWrites({ store }: Needs, { id }: Persona): Promise<void> {
  const until = performance.now() + limits.ownWritesMs
  for (;;) {
    const pending = await store.work.shortPending(id, limits.ownWrites + 1)
    if (pending === 0 || pending > limits.ownWrites || performance.now() >= until) return
    await wait(limits.ownWritesPollMs)
  }
}

export const requestOf = ({ signal }: Caller, { Context, UserName }: Sent, heard: Heard, before: SessionTurn[]) => ({
  message: understand(heard, { before }),
  context: Context,
  userName: UserName,
  signal,
})

// With a threshold nobody sees a word before the whole is scored.
function listenerOf({ onText, onReply }: Caller, { threshold }: Persona, { replyId, told }: Turn) {
  if (!onText || threshold > 0) return undefined
  return (delta: string) => {
    onReply?.(replyId)
    onText(delta, told)
  }
}

// Only a follow-up needs to know what was said before it, and a chat model, who talks with them.
export async function turnsBefore(
  { store, sizes }: Needs,
  { before }: Caller,
  persona: Persona,
  sessionId: string | undefined,
  { isFollowUp }: Heard,
  chat: ChatModel | undefined,
): Promise<SessionTurn[]> {
  if ((sessionId === undefined && !before) || (!chat && !isFollowUp)) return []
  const bounds = chat
    ? sessionBounds(chat.promptTokens)
    : { turns: languageLimits.followUpTurns, charactersEach: sizes.textCharacters }
  if (!before) return store.conversations.latest(persona.id, sessionId!, bounds)
  return before.slice(-bounds.turns).map(({ role, text }) => ({ role, text: text.slice(0, bounds.charactersEach) }))
}

// Titles of documents, `:`-separated: an exact title first, else every title that contains the words.
// None found: the message is answered as if there were no Events. So it is for a key that may not read documents: by
// naming them it would learn which there are, and what drafts hold.
async function eventDocuments(
  { store }: Needs,
  caller: Caller,
  persona: Persona,
  events: string | undefined,
): Promise<string[] | undefined> {
  if (events === undefined || !may(caller, 'read')) return undefined
  const whole = await store.documents.named(persona.id, events)
  if (whole.length > 0) return whole
  const found: string[] = []
  for (const title of events.split(':').map((part) => part.trim()))
    if (title !== '') found.push(...(await store.documents.named(persona.id, title)))
  return found.length > 0 ? found : undefined
}
