// The public interface: nine operations and the few around them.
import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import * as field from './fields.ts'
import { operation } from './operation.ts'
import {
  Acknowledgement,
  DocumentSummary,
  FeedRecord,
  HistoryEntry,
  InstructionReply,
  MemoryAnswer,
  Reply,
} from './public-answers.ts'

const url = field.text(limits.urlCharacters)
const refused = (sentence: string, status: 403 | 503 = 403) => ({ status, sentence })
const KEY_INVALID = 'The key is missing, wrong, revoked or expired, lacks the scope, or the persona is not its own.'
const FIELD_INVALID = 'A field is missing or malformed; detail names it. Nothing was stored.'

const shared = { DomainName: field.domainNameOrDefault }
const sourceName = field.text(limits.nameCharacters).describe('The program the request comes from.')

const include = z
  .enum(['sources'], { error: 'may only be sources' })
  .optional()
  .describe('sources: the reply also names the memories it rests on.')

export const message = operation({
  name: 'message',
  method: 'POST',
  path: '/v1/message',
  summary: 'Send a message to the persona and get its reply',
  scope: 'message',
  unauthorized: refused('AI message api unauthorized.'),
  query: z.object({ include }),
  body: z.object({
    Text: field.longText.min(1, 'is empty').describe('The message.'),
    Context: field
      .text(limits.contextCharacters)
      .optional()
      .describe('Extra context for the reply, like an instruction for it.'),
    ...shared,
    UserName: field.text(limits.nameCharacters).optional().describe('Who is writing.'),
    SessionId: field.sessionId.optional(),
    Events: field
      .text(limits.eventsCharacters)
      .optional()
      .describe('Titles of documents to answer from, separated by ":".'),
    SourceName: sourceName.optional(),
    is_stack: field.flag.default(false).describe('Also add Text to memory.'),
    is_draft: field.flag.default(false).describe('Keep the reply as a draft for the owner.'),
    Metadata: z
      .record(z.string(), z.unknown(), { error: 'must be an object' })
      .optional()
      .describe('Of your own, kept with the message and given back by conversation.'),
  }),
  answer: Reply,
  errors: {
    400: FIELD_INVALID,
    403: KEY_INVALID,
    503: 'The reply scored below the threshold; it waits as a draft for the owner.',
  },
})

export const messageStream = operation({
  ...message,
  name: 'messageStream',
  path: '/v1/message/stream',
  summary: 'Send a message and get the reply as server-sent events',
  about:
    'Lines of `data: {"ai_message": "<next part>", "SessionId": "…"}`, then one object with the whole reply, then `data: [DONE]`. ' +
    'A persona with a threshold has its reply scored first: one below it is the 503, not a stream. Without a threshold, the parts ' +
    'come as a chat model writes them. The whole counts: where a model breaks off, it may differ from the parts.',
  stream: true,
})

export const instruction = operation({
  name: 'instruction',
  method: 'POST',
  path: '/v1/instruction',
  summary: 'Send an instruction to the persona',
  scope: 'instruction',
  unauthorized: refused('AI message api unauthorized.'),
  query: z.object({
    cmd: z
      .enum(['chatgpt', 'chat-model', 'search'], { error: 'must be chatgpt or search' })
      .describe('chat-model is another name of chatgpt.'),
    include,
  }),
  body: z.object({
    Text: field.longText.min(1, 'is empty').describe('The instruction.'),
    Context: field
      .text(limits.contextCharacters)
      .optional()
      .describe('What else to go by: the text to summarise, say.'),
    ...shared,
    UserName: field.text(limits.nameCharacters).optional().describe('Who is writing.'),
    SessionId: field.sessionId.optional(),
    SourceName: sourceName.optional(),
    is_message: field.flag.default(false).describe('Treat the instruction as a message.'),
  }),
  answer: InstructionReply,
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 503: 'The instruction could not be processed; detail says why.' },
})

const uploadFields = {
  Title: field.text(limits.titleCharacters).optional().describe('Unset: found in the content, where it has one.'),
  ...shared,
  StartTime: field.time
    .optional()
    .describe('Start of the time the content speaks of. Default: found in the content, else now.'),
  EndTime: field.time.optional().describe('Where the content speaks of a span of time, its end.'),
  Tags: field.tags.optional().describe('Comma-delimited, or an array.'),
  is_stack: field.flag
    .default(true)
    .describe('false: stored as a draft, not used for replies until published or named in Events.'),
}

export const uploadUrl = operation({
  name: 'uploadUrl',
  method: 'POST',
  path: '/v1/upload-url',
  summary: 'Add the content behind a URL to memory',
  about: 'The page is fetched and read before the answer; it is learned after it.',
  scope: 'upload',
  once: true,
  unauthorized: refused('AI url upload unauthorized.'),
  body: z.object({ Url: url.min(1, 'is empty').describe('The address of a page or a file.'), ...uploadFields }),
  answer: Acknowledgement,
  errors: {
    400: 'The URL is invalid or cannot be accessed, or a field is malformed.',
    403: KEY_INVALID,
    422: 'There is nothing to read behind the URL.',
  },
})

