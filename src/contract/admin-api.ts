// The owner's interface under /admin. A call's path parameters, query and body are one flat set of fields.
import { z } from 'zod'
import { scopes } from '../domain/access.ts'
import { DraftAnswer, KeyAnswer, MemoryAnswer, PersonaAnswer, ReceiptAnswer } from './admin-answers.ts'
import { auditOperations } from './audit-api.ts'
import { documentsOperations } from './documents-api.ts'
import * as field from './fields.ts'
import { backupsOperation, deleteCallerOperation } from './keep-api.ts'
import { limits } from './limits.ts'
import { modelsOperations } from './models-api.ts'
import { noticesOperations } from './notices-api.ts'
import { operation } from './operation.ts'
import { ownerOperations } from './owner-api.ts'
import { next, pages } from './pages.ts'
import { peopleOperations } from './people-api.ts'
import { instructions, model, ownerFields, picture, requiresSourceName, sharing, threshold } from './persona-fields.ts'
import { recallOperations } from './recall-api.ts'
import { repliesOperations } from './replies-api.ts'
import { sessionsOperations } from './sessions-api.ts'
import { sourcesOperations } from './sources-api.ts'
import { triggersOperations } from './triggers-api.ts'
import { waitingOperations } from './waiting-api.ts'

const KEY = { 401: 'No key in x-api-key.', 403: 'Not an admin key.' } as const
const ONE = { ...KEY, 404: 'There is no such thing.' } as const
const BODY = { 400: 'A field is missing or malformed.', ...KEY } as const
const persona = '/admin/personas/{domain_name}'

