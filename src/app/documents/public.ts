// Documents: accepted and stored before the answer, learned after it.
import { limits } from '../../contract/limits.ts'
import { publicOperations } from '../../contract/public-api.ts'
import type { Document } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime } from '../../domain/time.ts'
import { readUrl } from '../../learn/read-url.ts'
import type { Content } from '../../ports/extractor.ts'
import type { Once, Pieces } from '../../ports/store.ts'
import { allowEffect, type Caller, may } from '../access.ts'
import { map } from '../in-turn.ts'
import type { Needs } from '../needs.ts'
import { legacyFields, onceOf } from '../once.ts'
import { nextOf, pageOf } from '../pages.ts'
import type { Implementation, PublicRequest } from '../request.ts'
import { newDocument } from './new-document.ts'
import { presentFeed, presentListed, presentSummary } from './present.ts'

export const uploadText: Implementation<'uploadText'> = async (needs, { caller, persona, body }) => {
  const title = body.Title ?? firstLine(body.Text)
  const document = newDocument(persona, caller, { kind: 'text', title, text: body.Text, ...uploadedFields(body) })
  return accept(needs, caller, document, 'doc', { once: await onceOf(caller, 'uploadText', body) })
}

export const uploadUrl: Implementation<'uploadUrl'> = async (needs, { caller, persona, body }) => {
  const given = uploadedFields(body)
  const { content: page, extracted: read, bytesSuffice } = await readUrl(needs, body.Url)
  const document = newDocument(persona, caller, {
    kind: 'url',
    title: body.Title ?? read.title ?? page.url,
    text: read.text,
    url: body.Url,
    fileName: page.name,
    mediaType: page.mediaType,
    fileBytes: bytesSuffice ? page.bytes.length : 0,
    ...given,
    startTime: given.startTime ?? read.time ?? new Date(),
  })
  const file = bytesSuffice ? () => piecesOf(page) : undefined
  return accept(needs, caller, document, 'url', { file, once: await onceOf(caller, 'uploadUrl', body) })
}

export const uploadFile: Implementation<'uploadFile'> = async (needs, { caller, persona, body, file }) => {
  const { fileBytes } = needs.sizes
  if (file.size === 0) throw new AppError('invalid', 'The file is empty.')
  if (file.size > fileBytes) throw new AppError('too_large', `The file is larger than ${fileBytes} bytes.`)
  const document = newDocument(persona, caller, {
    kind: 'file',
    title: body.Title ?? file.name ?? 'Untitled file',
    text: '',
    fileName: file.name,
    mediaType: file.mediaType,
    fileBytes: file.size,
    ...uploadedFields(body),
  })
  const once = await onceOf(caller, 'uploadFile', body, file.pieces)
  return accept(needs, caller, document, 'file', { file: file.pieces, once })
}

export const documents: Implementation<'documents'> = async ({ store }, { persona, body, query }) =>
  map(store.documents.wholeInTurn(persona.id, { limit: query.size, title: body.Text }), presentSummary)

// Whoever may not read documents gets back what they sent, and nothing that was there before.
export const updateDocument: Implementation<'updateDocument'> = async (needs, { caller, persona, body, query }) => {
  const { documents } = needs.store
  const id = query.feed_id ?? body.DocumentId
  if (id === undefined) throw new AppError('invalid', 'feed_id is missing.')
  if (body.Text === undefined) allowEffect(caller, publicOperations.updateDocument, 'read')
  const before = await documents.get(persona.id, id)
  if (!before) throw missing()
  if (body.Text === undefined) {
    const [last] = await documents.revisions(persona.id, before.id, 1)
    return presentFeed(persona, before, last?.text ?? '')
  }
  const after = await documents.replaceText(persona.id, before.id, body.Text, new Date())
  if (!after) throw missing()
  needs.onAccepted()
  return presentFeed(persona, after, may(caller, 'read') ? before.text : '')
}

const missing = () => new AppError('not_found', 'This persona has no document with that feed_id.')

export const documentById: Implementation<'documentById'> = async ({ store }, { persona, query }) => {
  const found = await store.documents.get(persona.id, query.DocumentId)
  if (!found) throw new AppError('not_found', 'This persona has no document with that DocumentId.')
  return presentSummary(found)
}

export const documentList: Implementation<'documentList'> = async ({ store }, { persona, query }) => {
  const found = await store.documents.list(persona.id, pageOf(query))
  return { documents: found.map(presentListed), next: nextOf(found, query.limit) }
}

async function accept(
  needs: Needs,
  caller: Caller,
  document: Document,
  noun: 'url' | 'doc' | 'file',
  more: { file?: Pieces | undefined; once: Once | undefined },
) {
  const id = await needs.store.documents.add(document, more)
  caller.onDocument?.(id)
  needs.onAccepted()
  return { message: `${noun} accepted and processing`, ...legacyFields(caller) }
}

type UploadFields = Pick<PublicRequest<'uploadText'>['body'], 'Tags' | 'is_stack' | 'StartTime' | 'EndTime'>

function uploadedFields({ Tags, is_stack, StartTime, EndTime }: UploadFields): Partial<Document> {
  const start = StartTime === undefined ? undefined : parseTime(StartTime)
  const end = EndTime === undefined ? undefined : parseTime(EndTime)
  if (start && end && end < start) throw new AppError('invalid', 'EndTime is before StartTime.')
  return {
    tags: Tags ?? [],
    isDraft: !is_stack,
    timeGiven: start !== undefined,
    ...(start && { startTime: start }),
    endTime: end ?? null,
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

async function* piecesOf({ bytes }: Content): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += limits.filePieceBytes) yield bytes.subarray(at, at + limits.filePieceBytes)
}
