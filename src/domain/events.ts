// What happened, as the triggers of a persona tell it to other programs. docs/webhooks.md describes every field.
import type { Draft, Message } from './conversation.ts'
import type { Document } from './document.ts'
import { limits } from './limits.ts'
import type { Memory } from './memory.ts'
import type { KeptReply } from './reply.ts'
import type { EventType, PersonaEvent } from './trigger.ts'

export const eventTime = (at: Date): string => at.toISOString()

// What one message left behind.
export function eventsOfExchange(left: {
  messages: Message[]
  draft?: Draft | undefined
  reply?: KeptReply | undefined
}): PersonaEvent[] {
  const received = left.messages.filter(({ role }) => role === 'user')
  const source = received[0]?.sourceApp ?? left.draft?.sourceApp ?? 'api'
  return [
    ...received.map(messageReceived),
    ...(left.reply && left.reply.decision !== 'draft' ? [replyGiven(left.reply, source)] : []),
    ...(left.draft ? [draftCreated(left.draft)] : []),
  ]
}

const messageReceived = (message: Message): PersonaEvent => ({
  type: 'message.received',
  source: message.sourceApp,
  at: message.time,
  data: {
    session_id: message.sessionId,
    message_id: message.id,
    source_name: message.sourceApp,
    user_name: message.userName,
    text: cut(message.text),
    metadata: message.metadata,
  },
})

const replyGiven = (reply: KeptReply, source: string): PersonaEvent => ({
  type: reply.decision === 'sent' ? 'reply.sent' : 'reply.withheld',
  source,
  at: reply.createdAt,
  data: {
    session_id: reply.sessionId,
    reply_id: reply.id,
    source_name: source,
    question: cut(reply.question),
    text: cut(reply.text),
    score: reply.score,
    answered_by: reply.answeredBy,
    sources: reply.explanation.used.map(({ memoryId, documentId }) => ({
      memory_id: memoryId,
      document_id: documentId,
    })),
  },
})

const draftFields = (draft: Draft) => ({
  session_id: draft.sessionId,
  draft_id: draft.id,
  source_name: draft.sourceApp,
  question: cut(draft.question),
  text: cut(draft.text),
  score: draft.score,
  reason: draft.reason,
  sources: draft.sources.map(({ memory_id, document_id }) => ({ memory_id, document_id })),
})

const draftCreated = (draft: Draft): PersonaEvent => ({
  type: 'draft.created',
  source: draft.sourceApp,
  at: draft.createdAt,
  data: draftFields(draft),
})

// `message` is what entered the history; none when the draft was rejected.
export const draftSettled = (draft: Draft, message: Message | undefined, documentId: string | null): PersonaEvent => ({
  type: 'draft.settled',
  source: draft.sourceApp,
  at: new Date(),
  data: {
    ...draftFields(draft),
    outcome: message ? 'approved' : 'rejected',
    is_edited: message !== undefined && message.text !== draft.text,
    text: cut(message?.text ?? draft.text),
    message_id: message?.id ?? null,
    learned_document_id: documentId,
  },
})

const documentFields = (document: Document) => ({
  document_id: document.id,
  kind: document.kind,
  title: document.title,
  source_name: document.sourceName,
  url: document.url,
  file_name: document.fileName,
  tags: document.tags,
  request_id: document.requestId,
})

const ofDocument = (type: EventType, document: Document, data: Record<string, unknown>): PersonaEvent => ({
  type,
  source: document.sourceName,
  at: new Date(),
  data,
})

// A plain memory is created once; a document is ready each time its text was learned.
export function eventsOfLearned(document: Document, title: string, memories: Memory[]): PersonaEvent[] {
  if (document.kind !== 'memory') {
    const data = { ...documentFields({ ...document, title }), is_edited: document.isEdited, memories: memories.length }
    return [ofDocument('document.ready', document, data)]
  }
  if (document.isEdited) return []
  const data = {
    document_id: document.id,
    memory_ids: memories.slice(0, limits.eventMemories).map(({ id }) => id),
    source_name: document.sourceName,
    text: cut(document.text),
    tags: document.tags,
    start_time_utc: eventTime(document.startTime),
    request_id: document.requestId,
  }
  return [ofDocument('memory.created', document, data)]
}

export const documentFailed = (document: Document, error: string): PersonaEvent =>
  ofDocument('document.failed', document, { ...documentFields(document), error })

const cut = (text: string): string => text.slice(0, limits.eventTextCharacters)
