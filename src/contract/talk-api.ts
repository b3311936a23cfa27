// What the page for visitors calls. These are the page's own and no part of the described interface: programs send a
// key. A visitor has none: the page makes a secret, keeps it, and sends it along.
import { z } from 'zod'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

// Carries a visitor's secret: 32 random bytes in base64url.
export const visitorHeader = 'x-memoir-visitor'

export const visitorPattern = /^[\w-]{43}$/

const sources = z.array(z.string()).describe('titles, where the owner lets visitors see them')

const ERRORS = {
  400: 'A field is missing or wrong.',
  404: 'There is no such persona, or it is not shared.',
  429: 'Too many messages from this address; Retry-After says when to come back.',
} as const

export const talkOperations = {
  say: operation({
    name: 'visitorMessage',
    method: 'POST',
    path: '/talk/{domain_name}/message',
    summary: 'Say something and get the reply as server-sent events',
    scope: 'message',
    stream: true,
    body: z.object({
      text: field
        .text(limits.visitorTextCharacters)
        .refine((text) => text.trim() !== '', 'is empty')
        .describe('The message.'),
    }),
    answer: z.object({
      ai_message: z.string(),
      SessionId: z.string(),
      reply_id: z.string().nullable().describe('null where there is nothing to judge'),
      withheld: z.boolean(),
      sources,
    }),
    errors: ERRORS,
  }),
  lookBack: operation({
    name: 'visitorHistory',
    method: 'GET',
    path: '/talk/{domain_name}/messages',
    summary: 'What this visitor and the persona said, oldest first',
    answer: z.object({
      messages: z.array(
        z.object({
          role: z.enum(['user', 'ai']),
          text: z.string(),
          reply_id: z.string().nullable(),
          withheld: z.boolean(),
          sources,
          right: z.boolean().nullable().describe("the visitor's verdict"),
        }),
      ),
    }),
    errors: ERRORS,
  }),
  judge: operation({
    name: 'visitorVerdict',
    method: 'POST',
    path: '/talk/{domain_name}/verdict',
    summary: 'Say whether a reply was right',
    body: z.object({
      reply_id: field.text(limits.sessionIdCharacters).min(1, 'is empty').describe('Which reply.'),
      right: z
        .boolean({ error: 'must be true, false or null' })
        .nullable()
        .default(null)
        .describe('null takes it back.'),
    }),
    answer: z.object({ right: z.boolean().nullable() }),
    errors: ERRORS,
  }),
} as const

export type VisitorReply = z.output<typeof talkOperations.say.answer>
export type VisitorMessage = z.output<typeof talkOperations.lookBack.answer>['messages'][number]
