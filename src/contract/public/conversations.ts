// Talking with a persona: messages, instructions, and the history of a session.
import { z } from 'zod'
import * as field from '../fields.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { HistoryEntry, InstructionReply, Reply } from './answers.ts'
import { at, FIELD_INVALID, KEY_INVALID, persona, refused, sourceName } from './shared.ts'

const userName = field.text(limits.nameCharacters).optional().describe('Who is writing.')
const include = z
  .enum(['sources'], { error: 'may only be sources' })
  .optional()
  .describe('sources: the reply also names the memories it rests on.')

export const conversationOperations = {
  message: operation({
    name: 'message',
    method: 'POST',
    ...at('/v1/message'),
    summary: 'Send a message to the persona and get its reply',
    scope: 'message',
    once: true,
    unauthorized: refused('AI message api unauthorized.'),
    query: z.object({ include }),
    body: z.object({
      Text: field.filledText.describe('The message.'),
      Context: field
        .text(limits.contextCharacters)
        .optional()
        .describe('Extra context for the reply, like an instruction for it. Only a chat model reads it.'),
      ...persona,
      UserName: userName,
      SessionId: field.sessionId.optional(),
      Events: field
        .text(limits.eventsCharacters)
        .optional()
        .describe('Titles of documents to answer from, separated by ":". Those that match nothing are ignored.'),
      SourceName: sourceName.optional(),
      is_stack: field.flag.default(false).describe('Also add Text to memory.'),
      is_draft: field.flag.default(false).describe('Keep the reply as a draft for the owner.'),
      Metadata: z
        .record(z.string(), z.unknown(), { error: 'must be an object' })
        .optional()
        .describe('Of your own, kept with the message and given back by conversation.'),
    }),
    answer: Reply,
    errors: {
      400: FIELD_INVALID,
      403: KEY_INVALID,
      503: 'The reply scored below the threshold; it waits as a draft for the owner.',
    },
    streamed: {
      name: 'messageStream',
      path: '/v1/message/stream',
      summary: 'Send a message and get the reply as server-sent events',
      about:
        'Lines of `data: {"ai_message": "<next part>", "SessionId": "…"}`, then one object with the other fields of ' +
        'the reply and `"ai_message": ""`, then `data: [DONE]`: the parts together are the reply. A persona with a ' +
        'threshold has its reply scored first: one below it is the 503, not a stream. Without a threshold, the parts ' +
        'come as a chat model writes them; where it breaks off, the reply that counts follows after a blank line.',
    },
  }),
  instruction: operation({
    name: 'instruction',
    method: 'POST',
    ...at('/v1/instruction'),
    summary: 'Send an instruction to the persona',
    scope: 'instruction',
    once: true,
    unauthorized: refused('AI message api unauthorized.'),
    query: z.object({
      cmd: z
        .enum(['chatgpt', 'chat-model', 'search'], { error: 'must be chatgpt or search' })
        .describe('chat-model is another name of chatgpt.'),
      include,
    }),
    body: z.object({
      Text: field.longText.min(1, 'is empty').describe('The instruction.'),
      Context: field
        .text(limits.contextCharacters)
        .optional()
        .describe('What else to go by: the text to summarise, say.'),
      ...persona,
      UserName: userName,
      SessionId: field.sessionId.optional(),
      SourceName: sourceName.optional(),
      is_message: field.flag.default(false).describe('Treat the instruction as a message.'),
    }),
    answer: InstructionReply,
    errors: {
      400: FIELD_INVALID,
      403: KEY_INVALID,
      503: 'The instruction could not be processed, or its reply scored below the threshold; detail says why.',
    },
  }),
  conversation: operation({
    name: 'conversation',
    method: 'POST',
    ...at('/v1/conversation'),
    summary: 'Read the history of a session, oldest first',
    scope: 'read',
    unauthorized: refused('AI conversation api unauthorized.'),
    query: z.object({ last: field.count(limits.historyEntries).optional().describe('Only so many, the latest ones.') }),
    body: z.object({ ...persona, SessionId: field.sessionId.min(1, 'is empty') }),
    answer: z.array(HistoryEntry),
    errors: { 400: FIELD_INVALID, 403: KEY_INVALID, 404: 'The persona has no such session.' },
  }),
} as const
