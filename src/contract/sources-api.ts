// Feeds and sites that a persona follows: what is new or changed there becomes documents.
import { z } from 'zod'
import { everyBounds, parseEvery, sourceKinds, usualEvery } from '../domain/followed-source.ts'
import { time } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

const persona = '/admin/personas/{domain_name}'

const ERRORS = {
  401: 'No key in x-api-key.',
  403: 'Not an admin key.',
  404: 'There is no such persona or source.',
} as const
const BODY = { 400: 'A field is missing or malformed, or the address must not be fetched.', ...ERRORS } as const

export const SourceAnswer = z.object({
  id: z.string().describe('also the request_id of the documents that came from it'),
  url: z.string(),
  kind: z.enum(sourceKinds).nullable().describe('null until it was looked at for the first time'),
  title: z.string().describe('as it calls itself'),
  every: z.string().describe('how often it is looked at, such as 1h or 1d'),
  is_on: z.boolean(),
  off_reason: z.string().nullable().describe('why it is off'),
  failures: z.number().describe('in a row'),
  error: z.string().nullable().describe('why the last look failed'),
  next_look_at: time.nullable().describe('null while it is off'),
  looking: z
    .object({ since: time, done: z.number(), of: z.number().describe('pages or entries; 0 until they are counted') })
    .nullable()
    .describe('the look under way'),
  last_look: z
    .object({
      at: time,
      new: z.number(),
      changed: z.number(),
      same: z.number(),
      left_out: z.record(z.string(), z.number()).describe('why, and how often'),
      vanished: z.number().describe('pages that are not there any more; their documents stay'),
      vanished_pages: z.array(z.object({ url: z.string(), document_id: z.string() })).describe('the first of them'),
    })
    .nullable(),
  created_at: time,
  updated_at: time,
})

const every = field
  .text(limits.nameCharacters)
  .refine(
    (value) => parseEvery(value) !== undefined,
    `must be a time from ${everyBounds.least} to ${everyBounds.most}, such as 30m, 6h or 1d`,
  )
  .describe(
    `How often it is looked at: 30m, 6h, 1d. Default: ${usualEvery.feed} for a feed, ${usualEvery.site} for a site.`,
  )
const kind = z.enum(sourceKinds, { error: `must be ${sourceKinds.join(' or ')}` })

export const sourcesOperations = {
  createSource: operation({
    name: 'createSource',
    method: 'POST',
    path: `${persona}/sources`,
    summary: 'Follow an RSS or Atom feed, or a whole site by its sitemap',
    about: 'It is looked at in the background, at once and then again and again. docs/follow.md says how.',
    body: z.object({
      url: field
        .text(limits.urlCharacters)
        .min(1, 'is empty')
        .describe('Of a feed, of a sitemap, or of a site: then all below this address is followed.'),
      kind: kind.optional().describe('Default: by what is found there.'),
      every: every.optional(),
    }),
    answer: SourceAnswer,
    errors: { ...BODY, 409: 'The persona follows it already, or as many sources as it may.' },
  }),
  listSources: operation({
    name: 'listSources',
    method: 'GET',
    path: `${persona}/sources`,
    summary: 'List what the persona follows, newest first, with what the last look brought',
    answer: z.object({ sources: z.array(SourceAnswer) }),
    errors: ERRORS,
  }),
  getSource: operation({
    name: 'getSource',
    method: 'GET',
    path: `${persona}/sources/{id}`,
    summary: 'Get one source',
    answer: SourceAnswer,
    errors: ERRORS,
  }),
  changeSource: operation({
    name: 'changeSource',
    method: 'PATCH',
    path: `${persona}/sources/{id}`,
    summary: 'Change how often a source is looked at or what it is, or switch it on or off',
    body: z.object({
      kind: kind.optional().describe('What it is.'),
      every: every.optional(),
      is_on: field.flag.optional().describe('false: a look under way ends. true: it is looked at at once.'),
    }),
    answer: SourceAnswer,
    errors: BODY,
  }),
  deleteSource: operation({
    name: 'deleteSource',
    method: 'DELETE',
    path: `${persona}/sources/{id}`,
    summary: 'Follow a source no more; the documents that came from it stay',
    answer: z.object({ deleted: z.string() }),
    errors: ERRORS,
  }),
  lookAtSource: operation({
    name: 'lookAtSource',
    method: 'POST',
    path: `${persona}/sources/{id}/look`,
    summary: 'Look at a source now',
    answer: SourceAnswer,
    errors: { ...ERRORS, 409: 'It is switched off.' },
  }),
} as const
