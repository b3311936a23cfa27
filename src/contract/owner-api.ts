// What the owner looks through: what was said, what is remembered by when it happened, and how another voice would
// answer.
import { z } from 'zod'
import { documentKinds } from '../domain/document.ts'
import { EntryAnswer, MemoryAnswer, SpentAnswer } from './admin-answers.ts'
import { within } from './documents-api.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { TrialAnswer } from './models-api.ts'
import { operation } from './operation.ts'
import { next, pages } from './pages.ts'
import { model } from './persona-fields.ts'

const persona = '/admin/personas/{domain_name}'

const ERRORS = {
  400: 'A field is missing or wrong.',
  401: 'No key.',
  403: 'Not an admin key.',
  404: 'There is no such persona.',
} as const

export const ownerOperations = {
  searchMessages: operation({
    name: 'searchMessages',
    method: 'GET',
    path: `${persona}/messages`,
    summary: 'Search what was said in every session, newest first',
    query: pages.extend({
      text: field.text(limits.nameCharacters).min(1, 'is empty').describe('Words that a message holds, as they stand.'),
    }),
    answer: z.object({ messages: z.array(EntryAnswer.extend({ session_id: z.string() })), next }),
    errors: ERRORS,
  }),
  timeline: operation({
    name: 'timeline',
    method: 'GET',
    path: `${persona}/timeline`,
    summary: 'The memories by the time they speak of, latest first',
    query: pages.extend({
      kind: z
        .enum(['memory', 'document'], { error: 'must be memory or document' })
        .optional()
        .describe('Only what was given as a memory, or only passages of documents.'),
      ...within,
    }),
    answer: z.object({
      memories: z.array(
        MemoryAnswer.extend({
          kind: z.enum(documentKinds).describe('of its document'),
          is_draft: z.boolean(),
          source_name: z.string(),
        }),
      ),
      next,
    }),
    errors: ERRORS,
  }),
  statistics: operation({
    name: 'statistics',
    method: 'GET',
    path: `${persona}/statistics`,
    summary: 'Replies day by day: how many, how sure, how quick, how many withheld',
    query: z.object({ days: field.count(limits.statisticsDays).default(30) }),
    answer: z.object({
      days: z
        .array(
          z.object({
            day: z.string().describe('YYYY-MM-DD, UTC'),
            replies: z.number(),
            answered: z.number(),
            withheld: z.number(),
            approved: z.number().describe('judged right by the owner'),
            score: z.number().nullable().describe('median'),
            took_ms: z.number().nullable().describe('median'),
            slow_ms: z.number().nullable().describe('what 95 of 100 took at most'),
            spent: SpentAnswer,
          }),
        )
        .describe('oldest first, today last; days without replies, too'),
    }),
    errors: ERRORS,
  }),
  gaps: operation({
    name: 'gaps',
    method: 'GET',
    path: `${persona}/gaps`,
    summary: 'What was asked and not known, nor taught since, grouped by likeness, the most asked first',
    query: z.object({ days: field.count(limits.statisticsDays).default(30) }),
    answer: z.object({
      gaps: z.array(
        z.object({
          question: z.string().describe('as it was asked last'),
          times: z.number(),
          others: z.array(z.string()).describe('other ways in which it was asked'),
          last_at: z.string().describe('ISO 8601, UTC'),
        }),
      ),
    }),
    errors: ERRORS,
  }),
  testModel: operation({
    name: 'testModel',
    method: 'POST',
    path: `${persona}/model/test`,
    summary: 'Ask a chat model one question, to see whether it answers and how quickly; nothing is kept',
    body: z.object({
      model: model.optional().describe('The model to try. Default: the one that the persona writes with.'),
    }),
    answer: TrialAnswer,
    errors: { ...ERRORS, 503: 'The model did not answer; the sentence says why.' },
  }),
  modelState: operation({
    name: 'modelState',
    method: 'GET',
    path: `${persona}/model`,
    summary: 'Which chat model the persona writes with, and whether it answers',
    answer: z.object({
      chat: z
        .object({
          name: z.string(),
          is_own: z.boolean().describe('false: the one of the settings'),
          trouble: z.string().nullable().describe('why it is not asked at the moment, in a sentence'),
        })
        .nullable()
        .describe('null: it answers from memory alone'),
      embedder: z.string().describe('the model that finds memories by their meaning'),
      to_embed: z.number().describe('memories that lack a vector of it, after it was changed; the old ones serve'),
    }),
    errors: ERRORS,
  }),
  testEmbedder: operation({
    name: 'testEmbedder',
    method: 'POST',
    path: '/admin/embedder/test',
    summary: 'Ask the embedding model for vectors, to see whether it answers and tells sentences apart',
    body: z.object({}),
    answer: z.object({
      model: z.string(),
      dimensions: z.number(),
      took_ms: z.number(),
      alike: z.number().describe('cosine of two sentences that mean the same'),
      unlike: z.number().describe('cosine of two that do not'),
      tokens: z.number().nullable().describe('of one sentence; null where it runs inside Memoir or does not count'),
    }),
    errors: { ...ERRORS, 503: 'The model did not answer; the sentence says why.' },
  }),
  preview: operation({
    name: 'preview',
    method: 'POST',
    path: `${persona}/preview`,
    summary: 'How the persona would answer with other instructions; nothing is kept',
    body: z.object({
      question: field.longText.min(1, 'is empty').describe('As a caller would ask it.'),
      instructions: field
        .text(limits.instructionsCharacters)
        .default('')
        .meta({ blankCounts: true, description: 'The voice to try.' }),
    }),
    answer: z.object({ text: z.string(), score: z.number() }),
    errors: ERRORS,
  }),
} as const
