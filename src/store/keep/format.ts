// The lines of a persona's export: which columns of which table, under their own names. docs/keep.md has them for
// people; persona_id stays out, so that they can be anybody's.
import { AppError } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/memory.ts'
import type { Row, Table } from '../rows.ts'

type Kind = 'text' | 'text?' | 'number' | 'number?' | 'json' | 'pages?' | 'bytes'
type Columns = Record<string, Kind>

export const formats = {
  documents: {
    id: 'text',
    kind: 'text',
    title: 'text',
    title_key: 'text',
    text: 'text',
    characters: 'number',
    raw_text: 'text?',
    source_name: 'text',
    url: 'text?',
    file_name: 'text?',
    media_type: 'text?',
    file_bytes: 'number',
    start_time: 'number',
    end_time: 'number?',
    time_given: 'number',
    tags: 'json',
    is_draft: 'number',
    is_edited: 'number',
    request_id: 'text',
    created_at: 'number',
    updated_at: 'number',
    state: 'text',
    error: 'text?',
    lane: 'number',
    origin: 'text?',
    origin_hash: 'text?',
  },
  revisions: { document_id: 'text', revision: 'number', text: 'text', replaced_at: 'number' },
  memories: {
    id: 'text',
    document_id: 'text',
    position: 'number',
    text: 'text',
    time: 'number',
    headings: 'json',
    page: 'number?',
    page_starts: 'pages?',
    start: 'number',
    end: 'number',
    speaker: 'text?',
  },
  // By the id of their memory: numbers belong to a store.
  traces: { memory_id: 'text', speaker: 'text?', is_turn: 'number', is_self: 'number', words: 'bytes' },
  vectors: { memory_id: 'text', embedder: 'text', bytes: 'bytes' },
  // With the id of the key that began it: nobody else's key reads it after an import.
  sessions: {
    id: 'text',
    messages: 'number',
    started_at: 'number',
    last_at: 'number',
    title: 'text',
    source_app: 'text',
    holder: 'text?',
  },
  messages: {
    session_id: 'text',
    position: 'number',
    id: 'text',
    role: 'text',
    text: 'text',
    score: 'number',
    source_app: 'text',
    user_name: 'text?',
    metadata: 'json',
    time: 'number',
  },
  replies: {
    id: 'text',
    session_id: 'text',
    question: 'text',
    text: 'text',
    score: 'number',
    logit: 'number',
    decision: 'text',
    answered_by: 'text',
    took_ms: 'number',
    label: 'text?',
    explanation: 'json',
    created_at: 'number',
  },
  drafts: {
    id: 'text',
    session_id: 'text',
    question: 'text',
    text: 'text',
    score: 'number',
    reason: 'text',
    sources: 'json',
    source_app: 'text',
    created_at: 'number',
  },
  sources: {
    id: 'text',
    url: 'text',
    kind: 'text?',
    title: 'text',
    every_ms: 'number?',
    look: 'number',
    looked_at: 'number?',
    created_at: 'number',
    updated_at: 'number',
  },
  source_pages: {
    source_id: 'text',
    url: 'text',
    look: 'number',
    outcome: 'text',
    reason: 'text?',
    version: 'text?',
    hash: 'text?',
    etag: 'text?',
    last_modified: 'text?',
    document_id: 'text?',
    fetched_at: 'number',
  },
  // Without their secrets.
  triggers: {
    id: 'text',
    name: 'text',
    source: 'text',
    events: 'text',
    url: 'text',
    created_at: 'number',
    updated_at: 'number',
  },
} as const satisfies Partial<Record<Table, Columns>>

export type Format = keyof typeof formats
export const formatNames = Object.keys(formats) as Format[]

const entriesOf = (format: Format) => Object.entries(formats[format] as Columns)

export function toLine(format: Format, row: Row): string {
  const values = entriesOf(format).map(([column, kind]) => [column, valueToLine(row[column], kind)])
  return `${JSON.stringify(Object.fromEntries(values))}\n`
}

function valueToLine(value: unknown, kind: Kind): unknown {
  if (kind === 'json' || kind === 'pages?') return JSON.parse(value as string)
  return kind === 'bytes' ? Buffer.from(value as Uint8Array).toString('base64') : value
}

// Checked here and nowhere else: whoever wrote the line may have written it by hand.
export function fromLine(format: Format, line: string, at: string): Row {
  let given: Record<string, unknown>
  try {
    given = JSON.parse(line)
  } catch {
    throw new AppError('unreadable', `${at} is no JSON.`)
  }
  const values = entriesOf(format).map(([column, kind]) => [column, valueFromLine(given?.[column], kind, at, column)])
  return Object.fromEntries(values)
}

function valueFromLine(value: unknown, kind: Kind, at: string, column: string): unknown {
  if (kind.endsWith('?') && (value === null || value === undefined)) return null
  if (kind === 'json' && value !== undefined) return JSON.stringify(value)
  if (kind === 'pages?') {
    if (!arePageStarts(value)) throw new AppError('unreadable', `${at}: ${column} must be a list of start and page.`)
    return JSON.stringify(value)
  }
  const type = kind.startsWith('number') ? 'number' : 'string'
  const isRight = typeof value === type && (type === 'string' || Number.isFinite(value))
  // PostgreSQL keeps no NUL in a text.
  if (!isRight || (type === 'string' && (value as string).includes('\0')))
    throw new AppError('unreadable', `${at}: ${column} must be ${type === 'number' ? 'a number' : 'text'}.`)
  return kind === 'bytes' ? Buffer.from(value as string, 'base64') : value
}

const arePageStarts = (value: unknown): value is PageStart[] =>
  Array.isArray(value) &&
  value.every((one) => Number.isFinite(one?.start) && (one.page === null || Number.isFinite(one.page)))
