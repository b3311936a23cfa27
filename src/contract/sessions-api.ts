// What the owner may do with conversations: look through them, name, delete and correct them.
import { z } from 'zod'
import { EntryAnswer, ReceiptAnswer, SessionAnswer } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'
import { next, pages } from './pages.ts'
import { label } from './replies-api.ts'

const sessions = '/admin/personas/{domain_name}/sessions'

const ERRORS = {
  400: 'A field is missing or wrong.',
  401: 'No key.',
  403: 'Not an admin key.',
  404: 'There is no such persona or session.',
} as const

const KeptAnswer = z.object({
  label,
  answered_by: z.string().describe('memory, or the name of the chat model'),
  without_model: z.string().nullable().describe('why a chat model that is set did not write it'),
  marks: z
    .array(z.object({ at: z.number(), memory_id: z.string(), document_id: z.string(), title: z.string() }))
    .describe('where in the text which memory is cited, those forgotten since left out'),
})

export const sessionsOperations = {
  listSessions: operation({
    name: 'listSessions',
    method: 'GET',
    path: sessions,
    summary: 'List sessions, the latest active first',
    query: pages.extend({
      from: z
        .enum(['console', 'elsewhere'], { error: 'must be console or elsewhere' })
        .optional()
        .describe('Only those that the owner began in the console, or only those that callers began.'),
    }),
    answer: z.object({ sessions: z.array(SessionAnswer), next }),
    errors: ERRORS,
  }),
  getSession: operation({
    name: 'getSession',
    method: 'GET',
    path: `${sessions}/{id}`,
    summary: 'The messages of a session, oldest first',
    answer: z.object({
      id: z.string(),
      title: z.string(),
      messages: z.array(
        EntryAnswer.extend({
          reply: KeptAnswer.nullable().describe(
            `of the newest ${limits.sessionReplies} replies: what is known of them`,
          ),
        }),
      ),
    }),
    errors: ERRORS,
  }),
  renameSession: operation({
    name: 'renameSession',
    method: 'PATCH',
    path: `${sessions}/{id}`,
    summary: 'Give a session a title',
    body: z.object({
      title: field
        .text(limits.nameCharacters)
        .default('')
        .meta({ blankCounts: true, description: 'Empty: it goes by what was said first.' }),
    }),
    answer: z.object({ id: z.string(), title: z.string() }),
    errors: ERRORS,
  }),
  deleteSession: operation({
    name: 'deleteSession',
    method: 'DELETE',
    path: `${sessions}/{id}`,
    summary: 'Delete a session with its messages, drafts and replies',
    about: 'What a persona learned from it stays: that is a memory of its own.',
    answer: ReceiptAnswer,
    errors: ERRORS,
  }),
  takeBackQuestion: operation({
    name: 'takeBackQuestion',
    method: 'POST',
    path: `${sessions}/{id}/take-back`,
    summary: 'Take back the last question, with what was replied, to ask it again or otherwise',
    about: 'Only one that was asked in the console. A reply with a verdict is kept for the score to learn from.',
    answer: z.object({ question: z.string() }),
    errors: ERRORS,
  }),
} as const
