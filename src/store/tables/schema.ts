// The rows as both engines hold them. Times are milliseconds since 1970, lists and objects are JSON text, truths are
// 0 or 1.
import type { Generated } from 'kysely'
import type {
  AccountRow,
  ChallengeRow,
  IdentityRow,
  InvitationRow,
  PasskeyRow,
  SignInRow,
  WayRow,
} from './people-rows.ts'
import type { SourcePageRow, SourceRow } from './source-rows.ts'

export type { WayRow } from './people-rows.ts'

export type Tables = {
  personas: PersonaRow
  keys: KeyRow
  documents: DocumentRow
  file_pieces: { persona_id: number; document_id: string; position: number; bytes: Uint8Array }
  revisions: { persona_id: number; document_id: string; revision: number; text: string; replaced_at: number }
  memories: MemoryRow
  traces: TraceRow
  vectors: { persona_id: number; number: number; embedder: string; bytes: Uint8Array }
  requests: RequestRow
  versions: { persona_id: number; sequence: number } // the number of the newest change
  changes: { persona_id: number; sequence: number; document_id: string }
  sessions: SessionRow
  messages: MessageRow
  drafts: DraftRow
  replies: ReplyRow
  triggers: TriggerRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
  sources: SourceRow
  source_pages: SourcePageRow
  audit: AuditRow
  accounts: AccountRow
  invitations: InvitationRow
  sign_ins: SignInRow
  passkeys: PasskeyRow
  challenges: ChallengeRow
  notice_ways: WayRow
  secrets: { name: string; text: string }
  identities: IdentityRow
}

export type PersonaRow = {
  id: number
  domain_key: string
  domain_name: string
  name: string
  picture: string | null
  threshold: number
  instructions: string
  model: string | null // JSON, with the key its server asks for
  requires_source_name: number
  wanted_events: Generated<string> // comma-separated: what its triggers that are on want to be told
  owner_name: string
  owner_email: string
  owner_picture: string
  owner_identity_id: number
  calibration: string | null
  sharing: string | null
  created_at: number
}

export type KeyRow = {
  id: string
  hash: string
  last4: string
  name: string
  admin: number
  personas: string
  default_persona: number | null
  scopes: string
  legacy: number
  expires_at: number | null
  created_at: number
  last_used_at: number | null
}

export type DocumentRow = {
  persona_id: number
  id: string
  kind: 'memory' | 'text' | 'url' | 'file' | 'collection'
  title: string
  title_key: string
  text: string
  characters: number // of the text
  raw_text: string | null
  source_name: string
  said_by: string | null
  url: string | null
  file_name: string | null
  media_type: string | null
  file_bytes: number
  start_time: number
  end_time: number | null
  time_given: number
  tags: string
  is_draft: number
  is_edited: number
  request_id: string
  created_at: number
  updated_at: number
  state: 'waiting' | 'reading' | 'ready' | 'failed'
  progress: number
  error: string | null
  attempts: number
  due_at: number
  lease: string | null
  lease_until: number | null
  lane: number // 0: short, 1: long, 2: read by another service
  changed_at: number // of what the owner sees of the work
  origin: string | null // its name where it came from, if it may come again
  origin_hash: string | null // of what came from there last
}

export type MemoryRow = {
  number: Generated<number> // rises with every memory learned
  persona_id: number
  id: string
  document_id: string
  position: number
  text: string
  time: number
  headings: string
  page: number | null
  page_starts: string | null // where it goes on on other pages; null: on none
  start: number
  end: number
  speaker: string | null
}

export type TraceRow = {
  persona_id: number
  number: number
  document_id: string
  time: number
  speaker: string | null
  is_turn: number
  is_self: number
  words: Uint8Array
}

export type AuditRow = {
  number: number
  at: number
  who: string
  what: string
  on_what: string
  from_where: string
  outcome: string
  hash: string
}

export type RequestRow = {
  persona_id: number
  name: string
  fingerprint: string
  document_id: string // or the id of the reply, for a message; empty while it is being answered
  lease: string | null // of whoever answers it now
  lease_until: number | null
  created_at: number
}

export type SessionRow = {
  persona_id: number
  id: string
  messages: number
  started_at: number
  last_at: number
  title: string // the owner's; empty: none
  source_app: string // of its first message
  holder: string | null
}

export type MessageRow = {
  persona_id: number
  session_id: string
  position: number
  id: string
  role: 'user' | 'ai'
  text: string
  score: number
  source_app: string
  user_name: string | null
  metadata: string
  time: number
}

export type DraftRow = {
  persona_id: number
  id: string
  session_id: string
  question: string
  text: string
  score: number
  reason: 'below threshold' | 'asked for as a draft'
  sources: string
  source_app: string
  created_at: number
}

export type ReplyRow = {
  persona_id: number
  id: string
  session_id: string
  question: string
  text: string
  score: number
  logit: number
  decision: 'sent' | 'withheld' | 'draft'
  answered_by: string
  took_ms: number
  label: 'right' | 'wrong' | null
  visitor_label: 'right' | 'wrong' | null
  prompt_tokens: number | null
  answer_tokens: number | null
  cost: number | null
  currency: string | null
  explanation: string
  created_at: number
}

export type TriggerRow = {
  persona_id: number
  id: string
  name: string
  source: string
  events: string
  url: string
  secret: string
  old_secret: string | null
  old_secret_until: number | null
  is_on: number
  off_reason: string | null
  failing_since: number | null
  created_at: number
  updated_at: number
}

export type DeliveryRow = {
  persona_id: number
  id: string
  trigger_id: string
  way: string | null // of a notice: where somebody is told; such a row has no trigger
  type: string
  payload: string // JSON, the bytes that are signed and sent; of a notice the id of the draft
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  tries: number // attempts since it was last set waiting
  due_at: number // of the next attempt; while leased, when the lease runs out
  lease: string | null
  last_status: number | null
  last_error: string | null
  created_at: number
  settled_at: number | null
}

export type DeliveryAttemptRow = {
  persona_id: number
  delivery_id: string
  number: number
  at: number
  took_ms: number
  status: number | null
  error: string | null
  response: string
}
