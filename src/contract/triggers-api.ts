// The owner's triggers: which events of a persona are sent to which address, and what became of each delivery.
import { z } from 'zod'
import { deliveryStates, eventTypes } from '../domain/trigger.ts'
import { time } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'
import { next, pages } from './pages.ts'

const persona = '/admin/personas/{domain_name}'

const ERRORS = {
  401: 'No key in x-api-key.',
  403: 'Not an admin key.',
  404: 'There is no such persona, trigger or delivery.',
} as const
const BODY = {
  400: 'A field is missing or malformed, or deliveries may not go to this address.',
  ...ERRORS,
} as const

export const TriggerAnswer = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string(),
  on: z.array(z.enum(eventTypes)),
  deliver: z.object({ url: z.string() }),
  is_on: z.boolean(),
  off_reason: z.string().nullable().describe('why it is off'),
  failing_since: time.nullable().describe('since then no delivery succeeded'),
  old_secret_until: time.nullable().describe('until then the secret before the last rotation signs, too'),
  created_at: time,
  updated_at: time,
})

const secret = z.string().describe('`whsec_…`, to verify deliveries with. Shown this once.')

export const DeliveryAnswer = z.object({
  id: z.string().describe('the webhook-id of every attempt'),
  trigger_id: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  next_attempt_at: time.nullable().describe('while it waits'),
  last_status: z.number().nullable(),
  last_error: z.string().nullable(),
  created_at: time,
  settled_at: time.nullable(),
})

export const AttemptAnswer = z.object({
  at: time,
  took_ms: z.number(),
  status: z.number().nullable().describe('null: there was no answer'),
  error: z.string().nullable(),
  response: z.string().describe('how the answer begins'),
})

const fields = {
  name: field.text(limits.nameCharacters).min(1, 'is empty').describe('To tell it from others.'),
  source: field
    .text(limits.nameCharacters)
    .min(1, 'is empty')
    .describe('Only what came with this SourceName, compared case-insensitively; `*` for everything.'),
  on: z
    .array(z.enum(eventTypes, { error: `may hold ${eventTypes.join(', ')}` }), {
      error: `must be a list of ${eventTypes.join(', ')}`,
    })
    .min(1, 'is empty')
    .max(eventTypes.length, 'names an event more than once')
    .describe('The events it is told.'),
  deliver: z
    .object(
      { url: field.text(limits.urlCharacters).min(1, 'is empty') },
      { error: 'must be an object with the url to deliver to' },
    )
    .describe('Where events are posted to: `{ "url": "https://…" }`.'),
}

export const triggersOperations = {
  createTrigger: operation({
    name: 'createTrigger',
    method: 'POST',
    path: `${persona}/triggers`,
    summary: 'Have events posted to an address, signed with a secret that is shown this once',
    about: 'Deliveries follow Standard Webhooks; docs/webhooks.md describes them.',
    body: z.object({ ...fields, source: fields.source.default('*') }),
    answer: TriggerAnswer.extend({ secret }),
    errors: { ...BODY, 409: 'The persona has as many triggers as it may have.' },
  }),
  listTriggers: operation({
    name: 'listTriggers',
    method: 'GET',
    path: `${persona}/triggers`,
    summary: 'List the triggers, newest first',
    answer: z.object({ triggers: z.array(TriggerAnswer) }),
    errors: ERRORS,
  }),
  getTrigger: operation({
    name: 'getTrigger',
    method: 'GET',
    path: `${persona}/triggers/{id}`,
    summary: 'Get one trigger',
    answer: TriggerAnswer,
    errors: ERRORS,
  }),
  changeTrigger: operation({
    name: 'changeTrigger',
    method: 'PATCH',
    path: `${persona}/triggers/{id}`,
    summary: 'Change a trigger, or switch it on or off',
    body: z.object({
      name: fields.name.optional(),
      source: fields.source.optional(),
      on: fields.on.optional(),
      deliver: fields.deliver.optional(),
      is_on: field.flag.optional().describe('false: what still waits is not sent. true: its failures are forgotten.'),
    }),
    answer: TriggerAnswer,
    errors: BODY,
  }),
  deleteTrigger: operation({
    name: 'deleteTrigger',
    method: 'DELETE',
    path: `${persona}/triggers/{id}`,
    summary: 'Delete a trigger with its deliveries',
    answer: z.object({ deleted: z.string() }),
    errors: ERRORS,
  }),
  rotateTriggerSecret: operation({
    name: 'rotateTriggerSecret',
    method: 'POST',
    path: `${persona}/triggers/{id}/rotate`,
    summary: 'Make a new secret; the one before it signs, too, for a day',
    answer: TriggerAnswer.extend({ secret }),
    errors: ERRORS,
  }),
  testTrigger: operation({
    name: 'testTrigger',
    method: 'POST',
    path: `${persona}/triggers/{id}/test`,
    summary: 'Send a test event, also while the trigger is off',
    answer: DeliveryAnswer,
    errors: ERRORS,
  }),
  listDeliveries: operation({
    name: 'listDeliveries',
    method: 'GET',
    path: `${persona}/triggers/{id}/deliveries`,
    summary: 'What was delivered, or waits, newest first',
    query: pages,
    answer: z.object({ deliveries: z.array(DeliveryAnswer), next }),
    errors: ERRORS,
  }),
  redeliverFailed: operation({
    name: 'redeliverFailed',
    method: 'POST',
    path: `${persona}/triggers/{id}/redeliver`,
    summary: 'Send everything again that failed',
    answer: z.object({ redelivered: z.number() }),
    errors: ERRORS,
  }),
  getDelivery: operation({
    name: 'getDelivery',
    method: 'GET',
    path: `${persona}/deliveries/{id}`,
    summary: 'One delivery with its payload and attempts, newest first',
    answer: DeliveryAnswer.extend({
      payload: z.record(z.string(), z.unknown()).describe('type, timestamp, data'),
      log: z.array(AttemptAnswer),
    }),
    errors: ERRORS,
  }),
  redeliver: operation({
    name: 'redeliver',
    method: 'POST',
    path: `${persona}/deliveries/{id}/redeliver`,
    summary: 'Send one delivery again, under the same webhook-id',
    answer: DeliveryAnswer,
    errors: ERRORS,
  }),
} as const
