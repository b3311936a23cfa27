// Documents: accepted and kept before the answer, learned after it.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import * as api from '../contract/public-api.ts'
import type { UploadedFile } from '../contract/service.ts'
import type { Document, DocumentKind } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/id.ts'
import type { Persona } from '../domain/persona.ts'
import { parseTime } from '../domain/time.ts'
import { readUrl } from '../learn/read-url.ts'
import type { Content } from '../ports/extractor.ts'
import type { Once, Pieces } from '../ports/store.ts'
import { authorize, type Caller } from './access.ts'
import { map } from './in-turn.ts'
import type { Needs } from './needs.ts'
import { presentFeed, presentSummary } from './present.ts'
import { validate } from './validate.ts'

export async function uploadText(needs: Needs, caller: Caller, given: unknown) {
  const request = validate(api.uploadText.body, given, needs.limits.textCharacters)
  const times = timesOf(request)
  const persona = await authorize(needs.store, caller, api.uploadText, request.DomainName)
  const title = request.Title ?? firstLine(request.Text)
  const document = newDocument(persona, caller, {
    kind: 'text',
    title,
    text: request.Text,
    ...uploaded(request, times),
  })
  return accept(needs, caller, document, 'doc', { once: await onceOf(caller, api.uploadText, request) })
}

export async function uploadUrl(needs: Needs, caller: Caller, given: unknown) {
  const request = validate(api.uploadUrl.body, given, needs.limits.textCharacters)
  const times = timesOf(request)
  const persona = await authorize(needs.store, caller, api.uploadUrl, request.DomainName)
  const { content: page, extracted: read, bytesSuffice } = await readUrl(needs, request.Url)
  const document = newDocument(persona, caller, {
    kind: 'url',
    title: request.Title ?? read.title ?? page.url,
    text: read.text,
    url: request.Url,
    fileName: page.name,
    mediaType: page.mediaType,
    fileBytes: bytesSuffice ? page.bytes.length : 0,
    ...uploaded(request, times),
    startTime: times.start ?? read.time ?? new Date(),
  })
  const file = bytesSuffice ? () => pieces(page, needs.limits.filePieceBytes) : undefined
  return accept(needs, caller, document, 'url', { file, once: await onceOf(caller, api.uploadUrl, request) })
}

// `domainName` is the one in the address; it must not differ from the one among the fields.
export async function uploadFile(
  needs: Needs,
  caller: Caller,
  domainName: unknown,
  given: unknown,
  file: UploadedFile,
) {
  const query = validate(api.uploadFile.query, { DomainName: domainName }, needs.limits.textCharacters)
  const request = validate(api.uploadFile.body, given, needs.limits.textCharacters)
  const times = timesOf(request)
  if (query.DomainName && request.DomainName && query.DomainName.toLowerCase() !== request.DomainName.toLowerCase()) {
    throw new AppError('invalid', 'DomainName differs between the address and the form.')
  }
  const persona = await authorize(needs.store, caller, api.uploadFile, query.DomainName ?? request.DomainName)
  if (file.size === 0) throw new AppError('invalid', 'The file is empty.')
  if (file.size > needs.limits.fileBytes)
    throw new AppError('too_large', `The file is larger than ${needs.limits.fileBytes} bytes.`)
  const document = newDocument(persona, caller, {
    kind: 'file',
    title: request.Title ?? file.name ?? 'Untitled file',
    text: '',
    fileName: file.name,
    mediaType: file.mediaType,
    fileBytes: file.size,
    ...uploaded(request, times),
  })
  const once = await onceOf(caller, api.uploadFile, request, file.pieces)
  return accept(needs, caller, document, 'file', { file: file.pieces, once })
}

// One by one: together they may be more than memory should hold.
export async function documentsInTurn(needs: Needs, caller: Caller, size: unknown, given: unknown) {
  const query = validate(api.documents.query, { size }, needs.limits.textCharacters)
  const request = validate(api.documents.body, given, needs.limits.textCharacters)
  const persona = await authorize(needs.store, caller, api.documents, request.DomainName)
  return map(needs.store.documents.listInTurn(persona.id, { limit: query.size, title: request.Text }), presentSummary)
}

