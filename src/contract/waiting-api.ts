// What waits for the person who asks: the count in the frame of the console, and its page.
import { z } from 'zod'
import { time } from './admin-answers.ts'
import { operation } from './operation.ts'

export const waitingKinds = ['drafts', 'failures', 'damage', 'model', 'trigger', 'source', 'disk', 'backup'] as const

const WaitingAnswer = z.object({
  kind: z
    .enum(waitingKinds)
    .describe(
      'drafts: replies to settle. failures: documents that were not learned. ' +
        'damage: texts that are not what was stored, and are not quoted. ' +
        'model: a chat model that does not answer. trigger: one that was switched off. ' +
        'source: one that could not be followed and was switched off. ' +
        'disk: little room is left. backup: there is no recent one.',
    ),
  domain_name: z.string().nullable().describe('Of the persona; null for what concerns the whole service.'),
  persona: z.string().nullable().describe('What the persona is called.'),
  count: z.number().describe('1 for what cannot be counted.'),
  since: time.nullable(),
  says: z.string().nullable().describe('What is wrong, where there is more to say than the kind.'),
  trigger: z.object({ id: z.string(), name: z.string() }).nullable(),
  source: z.object({ id: z.string(), name: z.string() }).nullable(),
})

export const waitingOperations = {
  waiting: operation({
    name: 'waiting',
    method: 'GET',
    path: '/admin/waiting',
    summary: 'What waits for the person who asks, by what their role may do about it',
    answer: z.object({ count: z.number().describe('All of them together.'), waiting: z.array(WaitingAnswer) }),
    errors: { 401: 'No key in x-api-key, and nobody signed in.', 403: 'Not an admin key.' },
  }),
} as const
