// What the owner may see of recall: the memories a question brings up and why, and the change to another embedding
// model.
import { z } from 'zod'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

const SIZE = `must be a whole number from 1 to ${limits.recallSize}`
const persona = '/admin/personas/{domain_name}'

const ERRORS = {
  400: 'A field is missing or wrong.',
  401: 'No key.',
  403: 'Not an admin key.',
  404: 'There is no such persona or session.',
} as const

export const RecollectionAnswer = z.object({
  memory_id: z.string(),
  document_id: z.string(),
  title: z.string(),
  text: z.string(),
  topics: z.array(z.string()),
  start_time_utc: z.string().describe('ISO 8601, UTC'),
  score: z.number(),
  parts: z.record(z.string(), z.number()).describe('what the score is made of: meaning, words, speaker, time, …'),
})

export const recallOperations = {
  recall: operation({
    name: 'recall',
    method: 'POST',
    path: `${persona}/recall`,
    summary: 'The memories that a question brings up, best first, and why',
    body: z.object({
      question: field.longText.min(1, 'is empty').describe('As a caller would ask it.'),
      size: z
        .number({ error: SIZE })
        .int(SIZE)
        .min(1, SIZE)
        .max(limits.recallSize, SIZE)
        .default(limits.recallSizeDefault)
        .describe(`How many, ${limits.recallSize} at most.`),
      session_id: field
        .text(limits.sessionIdCharacters)
        .optional()
        .describe('The question is a follow-up in this session.'),
      at: field.time.optional().describe('When the question is asked. Default: now.'),
    }),
    answer: z.object({ recollections: z.array(RecollectionAnswer) }),
    errors: ERRORS,
  }),
  reembedPersona: operation({
    name: 'reembedPersona',
    method: 'POST',
    path: `${persona}/reembed`,
    summary: 'Embed the memories that the embedding model in use has not seen; the persona answers meanwhile',
    answer: z.object({ embedder: z.string(), embedded: z.number() }),
    errors: ERRORS,
  }),
} as const