export async function updateDocument(needs: Needs, caller: Caller, feedId: unknown, given: unknown) {
  const query = validate(api.updateDocument.query, { feed_id: feedId }, needs.limits.textCharacters)
  const request = validate(api.updateDocument.body, given, needs.limits.textCharacters)
  const { store } = needs
  const persona = await authorize(store, caller, api.updateDocument, request.DomainName)
  const before = await store.documents.get(persona.id, query.feed_id)
  if (!before) throw new AppError('not_found', 'This persona has no document with that feed_id.')
  if (request.Text === undefined) {
    const [last] = await store.documents.revisions(persona.id, before.id, 1)
    return presentFeed(persona, before, last?.text ?? '')
  }
  const after = await store.documents.replaceText(persona.id, before.id, request.Text, new Date())
  if (!after) throw new AppError('not_found', 'This persona has no document with that feed_id.')
  needs.onAccepted()
  return presentFeed(persona, after, before.text)
}

// Text that becomes one memory: from the memory operation, a message with is_stack, an approved draft.
export const memoryDocument = (
  persona: Persona,
  caller: Pick<Caller, 'requestId'>,
  text: string,
  sourceName: string,
  more: Partial<Document> = {},
): Document => newDocument(persona, caller, { kind: 'memory', title: '', text, sourceName, ...more })

async function accept(
  needs: Needs,
  caller: Caller,
  document: Document,
  noun: 'url' | 'doc' | 'file',
  more: { file?: Pieces | undefined; once: Once | undefined },
) {
  await needs.store.documents.add(document, more)
  needs.onAccepted()
  return { message: `${noun} accepted and processing`, ...legacyFields(caller) }
}

// A request is the same when it asks the same of the same operation, with the same bytes.
export async function onceOf(
  { key, onceName }: Caller,
  operation: Operation,
  request: object,
  file?: Pieces,
): Promise<Once | undefined> {
  if (onceName === undefined) return undefined
  const hash = createHash('sha256').update(JSON.stringify([operation.name, request]))
  if (file) for await (const piece of file()) hash.update(piece)
  return { name: `${key.id}/${onceName}`, fingerprint: hash.digest('hex') }
}

// Programs of 2023 look for these two.
export const legacyFields = ({ key }: Caller) => (key.legacy ? { status: 'Memblock Created', success: true } : {})

type Times = { start: Date | undefined; end: Date | undefined }

function timesOf(request: { StartTime?: string | undefined; EndTime?: string | undefined }): Times {
  const start = request.StartTime === undefined ? undefined : parseTime(request.StartTime)
  const end = request.EndTime === undefined ? undefined : parseTime(request.EndTime)
  if (start && end && end < start) throw new AppError('invalid', 'EndTime is before StartTime.')
  return { start, end }
}

type UploadFields = Pick<z.output<typeof api.uploadText.body>, 'Tags' | 'is_stack'>

const uploaded = (request: UploadFields, { start, end }: Times): Partial<Document> => ({
  tags: request.Tags ?? [],
  isDraft: !request.is_stack,
  timeGiven: start !== undefined,
  ...(start && { startTime: start }),
  endTime: end ?? null,
})

function newDocument(
  persona: Persona,
  caller: Pick<Caller, 'requestId'>,
  fields: Partial<Document> & { kind: DocumentKind; title: string; text: string },
): Document {
  const now = new Date()
  return {
    personaId: persona.id,
    id: newId(),
    rawText: null,
    sourceName: 'api',
    url: null,
    fileName: null,
    mediaType: null,
    fileBytes: 0,
    startTime: now,
    endTime: null,
    timeGiven: false,
    tags: [],
    isDraft: false,
    isEdited: false,
    requestId: caller.requestId,
    createdAt: now,
    updatedAt: now,
    state: 'waiting',
    progress: 0,
    error: null,
    attempts: 0,
    ...fields,
  }
}

const TITLE_CHARACTERS = 80

// A text without a title is named by its first line, as people name notes.
function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n', 1)[0]!
    .replace(/^#+\s*/, '')
    .trim()
  if (line.length <= TITLE_CHARACTERS) return line
  const beginning = line.slice(0, TITLE_CHARACTERS)
  const lastSpace = beginning.lastIndexOf(' ')
  return `${(lastSpace < 0 ? beginning : beginning.slice(0, lastSpace)).trimEnd()}…`
}

async function* pieces({ bytes }: Content, pieceBytes: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
