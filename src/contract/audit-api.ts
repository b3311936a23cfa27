// The audit record: what owners, keys and the service did.
import { z } from 'zod'
import { time } from './admin-answers.ts'
import { operation } from './operation.ts'
import { next } from './pages.ts'

const ERRORS = { 400: 'A field is missing or wrong.', 401: 'No key.', 403: 'Not an admin key.' } as const

const NUMBER = { error: 'must be a number' }
const MANY = { error: 'must be a whole number from 1 to 200' }
const count = z.coerce.number(MANY).int(MANY).min(1, MANY).max(200, MANY)

const AuditAnswer = z.object({
  number: z.number().describe('They are numbered without gaps.'),
  at: time,
  who: z.string().describe('The id of a key or a person, "owner", or "service".'),
  name: z.string().nullable().describe('What the person is called now; null for a key.'),
  what: z.string().describe('The name of the operation.'),
  on: z.string().describe('The persona, and the id of the thing, where there is one.'),
  from: z.string().describe('The address it came from, or "command line".'),
  outcome: z.string().describe('"done", or the code of the error.'),
  hash: z.string().describe('SHA-256 of this entry and the hash before it.'),
})

export const auditOperations = {
  listAudit: operation({
    name: 'listAudit',
    method: 'GET',
    path: '/admin/audit',
    summary: 'What owners, keys and the service did, newest first',
    about:
      'Whatever changes something, and signing in; no texts. Messages are in the history of their session instead.',
    query: z.object({
      limit: count.default(50).describe('How many, 200 at most.'),
      before: z.coerce
        .number(NUMBER)
        .int(NUMBER)
        .min(1, NUMBER)
        .optional()
        .describe('`next` of the page before this one.'),
    }),
    answer: z.object({ entries: z.array(AuditAnswer), next }),
    errors: ERRORS,
  }),
  verifyAudit: operation({
    name: 'verifyAudit',
    method: 'GET',
    path: '/admin/audit/verify',
    summary: 'Check that nothing was changed in the audit record or taken out of it',
    about: 'Keep the last hash elsewhere: with it you can tell whether the record was cut off or made anew.',
    answer: z.object({
      entries: z.number().describe('Up to the last that is as it was written.'),
      is_whole: z.boolean(),
      broken_at: z.number().nullable().describe('The number of the first entry that is not.'),
      hash: z.string().describe('Of the last that is.'),
    }),
    errors: ERRORS,
  }),
} as const
