// What the owner may see of replies: why each was given, whether it was right, and how far scores can be trusted.
import { z } from 'zod'
import { SpentAnswer, time } from './admin-answers.ts'
import { operation } from './operation.ts'
import { next, pages } from './pages.ts'

const persona = '/admin/personas/{domain_name}'

const ERRORS = {
  401: 'No key in x-api-key.',
  403: 'Not an admin key.',
  404: 'There is no such persona or reply.',
} as const

export const label = z.enum(['right', 'wrong']).nullable().describe("the owner's verdict")

export const ReplyAnswer = z.object({
  id: z.string(),
  session_id: z.string(),
  question: z.string(),
  text: z.string().describe('empty when what it told was forgotten since'),
  score: z.number(),
  decision: z.enum(['sent', 'withheld', 'draft']),
  answered_by: z.string().describe('memory, or the name of the chat model'),
  took_ms: z.number(),
  label,
  visitor_label: label.describe('the verdict of a visitor of the shared page; nothing learns from it'),
  spent: SpentAnswer,
  created_at: time,
})

const memoryFields = {
  memory_id: z.string(),
  document_id: z.string(),
  title: z.string(),
  text: z.string(),
  start_time_utc: time,
}
const range = z.object({ start: z.number(), end: z.number() })

export const ExplanationAnswer = ReplyAnswer.extend({
  understood_as: z
    .string()
    .nullable()
    .describe('the question as its session completes it, where it leaves something out'),
  sources: z
    .array(
      z.object({
        ...memoryFields,
        page: z.number().nullable().describe('of the file it comes from, where what was used begins'),
        start: z.number().describe("where the memory stands in its document's text"),
        end: z.number(),
        sentences: z.array(range).describe('what of its text was used: character ranges'),
      }),
    )
    .describe('the memories the reply rests on, those forgotten since left out'),
  marks: z
    .array(z.object({ at: z.number(), memory_id: z.string() }))
    .describe('where in the text which of the sources is cited'),
  parts: z
    .array(z.object({ name: z.string(), value: z.number(), contribution: z.number() }))
    .describe('what the score is made of; a contribution is in log-odds, and they add up'),
  near_misses: z.array(z.object({ ...memoryFields, score: z.number() })).describe('recalled, and not used'),
  left_out: z
    .array(z.object(memoryFields))
    .describe('memories that contradict a sentence the chat model wrote: that sentence was dropped'),
  prompt: z.string().nullable().describe('what the chat model was given'),
  model: z.string().nullable(),
  without_model: z.string().nullable().describe('why a chat model that is set did not write it, in a sentence'),
  timings: z.record(z.string(), z.number()).describe('milliseconds a step'),
})

const quality = z.object({
  brier: z.number().describe('mean squared error of the probability, 0 best'),
  calibration_error: z.number().describe('mean distance of what is said from what is right, 0 best'),
})

export const repliesOperations = {
  listReplies: operation({
    name: 'listReplies',
    method: 'GET',
    path: `${persona}/replies`,
    summary: 'Replies with their scores, newest first: sent, withheld and drafted ones',
    query: pages.extend({
      visitor_label: z
        .enum(['right', 'wrong'], { error: 'must be right or wrong' })
        .optional()
        .describe('Only what visitors judged so.'),
    }),
    answer: z.object({ replies: z.array(ReplyAnswer), next }),
    errors: ERRORS,
  }),
  explainReply: operation({
    name: 'explainReply',
    method: 'GET',
    path: `${persona}/replies/{id}`,
    summary: 'Why a reply was given: sources, parts of the score, near misses, prompt, timings',
    about: 'The id of a reply is in the header `x-memoir-reply-id` of its answer.',
    answer: ExplanationAnswer,
    errors: ERRORS,
  }),
  labelReply: operation({
    name: 'labelReply',
    method: 'POST',
    path: `${persona}/replies/{id}/label`,
    summary: 'Say whether a reply was right',
    body: z.object({
      right: z
        .boolean({ error: 'must be true, false or null' })
        .nullable()
        .default(null)
        .describe('null takes the verdict back.'),
    }),
    answer: ReplyAnswer,
    errors: { 400: 'A field is missing or malformed.', ...ERRORS },
  }),
  confidence: operation({
    name: 'confidence',
    method: 'GET',
    path: `${persona}/confidence`,
    summary: 'How far scores can be trusted: of the replies at 80, how many are right',
    about:
      "From the owner's verdicts where there are enough of them, else from the public questions " +
      'that the shipped score was measured on.',
    answer: z.object({
      basis: z.enum(['own', 'shipped']),
      labels: z.number().describe("the owner's verdicts so far, on replies of the reader in use"),
      threshold: z.number(),
      calibrated_at: time.nullable().describe('when `memoir calibrate` last changed the score'),
      is_outdated: z
        .boolean()
        .describe('that was for another reader: the shipped score is in use until it is fitted again'),
      reliability: z
        .array(z.object({ from: z.number(), to: z.number(), said: z.number(), right: z.number(), count: z.number() }))
        .describe('in percent: what the score said, and how many were right'),
      risk_coverage: z
        .array(z.object({ score: z.number(), coverage: z.number(), risk: z.number() }))
        .describe('with this threshold: the share of questions answered, and the share of wrong ones among them'),
    }),
    errors: ERRORS,
  }),
  calibratePersona: operation({
    name: 'calibratePersona',
    method: 'POST',
    path: `${persona}/calibrate`,
    summary: "Fit the persona's score to its owner's verdicts",
    about: 'Approved drafts count as right, rejected and edited ones as wrong, and so do verdicts on replies.',
    body: z.object({
      reset: z.boolean({ error: 'must be true or false' }).default(false).describe('Back to the shipped score.'),
    }),
    answer: z.object({
      labels: z.number(),
      changed: z.boolean(),
      note: z.string().describe('one sentence: what was done, and why'),
      before: quality.nullable(),
      after: quality.nullable().describe('on verdicts held out of the fit'),
    }),
    errors: { 400: 'A field is missing or malformed.', ...ERRORS },
  }),
} as const
