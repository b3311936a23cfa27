// What the owner may see of documents, and do with them.
import { z } from 'zod'
import { documentKinds, documentStates } from '../domain/document.ts'
import { DocumentAnswer, ReceiptAnswer, time, UnpackedAnswer } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'
import { next, pages } from './pages.ts'

const persona = '/admin/personas/{domain_name}'

const ONE = { 401: 'No key in x-api-key.', 403: 'Not an admin key.', 404: 'There is no such thing.' } as const

// How lists of documents and memories are narrowed down.
export const within = {
  tag: field.text(limits.tagCharacters).optional().describe('Only with this tag.'),
  source: field.text(limits.nameCharacters).optional().describe('Only from this source.'),
  since: field.time.optional().describe('Only what speaks of this time or later.'),
  until: field.time.optional().describe('Only what speaks of this time or earlier.'),
}

export const documentsOperations = {
  listDocuments: operation({
    name: 'listDocuments',
    method: 'GET',
    path: `${persona}/documents`,
    summary: 'List documents with their state, searched, narrowed down and sorted',
    query: pages.extend({
      request_id: field.text(limits.nameCharacters).optional().describe('Only what came with this x-request-id.'),
      text: field
        .text(limits.nameCharacters)
        .optional()
        .describe('Words, as they stand in its title, in the name of its file or in its address.'),
      kind: z.enum(documentKinds, { error: `must be one of ${documentKinds.join(', ')}` }).optional(),
      state: z.enum(documentStates, { error: `must be one of ${documentStates.join(', ')}` }).optional(),
      draft: field.flag.optional().describe('Only drafts, or only what is none.'),
      sort: z
        .enum(['newest', 'oldest', 'title'], { error: 'must be newest, oldest or title' })
        .default('newest')
        .describe('By the time of upload, or by title.'),
      ...within,
    }),
    answer: z.object({ documents: z.array(DocumentAnswer), next }),
    errors: ONE,
  }),
  getDocument: operation({
    name: 'getDocument',
    method: 'GET',
    path: `${persona}/documents/{id}`,
    summary: 'Get one document with its text',
    answer: DocumentAnswer.extend({
      text: z.string(),
      unpacked: UnpackedAnswer.nullable().describe('Of a collection: what came out of it.'),
    }),
    errors: ONE,
  }),
  changeDocument: operation({
    name: 'changeDocument',
    method: 'PATCH',
    path: `${persona}/documents/{id}`,
    summary: 'Change what is told about a document or a plain memory: title, tags, source, time',
    about: 'With a new time it is learned anew. Its text is changed with PUT /v1/update-document.',
    body: z.object({
      title: field.text(limits.titleCharacters).optional().describe('What it is called.'),
      tags: field.tags.optional().describe('All of its tags, as a list or separated by commas.'),
      source_name: field.text(limits.nameCharacters).min(1, 'is empty').optional().describe('Where it comes from.'),
      start_time: field.time.optional().describe('The time it speaks of.'),
    }),
    answer: DocumentAnswer,
    errors: { 400: 'A field is missing or malformed.', ...ONE },
  }),
  readFile: operation({
    name: 'readFile',
    method: 'GET',
    path: `${persona}/documents/{id}/file`,
    summary: 'Read the file that a document came from, a stretch at a time',
    query: z.object({
      from: z.coerce
        .number({ error: 'must be a whole number' })
        .int('must be a whole number')
        .min(0, 'must be a whole number')
        .default(0)
        .describe('`next` of the stretch before this one.'),
    }),
    answer: z.object({
      file_name: z.string().nullable(),
      media_type: z.string().nullable(),
      file_bytes: z.number().describe('of the whole'),
      base64: z.string(),
      next: z.number().nullable().describe('null on the last'),
    }),
    errors: { 400: 'A field is missing or malformed.', ...ONE, 422: 'The file was damaged on the disk.' },
  }),
  retryDocument: operation({
    name: 'retryDocument',
    method: 'POST',
    path: `${persona}/documents/{id}/retry`,
    summary: 'Learn a failed document again',
    answer: DocumentAnswer,
    errors: ONE,
  }),
  publishDocument: operation({
    name: 'publishDocument',
    method: 'POST',
    path: `${persona}/documents/{id}/publish`,
    summary: 'Let a draft join memory',
    answer: DocumentAnswer,
    errors: ONE,
  }),
  deleteDocument: operation({
    name: 'deleteDocument',
    method: 'DELETE',
    path: `${persona}/documents/{id}`,
    summary: 'Delete a document with its memories, revisions and bytes',
    answer: ReceiptAnswer,
    errors: ONE,
  }),
  listRevisions: operation({
    name: 'listRevisions',
    method: 'GET',
    path: `${persona}/documents/{id}/revisions`,
    summary: 'The texts a document had before, newest first',
    answer: z.object({ revisions: z.array(z.object({ revision: z.number(), text: z.string(), replaced_at: time })) }),
    errors: ONE,
  }),
} as const
