// What the owner's interface answers with.
import { z } from 'zod'
import { scopes } from '../domain/access.ts'
import { chatProviders } from '../domain/chat-model.ts'
import { draftReasons } from '../domain/conversation.ts'
import { documentKinds, documentStates } from '../domain/document.ts'

export const time = z.string().describe('ISO 8601, UTC')

export const SpentAnswer = z
  .object({
    prompt_tokens: z.number(),
    answer_tokens: z.number(),
    cost: z.number().nullable().describe('by the prices of the model at that time; null where it has none'),
    currency: z.string().nullable(),
  })
  .nullable()
  .describe('what a chat model took; null where none wrote, or its server does not count')

export const PersonaAnswer = z.object({
  domain_name: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  threshold: z.number(),
  instructions: z.string(),
  model: z
    .object({
      provider: z.enum(chatProviders),
      url: z.string().nullable(),
      name: z.string(),
      has_key: z.boolean().describe('The key itself is never shown.'),
      prices: z
        .object({ prompt: z.number(), answer: z.number(), currency: z.string() })
        .nullable()
        .describe('of a million tokens'),
    })
    .nullable()
    .describe("The persona's own chat model; null: the one of the settings, or none."),
  requires_source_name: z.boolean().describe('A message without SourceName is refused.'),
  owner: z.object({ name: z.string(), email: z.string(), picture: z.string() }),
  sharing: z
    .object({
      on: z.boolean(),
      origins: z.array(z.string()),
      show_sources: z.boolean(),
      default_message: z.string(),
    })
    .describe('The page for people without keys, /talk/{domain_name}.'),
  created_at: time,
})

export const KeyAnswer = z.object({
  id: z.string(),
  last4: z.string(),
  name: z.string(),
  personas: z.union([z.array(z.string()), z.literal('*')]),
  scopes: z.array(z.enum(scopes)),
  default_persona: z.string().nullable(),
  legacy: z.boolean(),
  expires_at: time.nullable(),
  created_at: time,
  last_used_at: time.nullable(),
})

export const DocumentAnswer = z.object({
  id: z.string(),
  kind: z.enum(documentKinds),
  title: z.string(),
  source_name: z.string(),
  said_by: z
    .string()
    .nullable()
    .describe('Whose words of a conversation they are (is_stack); null: what the persona was taught.'),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  media_type: z.string().nullable(),
  file_bytes: z.number(),
  characters: z.number(),
  tags: z.array(z.string()),
  start_time_utc: time,
  end_time_utc: time.nullable(),
  is_draft: z.boolean(),
  is_edited: z.boolean(),
  state: z.enum(documentStates),
  progress: z.number().describe('0–100'),
  error: z
    .string()
    .nullable()
    .describe('Why it could not be learned; of one that is ready: what of it could not be read, and why.'),
  attempts: z.number(),
  request_id: z.string().describe('x-request-id of the call that brought it'),
  created_at: time,
  updated_at: time,
})

// What came out of a file that holds many documents.
export const UnpackedAnswer = z.object({
  formats: z.array(z.string()).describe('Whose exports were in it.'),
  added: z.number().describe('Documents that are new.'),
  changed: z.number(),
  unchanged: z.number(),
  contents: z.record(z.string(), z.number()).describe('What they are made of: messages, notes, events …'),
  left_out: z.record(z.string(), z.number()).describe('What could not be learned, and how often.'),
})

export const DocumentEvent = DocumentAnswer.extend({ domain_name: z.string() })

export const MemoryAnswer = z.object({
  id: z.string(),
  document_id: z.string(),
  title: z.string(),
  text: z.string(),
  topics: z.array(z.string()),
  headings: z.array(z.string()),
  page: z.number().nullable(),
  speaker: z.string().nullable(),
  start: z.number(),
  end: z.number(),
  start_time_utc: time,
})

export const SessionAnswer = z.object({
  id: z.string(),
  title: z.string().describe('given by the owner; empty: none'),
  begun_by: z.string().nullable().describe('The id of the key that began it; "owner" for the owner.'),
  opening: z.string().describe('what was said first, cut short'),
  source_app: z.string().describe('of its first message'),
  messages: z.number(),
  started_at: time,
  last_at: time,
})
export const EntryAnswer = z.object({
  id: z.string(),
  role: z.enum(['user', 'ai']),
  text: z.string(),
  score: z.number(),
  user_name: z.string().nullable(),
  source_app: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: time,
})
export const DraftAnswer = z.object({
  id: z.string(),
  session_id: z.string(),
  question: z.string(),
  text: z.string(),
  score: z.number(),
  reason: z.enum(draftReasons),
  sources: z.array(
    z.object({
      memory_id: z.string(),
      document_id: z.string(),
      title: z.string(),
      text: z.string(),
      start_time_utc: time,
    }),
  ),
  created_at: time,
})
export const ReceiptAnswer = z.object({
  deleted: z.object({
    documents: z.number(),
    memories: z.number(),
    revisions: z.number(),
    file_bytes: z.number(),
    sessions: z.number(),
    messages: z.number(),
    drafts: z.number(),
  }),
})