export const adminOperations = {
  createPersona: operation({
    name: 'createPersona',
    method: 'POST',
    path: '/admin/personas',
    summary: 'Create a persona',
    body: z.object({
      domain_name: field.domainName.describe('What callers name it by. It cannot be changed.'),
      name: field.text(limits.nameCharacters).min(1, 'is empty').describe('What it is called.'),
      picture: picture.optional(),
      threshold: threshold.default(0),
      instructions: instructions.default(''),
      model: model.nullable().optional().describe('A chat model of its own. Unset: the one of the settings, if any.'),
      requires_source_name: requiresSourceName.default(false),
      owner: z
        .object(ownerFields, { error: 'must be an object' })
        .optional()
        .describe('Whom GET /v1/api-key/validate and feed records name: name, email, picture.'),
      sharing: sharing.optional(),
    }),
    answer: PersonaAnswer,
    errors: { ...BODY, 409: 'The domain name is taken.' },
  }),
  listPersonas: operation({
    name: 'listPersonas',
    method: 'GET',
    path: '/admin/personas',
    summary: 'List the personas',
    answer: z.object({ personas: z.array(PersonaAnswer) }),
    errors: KEY,
  }),
  getPersona: operation({
    name: 'getPersona',
    method: 'GET',
    path: persona,
    summary: 'Get one persona',
    answer: PersonaAnswer,
    errors: ONE,
  }),
  changePersona: operation({
    name: 'changePersona',
    method: 'PATCH',
    path: persona,
    summary: 'Change a persona',
    body: z.object({
      name: field.text(limits.nameCharacters).min(1, 'is empty').optional().describe('What it is called.'),
      picture: picture.nullable().optional().meta({ blankCounts: true, description: picture.description }),
      threshold: threshold.optional(),
      instructions: instructions.optional().meta({ blankCounts: true }),
      model: model.nullable().optional().meta({ nullCounts: true, description: 'null takes it away.' }),
      requires_source_name: requiresSourceName.optional(),
      owner: z
        .object({
          name: ownerFields.name.unwrap(),
          email: ownerFields.email.unwrap(),
          picture: ownerFields.picture.unwrap(),
        })
        .partial()
        .optional()
        .describe('What is left out stays.'),
      sharing: sharing.optional(),
    }),
    answer: PersonaAnswer,
    errors: { ...BODY, 404: ONE[404] },
  }),
  deletePersona: operation({
    name: 'deletePersona',
    method: 'DELETE',
    path: persona,
    summary: 'Delete a persona and everything of it',
    answer: ReceiptAnswer,
    errors: ONE,
  }),
  createKey: operation({
    name: 'createKey',
    method: 'POST',
    path: '/admin/keys',
    summary: 'Create a key; it is shown this once',
    body: z.object({
      personas: z
        .union(
          [
            z
              .array(field.domainName)
              .min(1, 'is empty')
              .max(limits.keyPersonas, `names more than ${limits.keyPersonas} personas`),
            z.literal('*'),
          ],
          {
            error: 'must be a list of domain names, or "*" for all personas',
          },
        )
        .describe('Domain names, or "*" for all personas, those to come included.'),
      scopes: z
        .array(z.enum(scopes, { error: `may hold ${scopes.join(', ')}` }), {
          error: `must be a list of ${scopes.join(', ')}`,
        })
        .min(1, 'is empty')
        .default([...scopes])
        .describe('What it may do.'),
      default_persona: field.domainName.optional().describe('Used when a request names no DomainName.'),
      legacy: field.flag.optional().describe('For clients of 2023: see the README. Default: MEMOIR_LEGACY.'),
      name: field.text(limits.nameCharacters).default('').describe('To tell it from others.'),
      expires_at: field.time.optional().describe('From then on it is refused. Unset: it does not expire.'),
    }),
    answer: KeyAnswer.extend({ key: z.string() }),
    errors: { ...BODY, 404: 'A persona named does not exist.' },
  }),
  listKeys: operation({
    name: 'listKeys',
    method: 'GET',
    path: '/admin/keys',
    summary: 'List the keys, never the keys themselves',
    answer: z.object({ keys: z.array(KeyAnswer) }),
    errors: KEY,
  }),
  revokeKey: operation({
    name: 'revokeKey',
    method: 'DELETE',
    path: '/admin/keys/{id}',
    summary: 'Revoke a key from the next request on',
    answer: z.object({ revoked: z.string() }),
    errors: ONE,
  }),
  work: operation({
    name: 'work',
    method: 'GET',
    path: '/admin/work',
    summary: 'What is being learned, over all personas',
    answer: z.object({
      pending: z.number().describe('everything unfinished, running included'),
      running: z.number(),
      failed: z.number(),
    }),
    errors: KEY,
  }),
  listMemories: operation({
    name: 'listMemories',
    method: 'GET',
    path: `${persona}/memories`,
    summary: 'List memories, newest first',
    query: pages,
    answer: z.object({ memories: z.array(MemoryAnswer), next }),
    errors: ONE,
  }),
  deleteMemory: operation({
    name: 'deleteMemory',
    method: 'DELETE',
    path: `${persona}/memories/{id}`,
    summary: 'Delete a memory',
    answer: ReceiptAnswer,
    errors: ONE,
  }),
  listDrafts: operation({
    name: 'listDrafts',
    method: 'GET',
    path: `${persona}/drafts`,
    summary: 'Replies that wait for the owner, newest first',
    query: pages,
    answer: z.object({ drafts: z.array(DraftAnswer), next }),
    errors: ONE,
  }),
  approveDraft: operation({
    name: 'approveDraft',
    method: 'POST',
    path: `${persona}/drafts/{id}/approve`,
    summary: 'Let a draft enter the history, edited or not, and learn from it',
    body: z.object({
      text: field.longText.min(1, 'is empty').optional().describe('The reply as it should be. Default: as drafted.'),
      learn: field.flag.default(true).describe('Question and approved answer become a memory.'),
    }),
    answer: z.object({ approved: z.string(), document_id: z.string().nullable().describe('holds what was learned') }),
    errors: ONE,
  }),
  rejectDraft: operation({
    name: 'rejectDraft',
    method: 'POST',
    path: `${persona}/drafts/{id}/reject`,
    summary: 'Drop a draft',
    answer: z.object({ rejected: z.string() }),
    errors: ONE,
  }),
  backups: backupsOperation,
  ...documentsOperations,
  deleteCaller: deleteCallerOperation,
  ...recallOperations,
  ...ownerOperations,
  ...repliesOperations,
  ...sessionsOperations,
  ...sourcesOperations,
  ...triggersOperations,
  ...auditOperations,
  ...peopleOperations,
  ...modelsOperations,
  ...waitingOperations,
  ...noticesOperations,
} as const

type Operations = typeof adminOperations
type Input<T> = (T extends { body: z.ZodType } ? z.input<T['body']> : unknown) &
  (T extends { query: z.ZodType } ? z.input<T['query']> : unknown) &
  (T extends { path: `${string}{domain_name}${string}` } ? { domain_name: string } : unknown) &
  (T extends { path: `${string}{id}${string}` } ? { id: string } : unknown)

// Implemented in process by the app, and remotely by the client.
export type Admin = {
  [name in keyof Operations]: (fields: Input<Operations[name]>) => Promise<z.output<Operations[name]['answer']>>
}
