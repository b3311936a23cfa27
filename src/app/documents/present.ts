// Documents as callers and owners see them.
import type { z } from 'zod'
import type { DocumentAnswer } from '../../contract/admin-answers.ts'
import type * as api from '../../contract/public/answers.ts'
import type { Document, ListedDocument } from '../../domain/document.ts'
import type { Persona } from '../../domain/persona.ts'
import { offsetTime } from '../times.ts'

export const presentSummary = (document: Document): z.output<typeof api.DocumentSummary> => ({
  id: document.id,
  title: document.title,
  text: document.text,
  type: 'Document',
  timestamp: offsetTime(document.startTime),
})

export const presentListed = (document: ListedDocument): z.output<typeof api.ListedDocument> => ({
  id: document.id,
  title: document.title,
  kind: document.kind,
  state: document.state,
  is_draft: document.isDraft,
  tags: document.tags,
  timestamp: offsetTime(document.startTime),
})

export const presentDocument = (document: ListedDocument): z.output<typeof DocumentAnswer> => ({
  id: document.id,
  kind: document.kind,
  title: document.title,
  source_name: document.sourceName,
  said_by: document.saidBy,
  url: document.url,
  file_name: document.fileName,
  media_type: document.mediaType,
  file_bytes: document.fileBytes,
  characters: document.characters,
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

const entry = (key: string, value: string) => ({ key, value })

export function presentFeed(
  persona: Persona,
  document: Document,
  previousText: string,
): z.output<typeof api.FeedRecord> {
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
    topics: document.tags.map((value) => ({ value })),
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
function paragraphs(text: string): string {
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
