// What the owner takes out and brings in: operations whose answer or body is a file.
import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import { DocumentAnswer } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits as fieldLimits } from './limits.ts'
import { operation } from './operation.ts'

const KEY = { 401: 'No key in x-api-key.', 403: 'Not an admin key.' } as const

const persona = '/admin/personas/{domain_name}'

const caller = {
  session_id: field.text(fieldLimits.sessionIdCharacters).optional().describe('One session.'),
  user_name: field.text(fieldLimits.nameCharacters).optional().describe('All sessions in which this UserName spoke.'),
}

const passphrase = z
  .string({ error: 'must be text' })
  .min(limits.passphraseCharacters.least, `has fewer than ${limits.passphraseCharacters.least} characters`)
  .max(limits.passphraseCharacters.most, `has more than ${limits.passphraseCharacters.most} characters`)

export const keepOperations = {
  backup: operation({
    name: 'backup',
    method: 'POST',
    path: '/admin/backup',
    summary: 'Everything the service holds, as one file',
    about:
      'All of it as it is at one moment, while the service goes on. `memoir restore` reads the file. ' +
      'An answer that breaks off is a file that is cut, and named as that when it is restored.',
    body: z.object({
      passphrase: passphrase.optional().describe('Encrypts the file. Default: the one of the settings, if any.'),
    }),
    download: 'application/octet-stream',
    answer: z.string().describe('The file, described in docs/keep.md.'),
    errors: { 400: 'The passphrase is too short.', ...KEY },
  }),
  exportPersona: operation({
    name: 'exportPersona',
    method: 'POST',
    path: `${persona}/export`,
    summary: 'A persona with all it knows, as a zip of JSON Lines',
    about:
      'Documents with their files, memories, conversations, replies with reasons, drafts, triggers, settings. No keys.',
    body: z.object({
      vectors: field.flag.default(false).describe('With the vectors of its memories; without, an import makes them.'),
    }),
    download: 'application/zip',
    answer: z.string().describe('The file, described in docs/keep.md.'),
    errors: { ...KEY, 404: 'There is no such persona.' },
  }),
  exportCaller: operation({
    name: 'exportCaller',
    method: 'POST',
    path: `${persona}/callers/export`,
    summary: "What a caller's sessions hold, as a zip of JSON Lines",
    body: z.object(caller),
    download: 'application/zip',
    answer: z.string().describe('The file, described in docs/keep.md.'),
    errors: { 400: 'Neither or both of the two are given.', ...KEY, 404: 'There is no such persona.' },
  }),
  importPersona: operation({
    name: 'importPersona',
    method: 'POST',
    path: '/admin/import',
    summary: 'Bring a persona in from its export',
    about: 'The body is the file. What the persona has already stays as it is: importing twice is importing once.',
    query: z.object({ as: field.domainName.optional().describe('Another name for it. Default: the one it had.') }),
    upload: 'application/zip',
    answer: z.object({
      domain_name: z.string(),
      is_new: z.boolean(),
      added: z.record(z.string(), z.number()).describe('how many lines of each file came in'),
      embedded: z.number().describe('memories that came without a vector of the embedding model in use'),
    }),
    errors: { ...KEY, 422: 'The file is no export, or it is damaged. Nothing was stored.' },
  }),
  learnFile: operation({
    name: 'learnFile',
    method: 'POST',
    path: `${persona}/learn`,
    summary: 'Learn a file, whatever it is: a document, or the export of another program',
    about:
      'The body is the file. Exports of chats, mail, notes, calendars, contacts and bookmarks are recognised by what ' +
      'is in them and taken apart: each thread, note or contact becomes a document whose `request_id` is the `id` ' +
      'that is answered here. The same export again later brings only what is new; what has changed is replaced.',
    query: z.object({
      file_name: field.text(fieldLimits.nameCharacters).min(1, 'is empty').describe('What the file is called.'),
      media_type: field.text(fieldLimits.nameCharacters).optional().describe('What its sender takes it for.'),
      title: field
        .text(fieldLimits.titleCharacters)
        .optional()
        .describe('Title of the document. Default: found in it.'),
      tags: field.tags.optional().describe('For all that comes out of it.'),
      start_time: field.time.optional().describe('The time it speaks of, if it is one document.'),
      draft: field.flag.default(false).describe('Keep what comes out of it as drafts.'),
      only_export: field.flag.default(false).describe('Anything but an export is refused.'),
    }),
    upload: 'application/octet-stream',
    answer: DocumentAnswer.extend({
      formats: z.array(z.string()).describe('Whose exports are in it; empty: it is learned as one document.'),
    }),
    errors: {
      400: 'A field is missing or wrong.',
      ...KEY,
      404: 'There is no such persona.',
      413: 'It is too large.',
      422: 'It is no export.',
    },
  }),
} as const

export const deleteCallerOperation = operation({
  name: 'deleteCaller',
  method: 'POST',
  path: `${persona}/callers/delete`,
  summary: "Delete a caller's sessions with all that belongs to them",
  body: z.object(caller),
  answer: z.object({
    deleted: z.object({ sessions: z.number(), messages: z.number(), replies: z.number(), drafts: z.number() }),
    deleted_at: z.string(),
  }),
  errors: {
    400: 'Neither or both of the two are given.',
    ...KEY,
    404: 'There is no such persona, or nothing of theirs.',
  },
})

export const backupsOperation = operation({
  name: 'backups',
  method: 'GET',
  path: '/admin/backups',
  summary: 'The backups that the service makes by itself',
  answer: z.object({
    encryption: z
      .enum(['off', 'on', 'rotating', 'elsewhere'])
      .describe(
        'Of the data at rest. rotating: on, and everything is being encrypted anew. elsewhere: it is up to PostgreSQL.',
      ),
    schedule: z
      .object({
        every_s: z.number(),
        keep: z.number(),
        is_encrypted: z.boolean(),
        is_running: z.boolean(),
        failures: z.number().describe('since the start'),
        failure: z.string().nullable().describe('why the last one failed; null when it did not'),
      })
      .nullable()
      .describe('null when MEMOIR_BACKUP_DIR is not set'),
    files: z
      .array(z.object({ name: z.string(), made_at: z.string(), bytes: z.number() }))
      .describe('those in MEMOIR_BACKUP_DIR, newest first'),
  }),
  errors: KEY,
})
