// What the public interface answers with: the exact fields of every answer.
import { z } from 'zod'
import { scopes } from '../../domain/access.ts'
import { documentKinds, documentStates } from '../../domain/document.ts'
import { RecollectionAnswer } from '../recall-api.ts'

const timeUtc = z.string().describe('ISO 8601 with the offset +00:00')

export const Reply = z.object({
  ai_message: z.string(),
  ai_score: z.number().describe('0–100: the probability that the reply is right and supported by memory.'),
  ai_name: z.string(),
  ai_picture: z.string().nullable(),
  SessionId: z.string(),
  source_app: z.string(),
  sources: z
    .array(z.object({ document_id: z.string(), title: z.string(), text: z.string(), start_time_utc: z.string() }))
    .optional()
    .describe('The memories the reply rests on; only with ?include=sources.'),
})
export const InstructionReply = Reply.omit({ ai_picture: true })

export const HistoryEntry = z.object({
  ai_message: z.string(),
  ai_score: z.number(),
  ai_name: z.string(),
  ai_picture: z.string().nullable(),
  raw_message: z.string(),
  timestamp: z.string().describe('ISO 8601, UTC, with milliseconds and Z'),
  SessionId: z.string(),
  Metadata: z.record(z.string(), z.unknown()).describe("The client's own object plus role: user or ai."),
})

export const DocumentSummary = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  type: z.literal('Document'),
  timestamp: timeUtc,
})

export const ListedDocument = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(documentKinds),
  state: z.enum(documentStates).describe('ready: learned, and recalled from now on'),
  is_draft: z.boolean().describe('not used for replies unless named in Events'),
  tags: z.array(z.string()),
  timestamp: timeUtc,
})

// What it scored is told; what the score is made of is the owner's to see.
export const Recollections = z.object({ recollections: z.array(RecollectionAnswer.omit({ parts: true })) })

const Topics = z.array(z.object({ value: z.string() }))
const legacyFields = {
  status: z.string().optional().describe('legacy keys only'),
  success: z.boolean().optional().describe('legacy keys only'),
}

export const Acknowledgement = z.object({ message: z.string(), ...legacyFields })

export const MemoryAnswer = z.object({
  type: z.literal('memory'),
  payload: z.array(
    z.object({
      data: z.array(
        z.object({
          type: z.literal('MEMORY'),
          memlevel: z.literal('MEMBLOCK'),
          memlabel: z.string(),
          start_time_utc: timeUtc,
          source: z.object({ type: z.string(), name: z.string() }),
          topics: Topics,
        }),
      ),
    }),
  ),
  ...legacyFields,
})

const keyValue = z.object({ key: z.string(), value: z.string() })
const Identity = z.object({
  name: z.string(),
  identity_id: z.int(),
  domain_id: z.int(),
  propertyBag: z.object({ email: keyValue, picture: keyValue }),
})

export const FeedRecord = z.object({
  id: z.string(),
  type: z.literal('MEMORY'),
  memlevel: z.literal('MEMBLOCK'),
  memlabel: z.string(),
  feedTextRaw: z.string().nullable(),
  ownerDnsName: z.string(),
  start_time_utc: timeUtc,
  end_time_utc: timeUtc.nullable(),
  creator: Identity,
  owner: z.array(Identity),
  follower: Identity,
  participants: z.array(Identity),
  source: z.object({
    type: z.string(),
    name: z.string(),
    device: z.string(),
    propertyBag: z.object({ source_app: keyValue }),
  }),
  location: z.null(),
  feed_event: z.array(
    z.object({
      id: z.string().nullable(),
      name: z.string(),
      type: z.string().nullable(),
      propertyBag: z.record(z.string(), z.unknown()),
    }),
  ),
  topics: Topics,
  contexts: z.array(z.unknown()),
  scope: z.literal('PERSONAL'),
  visibility: z.literal('PRIVATE'),
  internal_parent_mem_ids: z.array(z.string()),
  external_parent_mem_ids: z.array(z.unknown()),
  embedUrls: z.array(z.string()),
  scores: z.record(z.string(), z.number()),
  metadata: z.object({
    title: z.string(),
    feed_text: z.string(),
    request_id: z.string(),
    original_text: z.string().describe('The previous text as HTML paragraphs, escaped.'),
    is_processed: z.string(),
  }),
  is_session: z.boolean(),
  is_draft: z.boolean(),
  is_edited: z.boolean(),
})

export const KeyOwner = z.object({
  validation: z.literal('success'),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
})

export const KeyPersonas = z.object({
  personas: z
    .array(
      z.object({
        DomainName: z.string(),
        ai_name: z.string(),
        ai_picture: z.string().nullable(),
        is_default: z.boolean().describe('Answers where DomainName is left out.'),
      }),
    )
    .describe('by DomainName'),
  scopes: z.array(z.enum(scopes)),
})

export const Invitation = z.object({
  message: z.string(),
  email: z.string(),
  domain_name: z.string(),
  key: z.string().describe('Shown this once.'),
})
