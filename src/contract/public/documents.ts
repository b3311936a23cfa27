// Giving a persona documents and memories, and looking at what it was given.
import { z } from 'zod'
import * as field from '../fields.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { next, pages } from '../pages.ts'
import { Acknowledgement, DocumentSummary, FeedRecord, ListedDocument, MemoryAnswer, Recollections } from './answers.ts'
import { at, FIELD_INVALID, KEY_INVALID, persona, refused, sourceName } from './shared.ts'

const id = field.text(limits.nameCharacters).min(1, 'is empty')
const size = field.count(limits.documentsPerList)
const tags = field.tags.optional().describe('Comma-delimited, or an array.')

const uploadFields = {
  Title: field.text(limits.titleCharacters).optional().describe('Unset: found in the content, where it has one.'),
  ...persona,
  StartTime: field.time
    .optional()
    .describe('Start of the time the content speaks of. Default: found in the content, else now.'),
  EndTime: field.time.optional().describe('Where the content speaks of a span of time, its end.'),
  Tags: tags,
  is_stack: field.flag
    .default(true)
    .describe('false: stored as a draft, not used for replies until published or named in Events.'),
}

// Read for legacy keys alone; other callers may send anything there.
const older = z.string().optional().catch(undefined)

export const documentOperations = {
  uploadUrl: operation({
    name: 'uploadUrl',
    method: 'POST',
    ...at('/v1/upload-url', '/v1/upload'),
    summary: 'Add the content behind a URL to memory',
    about: 'The page is fetched and read before the answer; it is learned after it.',
    scope: 'upload',
    once: true,
    stores: true,
    unauthorized: refused('AI url upload unauthorized.'),
    body: z.object({
      Url: field.text(limits.urlCharacters).min(1, 'is empty').describe('The address of a page or a file.'),
      ...uploadFields,
    }),
    answer: Acknowledgement,
    errors: {
      400: 'The URL is invalid or cannot be accessed, or a field is malformed.',
      403: KEY_INVALID,
      422: 'There is nothing to read behind the URL.',
    },
  }),
  uploadText: operation({
    name: 'uploadText',
    method: 'POST',
    ...at('/v1/upload-text'),
    summary: 'Add a text document to memory',
    scope: 'upload',
    once: true,
    stores: true,
    unauthorized: refused('AI document upload unauthorized.'),
    body: z.object({ Text: field.filledText.describe('The document.'), ...uploadFields }),
    answer: Acknowledgement,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
  uploadFile: operation({
    name: 'uploadFile',
    method: 'POST',
    ...at('/v1/upload-file'),
    summary: 'Add a file to memory',
    about:
      'A multipart form with the part `file` and the part `message_request`, a JSON object of the fields below; ' +
      'or the fields as parts of their own.',
    scope: 'upload',
    once: true,
    stores: true,
    unauthorized: refused('AI memory api unauthorized.'),
    multipart: true,
    query: z.object(persona),
    body: z.object(uploadFields),
    answer: Acknowledgement,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 413: 'The file is too large.' },
  }),
  memory: operation({
    name: 'memory',
    method: 'POST',
    ...at('/v1/memory'),
    summary: 'Create a text memory',
    scope: 'memory',
    once: true,
    stores: true,
    unauthorized: refused('AI memory api unauthorized.'),
    body: z.object({
      Text: field.filledText.describe('What to remember.'),
      ...persona,
      SourceName: sourceName.optional().describe('Required, except for legacy keys.'),
      Createdtime: field
        .text(limits.timeCharacters)
        .optional()
        .describe('Time with zone. Default: now.')
        .meta({ examples: ['Mon, 8 May 2023 13:56:00 PST'] }),
      SourceApp: older.describe('Legacy keys: SourceName by its older name.'),
      StartTime: older.describe('Legacy keys: Createdtime by its older name.'),
      RawFeedText: field.longText.optional().describe('Formatted text, stored as given.'),
      Tags: tags,
    }),
    answer: MemoryAnswer,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
  documents: operation({
    name: 'documents',
    method: 'POST',
    ...at('/v1/document'),
    summary: 'Get one named document, or a list of documents, newest first',
    scope: 'read',
    unauthorized: refused('AI document api unauthorized.'),
    query: z.object({ size }),
    body: z.object({
      ...persona,
      Text: field.text(limits.titleCharacters).optional().describe('Title of the document; blank: a list.'),
    }),
    answer: z.array(DocumentSummary),
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
  updateDocument: operation({
    name: 'updateDocument',
    method: 'PUT',
    ...at('/v1/update-document'),
    summary: 'Replace the text of one document',
    about:
      'The entire new text must be sent. The old one is stored as a revision. ' +
      'Without Text the record comes back as it is.',
    scope: 'update',
    unauthorized: refused('AI document api unauthorized.', 503),
    query: z.object({ feed_id: id.optional() }),
    body: z.object({
      ...persona,
      DocumentId: id.optional().describe('feed_id by its older name, where the address has none.'),
      Text: field.longText
        .optional()
        .meta({ blankCounts: true, description: 'The whole new text. Left out: nothing is replaced.' }),
    }),
    answer: FeedRecord,
    errors: { 400: FIELD_INVALID, 404: 'The persona has no such document.', 503: KEY_INVALID },
  }),
  documentById: operation({
    name: 'documentById',
    method: 'GET',
    ...at('/v1/get-document'),
    summary: 'Get one document by its id, as older connectors do',
    scope: 'read',
    unauthorized: refused('AI document api unauthorized.'),
    query: z.object({ ...persona, DocumentId: id }),
    answer: DocumentSummary,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 404: 'The persona has no such document.' },
  }),
  documentList: operation({
    name: 'documentList',
    method: 'GET',
    path: '/v1/document/list',
    summary: 'List documents without their texts, newest first, in pages',
    scope: 'read',
    unauthorized: refused('AI document api unauthorized.'),
    query: z.object({ ...persona, ...pages.shape }),
    answer: z.object({ documents: z.array(ListedDocument), next }),
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
  recall: operation({
    name: 'recall',
    method: 'POST',
    path: '/v1/recall',
    summary: 'The memories that a question brings up, best first',
    about: 'Nothing is answered, and nothing kept.',
    scope: 'read',
    unauthorized: refused('AI memory api unauthorized.'),
    body: z.object({
      Text: field.filledText.describe('The question, as it would be asked.'),
      ...persona,
      SessionId: field.sessionId.optional().describe('The question is a follow-up in this session.'),
      size: field
        .count(limits.recallSize)
        .default(limits.recallSizeDefault)
        .describe(`How many, ${limits.recallSize} at most.`),
    }),
    answer: Recollections,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 404: 'The persona has no such session.' },
  }),
  embed: operation({
    name: 'embed',
    method: 'POST',
    path: '/v1/embed',
    summary: 'The vectors of texts, by the embedding model that recall uses',
    scope: 'message',
    unauthorized: refused('AI message api unauthorized.'),
    body: z.object({
      ...persona,
      Texts: z
        .array(field.text(limits.embedCharacters).min(1, 'is empty'), { error: 'must be an array of strings' })
        .min(1, 'is empty')
        .max(limits.embedTexts, `holds more than ${limits.embedTexts} texts`)
        .describe(`What to embed, ${limits.embedTexts} at most.`),
    }),
    answer: z.object({
      embedder: z.string(),
      vectors: z.array(z.array(z.number())).describe('of unit length, in order'),
    }),
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
  memoryList: operation({
    name: 'memoryList',
    method: 'GET',
    ...at('/v1/memory/list'),
    summary: 'List memories, newest first, as older programs do',
    scope: 'read',
    unauthorized: refused('AI memory api unauthorized.'),
    query: z.object({ ...persona, size: size.default(limits.pageSizeDefault) }),
    answer: MemoryAnswer,
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
  }),
} as const
