// Documents between their rows and the domain.
import type { Document, ListedDocument } from '../../domain/document.ts'
import { limits as shared } from '../../domain/limits.ts'
import { limits } from '../limits.ts'
import type { DocumentRow } from './schema.ts'

export const laneOf = (fileBytes: number, text: string): number =>
  fileBytes > limits.shortFileBytes || text.length > shared.learnShortCharacters ? 1 : 0

export const titleKey = (title: string): string => title.trim().toLowerCase()

export const documentToRow = (document: Document): DocumentRow => ({
  persona_id: document.personaId,
  id: document.id,
  kind: document.kind,
  title: document.title,
  title_key: titleKey(document.title),
  text: document.text,
  characters: document.text.length,
  raw_text: document.rawText,
  source_name: document.sourceName,
  said_by: document.saidBy,
  url: document.url,
  file_name: document.fileName,
  media_type: document.mediaType,
  file_bytes: document.fileBytes,
  start_time: document.startTime.getTime(),
  end_time: document.endTime?.getTime() ?? null,
  time_given: document.timeGiven ? 1 : 0,
  tags: JSON.stringify(document.tags),
  is_draft: document.isDraft ? 1 : 0,
  is_edited: document.isEdited ? 1 : 0,
  request_id: document.requestId,
  created_at: document.createdAt.getTime(),
  updated_at: document.updatedAt.getTime(),
  state: document.state,
  progress: document.progress,
  error: document.error,
  attempts: document.attempts,
  due_at: document.createdAt.getTime(),
  lease: null,
  lease_until: null,
  lane: document.kind === 'collection' ? 1 : laneOf(document.fileBytes, document.text),
  changed_at: Date.now(),
  origin: null,
  origin_hash: null,
})

export const listedColumns = [
  'persona_id',
  'id',
  'kind',
  'title',
  'characters',
  'source_name',
  'said_by',
  'url',
  'file_name',
  'media_type',
  'file_bytes',
  'start_time',
  'end_time',
  'time_given',
  'tags',
  'is_draft',
  'is_edited',
  'request_id',
  'created_at',
  'updated_at',
  'state',
  'progress',
  'error',
  'attempts',
] as const satisfies (keyof DocumentRow)[]

type ListedRow = Pick<DocumentRow, (typeof listedColumns)[number]>

export const documentFromRow = (row: DocumentRow): Document => {
  const { characters: _, ...listed } = listedFromRow(row)
  return { ...listed, text: row.text, rawText: row.raw_text }
}

export const listedFromRow = (row: ListedRow): ListedDocument => ({
  personaId: row.persona_id,
  id: row.id,
  kind: row.kind,
  title: row.title,
  characters: row.characters,
  sourceName: row.source_name,
  saidBy: row.said_by,
  url: row.url,
  fileName: row.file_name,
  mediaType: row.media_type,
  fileBytes: row.file_bytes,
  startTime: new Date(row.start_time),
  endTime: row.end_time === null ? null : new Date(row.end_time),
  timeGiven: row.time_given === 1,
  tags: JSON.parse(row.tags),
  isDraft: row.is_draft === 1,
  isEdited: row.is_edited === 1,
  requestId: row.request_id,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
  state: row.state,
  progress: row.progress,
  error: row.error,
  attempts: row.attempts,
})