export const uploadText = operation({
  name: 'uploadText',
  method: 'POST',
  path: '/v1/upload-text',
  summary: 'Add a text document to memory',
  scope: 'upload',
  once: true,
  unauthorized: refused('AI document upload unauthorized.'),
  body: z.object({ Text: field.longText.min(1, 'is empty').describe('The document.'), ...uploadFields }),
  answer: Acknowledgement,
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
})

export const uploadFile = operation({
  name: 'uploadFile',
  method: 'POST',
  path: '/v1/upload-file',
  summary: 'Add a file to memory',
  about:
    'A multipart form with the part `file` and the part `message_request`, a JSON object of the fields below; or the fields as parts of their own.',
  scope: 'upload',
  once: true,
  unauthorized: refused('AI memory api unauthorized.'),
  multipart: true,
  query: z.object(shared),
  body: z.object(uploadFields),
  answer: Acknowledgement,
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 413: 'The file is too large.' },
})

export const memory = operation({
  name: 'memory',
  method: 'POST',
  path: '/v1/memory',
  summary: 'Create a text memory',
  scope: 'memory',
  once: true,
  unauthorized: refused('AI memory api unauthorized.'),
  body: z.object({
    Text: field.longText.min(1, 'is empty').describe('What to remember.'),
    ...shared,
    SourceName: sourceName.optional().describe('Required, except for legacy keys.'),
    Createdtime: field
      .text(200)
      .optional()
      .describe('Time with zone. Default: now.')
      .meta({ examples: ['Mon, 8 May 2023 13:56:00 PST'] }),
    RawFeedText: field.longText.optional().describe('Formatted text, stored as given.'),
    Tags: field.tags.optional().describe('Comma-delimited, or an array.'),
  }),
  answer: MemoryAnswer,
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
})

export const conversation = operation({
  name: 'conversation',
  method: 'POST',
  path: '/v1/conversation',
  summary: 'Read the history of a session, oldest first',
  scope: 'read',
  unauthorized: refused('AI conversation api unauthorized.'),
  body: z.object({ ...shared, SessionId: field.sessionId.min(1, 'is empty') }),
  answer: z.array(HistoryEntry),
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 404: 'The persona has no such session.' },
})

export const documents = operation({
  name: 'documents',
  method: 'POST',
  path: '/v1/document',
  summary: 'Get one named document, or a list of documents, newest first',
  scope: 'read',
  unauthorized: refused('AI document api unauthorized.'),
  query: z.object({
    size: z.coerce
      .number({ error: `must be an integer from 1 to ${limits.documentsPerList}` })
      .int(`must be an integer from 1 to ${limits.documentsPerList}`)
      .min(1, `must be an integer from 1 to ${limits.documentsPerList}`)
      .max(limits.documentsPerList, `must be an integer from 1 to ${limits.documentsPerList}`),
  }),
  body: z.object({
    ...shared,
    Text: field.text(limits.titleCharacters).optional().describe('Title of the document; blank: a list.'),
  }),
  answer: z.array(DocumentSummary),
  errors: { 400: FIELD_INVALID, 403: KEY_INVALID },
})

export const updateDocument = operation({
  name: 'updateDocument',
  method: 'PUT',
  path: '/v1/update-document',
  summary: 'Replace the text of one document',
  about:
    'The entire new text must be sent. The old one is kept as a revision. Without Text the record comes back as it is.',
  scope: 'update',
  unauthorized: refused('AI document api unauthorized.', 503),
  query: z.object({ feed_id: field.text(limits.nameCharacters).min(1, 'is empty') }),
  body: z.object({
    ...shared,
    Text: field.longText
      .optional()
      .meta({ blankCounts: true, description: 'The whole new text. Left out: nothing is replaced.' }),
  }),
  answer: FeedRecord,
  errors: { 400: FIELD_INVALID, 404: 'The persona has no such document.', 503: KEY_INVALID },
})

export const validateKey = operation({
  name: 'validateKey',
  method: 'GET',
  path: '/v1/api-key/validate',
  summary: 'Check a key',
  unauthorized: refused('API key unauthorized.'),
  answer: z.object({
    validation: z.literal('success'),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
  }),
  errors: { 403: 'The key is missing, wrong, revoked or expired.' },
})

// The older name of upload-url.
export const upload = operation({
  ...uploadUrl,
  name: 'upload',
  path: '/v1/upload',
  summary: 'Older name of upload-url',
})

export const publicOperations = [
  message,
  instruction,
  uploadUrl,
  uploadText,
  uploadFile,
  memory,
  conversation,
  documents,
  updateDocument,
  validateKey,
  upload,
  messageStream,
] as const
