// The files of chat models that run in the same service.
import { z } from 'zod'
import { SpentAnswer } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

const KEY = { 401: 'No key in x-api-key.', 403: 'Not an admin key.' } as const

const ModelAnswer = z.object({
  name: z.string().describe('What `provider: local` calls it.'),
  state: z.enum(['ready', 'fetching', 'broken']),
  bytes: z.number().describe('that are there'),
  total_bytes: z.number().nullable(),
  architecture: z.string().nullable(),
  context_tokens: z.number().nullable().describe('that it was trained for'),
  sha256: z.string().nullable().describe('null for a file that was put into the folder by hand'),
  from: z.string().nullable(),
  wrong: z.string().nullable().describe('why it cannot be asked; null where it can'),
})

export const TrialAnswer = z.object({
  model: z.string(),
  question: z.string(),
  text: z.string(),
  first_token_ms: z.number().describe('until it began'),
  took_ms: z.number(),
  spent: SpentAnswer,
})

export const modelsOperations = {
  listModels: operation({
    name: 'listModels',
    method: 'GET',
    path: '/admin/models',
    summary: 'The chat models in the same service',
    answer: z.object({
      folder: z.string().describe('A .gguf file that is put there is a model.'),
      missing: z.string().nullable().describe('how to install what runs them; null where it is installed'),
      models: z.array(ModelAnswer),
    }),
    errors: KEY,
  }),
  getModel: operation({
    name: 'getModel',
    method: 'POST',
    path: '/admin/models',
    summary: 'Fetch a chat model; what broke off is resumed',
    about:
      'Answers when the file begins to come; the list tells how far it is. The address is checked as that of a page.',
    body: z.object({
      from: field
        .text(limits.urlCharacters)
        .min(1, 'is empty')
        .describe('An address that ends in .gguf, or owner/repository/file.gguf at Hugging Face.'),
      sha256: z
        .string({ error: 'must be text' })
        .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
        .optional()
        .describe('Of the file. Default: what the server names, if it does.'),
    }),
    answer: z.object({ name: z.string() }),
    errors: {
      400: 'A field is missing or malformed, or the address cannot be fetched or must not be.',
      ...KEY,
      409: 'There is a model of this name.',
      413: 'The file is too large.',
      507: 'The disk has no room for it.',
    },
  }),
  tryModel: operation({
    name: 'tryModel',
    method: 'POST',
    path: '/admin/models/{id}/try',
    summary: 'Ask a model in the same service one question; nothing is kept',
    answer: TrialAnswer,
    errors: { ...KEY, 503: 'The model did not answer; the sentence says why.' },
  }),
  removeModel: operation({
    name: 'removeModel',
    method: 'DELETE',
    path: '/admin/models/{id}',
    summary: 'Delete the file of a model, or stop fetching it',
    answer: z.object({ removed: z.string() }),
    errors: { ...KEY, 404: 'There is no such model.' },
  }),
} as const
