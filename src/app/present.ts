// Domain to wire: the exact fields callers see, and no others.
import type { z } from 'zod'
import type * as admin from '../contract/admin-answers.ts'
import type * as api from '../contract/public-answers.ts'
import type { Key } from '../domain/access.ts'
import type { Draft, Message, Session } from '../domain/conversation.ts'
import type { Document } from '../domain/document.ts'
import type { KnownMemory } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'

type Wire<T extends z.ZodType> = z.output<T>

// ISO 8601 with milliseconds and the offset written out.
export const offsetTime = (time: Date): string => time.toISOString().replace('Z', '+00:00')

export const presentEntry = (persona: Persona, message: Message): Wire<typeof api.HistoryEntry> => ({
  ai_message: message.text,
  ai_score: message.score,
  ai_name: persona.name,
  ai_picture: persona.picture,
  raw_message: message.text,
  timestamp: message.time.toISOString(),
  SessionId: message.sessionId,
  Metadata: { ...message.metadata, role: message.role },
})

export const presentSummary = (document: Document): Wire<typeof api.DocumentSummary> => ({
  id: document.id,
  title: document.title,
  text: document.text,
  type: 'Document',
  timestamp: offsetTime(document.startTime),
})

const topics = (tags: string[]) => tags.map((value) => ({ value }))

export const presentMemory = (document: Document): Wire<typeof api.MemoryAnswer> => ({
  type: 'memory',
  payload: [
    {
      data: [
        {
          type: 'MEMORY',
          memlevel: 'MEMBLOCK',
          memlabel: document.text,
          start_time_utc: offsetTime(document.startTime),
          source: { type: 'text', name: document.sourceName },
          topics: topics(document.tags),
        },
      ],
    },
  ],
})

const entry = (key: string, value: string) => ({ key, value })

export function presentFeed(persona: Persona, document: Document, previousText: string): Wire<typeof api.FeedRecord> {
  const identity = {
    name: persona.owner.name,
    identity_id: persona.owner.identityId,
    domain_id: persona.id,
    propertyBag: { email: entry('email', persona.owner.email), picture: entry('picture', persona.owner.picture) },
  }
  return {
    id: document.id,
    type: 'MEMORY',
    memlevel: 'MEMBLOCK',
    memlabel: document.text,
    feedTextRaw: document.rawText,
    ownerDnsName: persona.domainName,
    start_time_utc: offsetTime(document.startTime),
    end_time_utc: document.endTime && offsetTime(document.endTime),
    creator: identity,
    owner: [identity],
    follower: identity,
    participants: [identity],
    source: {
      type: document.kind,
      name: document.sourceName,
      device: '',
      propertyBag: { source_app: entry('source_app', document.sourceName) },
    },
    location: null,
    feed_event: [{ id: null, name: document.title, type: null, propertyBag: {} }],
    topics: topics(document.tags),
    contexts: [],
    scope: 'PERSONAL',
    visibility: 'PRIVATE',
    internal_parent_mem_ids: [],
    external_parent_mem_ids: [],
    embedUrls: document.url ? [document.url] : [],
    scores: {},
    metadata: {
      title: document.title,
      feed_text: document.text,
      request_id: document.requestId,
      original_text: paragraphs(previousText),
      is_processed: String(document.state === 'ready'),
    },
    is_session: false,
    is_draft: document.isDraft,
    is_edited: document.isEdited,
  }
}

// Text as HTML paragraphs, escaped: blank lines part them, single line ends stay.
export function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export const presentPersona = (persona: Persona): Wire<typeof admin.PersonaAnswer> => ({
  domain_name: persona.domainName,
  name: persona.name,
  picture: persona.picture,
  threshold: persona.threshold,
  instructions: persona.instructions,
  model: persona.model && {
    provider: persona.model.provider,
    url: persona.model.url,
    name: persona.model.name,
    has_key: persona.model.key !== null,
  },
  owner: { name: persona.owner.name, email: persona.owner.email, picture: persona.owner.picture },
  created_at: persona.createdAt.toISOString(),
})

// Keys hold persona ids; owners know personas by name. A persona deleted meanwhile is left out.
export function presentKey(key: Key, names: Map<number, string>): Wire<typeof admin.KeyAnswer> {
  return {
    id: key.id,
    last4: key.last4,
    name: key.name,
    personas: key.personas === '*' ? '*' : key.personas.flatMap((id) => names.get(id) ?? []),
    scopes: key.scopes,
    default_persona: (key.defaultPersona !== null && names.get(key.defaultPersona)) || null,
    legacy: key.legacy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}

export const presentDocument = (document: Document): Wire<typeof admin.DocumentAnswer> => ({
  id: document.id,
  kind: document.kind,
  title: document.title,
  source_name: document.sourceName,
  url: document.url,
  file_name: document.fileName,
  file_bytes: document.fileBytes,
  characters: document.text.length,
  tags: document.tags,
  start_time_utc: document.startTime.toISOString(),
  end_time_utc: document.endTime?.toISOString() ?? null,
  is_draft: document.isDraft,
  is_edited: document.isEdited,
  state: document.state,
  progress: document.progress,
  error: document.error,
  attempts: document.attempts,
  request_id: document.requestId,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
})

export const presentRecollection = ({ memory, title, tags }: KnownMemory): Wire<typeof admin.MemoryAnswer> => ({
  id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  topics: tags,
  headings: memory.place.headings,
  page: memory.place.page,
  speaker: memory.place.speaker,
  start: memory.place.start,
  end: memory.place.end,
  start_time_utc: memory.time.toISOString(),
})

export const presentSession = (session: Session) => ({
  id: session.id,
  opening: session.opening,
  messages: session.messages,
  started_at: session.startedAt.toISOString(),
  last_at: session.lastAt.toISOString(),
})

export const presentMessage = (message: Message) => ({
  id: message.id,
  role: message.role,
  text: message.text,
  score: message.score,
  user_name: message.userName,
  source_app: message.sourceApp,
  metadata: message.metadata,
  created_at: message.time.toISOString(),
})

export const presentDraft = (draft: Draft) => ({
  id: draft.id,
  session_id: draft.sessionId,
  question: draft.question,
  text: draft.text,
  score: draft.score,
  reason: draft.reason,
  sources: draft.sources,
  created_at: draft.createdAt.toISOString(),
})
