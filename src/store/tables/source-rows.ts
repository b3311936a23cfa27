// Followed sources and their pages, between their rows and what the rooms know of them.
import type { FollowedSource } from '../../domain/followed-source.ts'
import type { PageOutcome, SourcePage } from '../../ports/sources.ts'

export type SourceRow = {
  persona_id: number
  id: string
  url: string
  kind: 'feed' | 'site' | null
  title: string
  every_ms: number | null
  is_on: number
  off_reason: string | null
  failures: number
  error: string | null
  due_at: number
  lease: string | null
  lease_until: number | null
  look: number
  look_began: number | null
  pages_done: number
  pages_of: number
  etag: string | null
  last_modified: string | null
  looked_at: number | null
  account: string | null // JSON
  created_at: number
  updated_at: number
}

export type SourcePageRow = {
  persona_id: number
  source_id: string
  url: string
  look: number
  outcome: PageOutcome
  reason: string | null
  version: string | null
  hash: string | null
  etag: string | null
  last_modified: string | null
  document_id: string | null
  fetched_at: number
}

export const sourceToRow = (source: FollowedSource): SourceRow => ({
  persona_id: source.personaId,
  id: source.id,
  url: source.url,
  kind: source.kind,
  title: source.title,
  every_ms: source.everyMs,
  is_on: source.isOn ? 1 : 0,
  off_reason: source.offReason,
  failures: source.failures,
  error: source.error,
  due_at: source.dueAt.getTime(),
  lease: null,
  lease_until: null,
  look: source.look,
  look_began: source.lookBegan?.getTime() ?? null,
  pages_done: source.pagesDone,
  pages_of: source.pagesOf,
  etag: source.etag,
  last_modified: source.lastModified,
  looked_at: source.lookedAt?.getTime() ?? null,
  account: source.account && JSON.stringify(source.account),
  created_at: source.createdAt.getTime(),
  updated_at: source.updatedAt.getTime(),
})

const timeOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

export const sourceFromRow = (row: SourceRow): FollowedSource => ({
  personaId: row.persona_id,
  id: row.id,
  url: row.url,
  kind: row.kind,
  title: row.title,
  everyMs: row.every_ms,
  isOn: row.is_on === 1,
  offReason: row.off_reason,
  failures: row.failures,
  error: row.error,
  dueAt: new Date(row.due_at),
  look: row.look,
  lookBegan: timeOf(row.look_began),
  pagesDone: row.pages_done,
  pagesOf: row.pages_of,
  etag: row.etag,
  lastModified: row.last_modified,
  lookedAt: timeOf(row.looked_at),
  account: row.account === null ? null : JSON.parse(row.account),
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
})

export const pageToRow = ({ personaId, id }: FollowedSource, page: SourcePage): SourcePageRow => ({
  persona_id: personaId,
  source_id: id,
  url: page.url,
  look: page.look,
  outcome: page.outcome,
  reason: page.reason,
  version: page.version,
  hash: page.hash,
  etag: page.etag,
  last_modified: page.lastModified,
  document_id: page.documentId,
  fetched_at: page.fetchedAt.getTime(),
})

export const pageFromRow = (row: SourcePageRow): SourcePage => ({
  url: row.url,
  look: row.look,
  outcome: row.outcome,
  reason: row.reason,
  version: row.version,
  hash: row.hash,
  etag: row.etag,
  lastModified: row.last_modified,
  documentId: row.document_id,
  fetchedAt: new Date(row.fetched_at),
})
