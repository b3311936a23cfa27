// What the owner takes out and brings in: operations whose answer or body is a file.
import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import { operation } from './operation.ts'

const KEY = { 401: 'No key in x-api-key.', 403: 'Not an admin key.' } as const

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
} as const

export const backupsOperation = operation({
  name: 'backups',
  method: 'GET',
  path: '/admin/backups',
  summary: 'The backups that the service makes by itself',
  answer: z.object({
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
