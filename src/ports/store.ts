// The socket for keeping. Every query names its persona. A method that writes for a caller resolves only when what it
// wrote would survive a power cut; `work` may lose its last steps, for work that repeats is harmless.
import type { Key } from '../domain/access.ts'
import type { Draft, Message, Session } from '../domain/conversation.ts'
import type { Document, DocumentKind, ListedDocument, Revision } from '../domain/document.ts'
import type { KnownMemory, Memory } from '../domain/memory.ts'
import type { Persona, PersonaChanges, Receipt } from '../domain/persona.ts'
import type { KeptReply, Label, ListedReply } from '../domain/reply.ts'
import type { Audit } from './audit.ts'
import type { DocumentChanges, DocumentFilter, MemoryFilter, Page } from './filters.ts'
import type { Notices } from './notices.ts'
import type { Origins } from './origins.ts'
import type { People } from './people.ts'
import type { Sources } from './sources.ts'
import type { Trace, Traces } from './traces.ts'
import type { Transfers } from './transfers.ts'
import type { Outbox, Triggers } from './triggers.ts'

export type { Page } from './filters.ts'
export type { IndexedMemory, Trace, TraceRow, Traces } from './traces.ts'

export type Store = {
  personas: Personas
  keys: Keys
  documents: Documents
  origins: Origins
  memories: Memories
  traces: Traces
  conversations: Conversations
  drafts: Drafts
  replies: Replies
  sources: Sources
  triggers: Triggers
  notices: Notices
  outbox: Outbox
  requests: Requests
  audit: Audit
  people: People
  work: Work
  allowances: Allowances
  // Gives back the room that deleted things took, so that no byte of them is left.
  compact(): Promise<{ bytesBefore: number; bytesAfter: number }>
  // What it takes on disk.
  bytes(): Promise<number>
  // Everything as it is at one moment, as the parts of a backup file, made beside whoever goes on writing.
  backup(passphrase: string | undefined): AsyncIterable<Uint8Array>
  transfers: Transfers
  // Runs this while no other process runs its own.
  alone<T>(act: () => Promise<T>): Promise<T>
  encryption(): Encryption
  // What is known not to be what was stored, and is not handed out.
  damaged(): Promise<Damaged[]>
  // Resolves when the store answers a query.
  ping(): Promise<void>
  close(): Promise<void>
}

// At rest. `rotating`: what an older data key encrypted is encrypted anew. `elsewhere`: the engine's server sees to it.
export type Encryption = 'off' | 'on' | 'rotating' | 'elsewhere'

// `id`: of the document or the draft, of the passage, of the session of a message.
export type Damaged = {
  personaId: number
  what: 'text' | 'passage' | 'revision' | 'file' | 'draft' | 'message'
  id: string
  documentId: string | null
}

export type Personas = {
  // AppError('conflict') when the domain name is taken.
  create(persona: Persona): Promise<void>
  byDomainName(domainName: string): Promise<Persona | undefined>
  byId(id: number): Promise<Persona | undefined>
  list(): Promise<Persona[]>
  update(id: number, changes: PersonaChanges): Promise<Persona | undefined>
  remove(id: number): Promise<Receipt | undefined>
}

export type Keys = {
  create(key: Key): Promise<void>
  // Sees a revocation by another process from the next call on.
  byHash(hash: string): Promise<Key | undefined>
  list(): Promise<Key[]>
  remove(id: string): Promise<boolean>
  // May be late or lost: it is for the owner to look at.
  touched(id: string, at: Date): void
}

// Asked for anew whenever the engine has to begin again.
export type Pieces = () => AsyncIterable<Uint8Array>

// A caller's own name for a request, and what tells this request from others.
export type Once = { name: string; fingerprint: string }

// The right to answer a request of that name, held by one process at a time.
export type RequestClaim = { personaId: number; name: string; lease: string }

export type Requests = {
  // Says who answers this request: the caller, who gets a claim, or nobody, for it was answered with the reply of this
  // id. AppError('conflict') while another answers it, AppError('name_reused') when the name is another request's.
  claim(personaId: number, once: Once, at: Date): Promise<RequestClaim | { replyId: string }>
  // After a failure: as if it had not come. Does nothing to a request that was answered.
  release(claim: RequestClaim): Promise<void>
}

export type Documents = {
  // The document, its bytes and its work, in one transaction; answers with the id of the document that is kept.
  // `once`: a request that was kept before is not kept again, and the answer is that document's id.
  // AppError('conflict') when the name was used for another request.
  add(document: Document, more?: { file?: Pieces | undefined; once?: Once | undefined }): Promise<string>
  get(personaId: number, id: string): Promise<Document | undefined>
  file(personaId: number, id: string): Promise<Uint8Array>
  // Never plain memories. `before` is the last one seen, in whatever order.
  list(personaId: number, page: Page & DocumentFilter & { requestId?: string | undefined }): Promise<ListedDocument[]>
  // So many pieces of its bytes, beginning with this one.
  pieces(personaId: number, id: string, from: number, most: number): Promise<Uint8Array[]>
  // What is told about it. A new time is learned anew, for its memories have it, too.
  describe(personaId: number, id: string, changes: DocumentChanges): Promise<Document | undefined>
  // The same with their texts, read a few at a time while they are asked for; with a title, compared trimmed and
  // case-insensitively.
  wholeInTurn(personaId: number, page: { limit: number; title?: string | undefined }): AsyncIterable<Document[]>
  // Ids of documents by exact title, else of all whose title contains the words.
  named(personaId: number, title: string): Promise<string[]>
  // Keeps the old text as a revision and sets the document waiting again. The old text stays recalled until then.
  replaceText(personaId: number, id: string, text: string, at: Date): Promise<Document | undefined>
  publish(personaId: number, id: string): Promise<Document | undefined>
  retry(personaId: number, id: string): Promise<Document | undefined>
  remove(personaId: number, id: string): Promise<Receipt | undefined>
  // Newest first, so many at most: each holds a whole text.
  revisions(personaId: number, id: string, limit: number): Promise<Revision[]>
}

export type Memories = {
  list(personaId: number, page: Page): Promise<KnownMemory[]>
  // In any order; those gone meanwhile are missing.
  get(personaId: number, ids: string[]): Promise<KnownMemory[]>
  // By the time they speak of, latest first; `before` as in a list.
  timeline(
    personaId: number,
    page: Page & MemoryFilter,
  ): Promise<(KnownMemory & { kind: DocumentKind; isDraft: boolean; source: string })[]>
  remove(personaId: number, id: string): Promise<Receipt | undefined>
  // Those of the document that this embedder has seen.
  ofDocument(personaId: number, documentId: string, embedder: string): Promise<Memory[]>
}

// What one message leaves behind, in one transaction.
export type Exchange = {
  messages: Message[]
  holder?: string // the key that begins the session, if these are its first messages
  draft?: Draft
  document?: Document
  reply?: KeptReply
  claim?: RequestClaim | undefined // of the request that `reply` answers; AppError('conflict') when it was lost
}

// As much of a session as its reader can use.
export type SessionBounds = { turns: number; charactersEach: number }

export type SessionFilter = { isOwn?: boolean | undefined; holder?: string | undefined }

export type Conversations = {
  record(exchange: Exchange): Promise<void>
  // Oldest first, read a few at a time while they are asked for; undefined when the persona has no such session.
  history(personaId: number, sessionId: string): Promise<AsyncIterable<Message[]> | undefined>
  // The last turns of a session, oldest first, each cut to its first characters; none of an unknown session.
  latest(personaId: number, sessionId: string, bounds: SessionBounds): Promise<Pick<Message, 'role' | 'text'>[]>
  // Its last messages, oldest first.
  tail(personaId: number, sessionId: string, limit: number): Promise<Pick<Message, 'id' | 'role' | 'text'>[]>
  // The latest active first; `isOwn`: those begun in the console, or those that were not; `holder`: by whom.
  sessions(personaId: number, page: Page & SessionFilter): Promise<Session[]>
  session(personaId: number, sessionId: string): Promise<Session | undefined>
  // False when the persona has no such session.
  rename(personaId: number, sessionId: string, title: string): Promise<boolean>
  // With its messages, its drafts and what was kept of its replies.
  remove(personaId: number, sessionId: string): Promise<Receipt | undefined>
  // The last question and what came of it; answers with the question. Undefined when the console did not ask it.
  takeBack(personaId: number, sessionId: string): Promise<string | undefined>
  // The key that began it; null where nobody knows, undefined where there is no such session.
  holder(personaId: number, sessionId: string): Promise<string | null | undefined>
  // Messages that hold this text, without regard to case, newest first.
  search(personaId: number, text: string, page: Page): Promise<Message[]>
}

export type Drafts = {
  // Of all personas.
  count(): Promise<number>
  list(personaId: number, page: Page): Promise<Draft[]>
  get(personaId: number, id: string): Promise<Draft | undefined>
  // The draft goes; what came of it (a message, something learned, a verdict) is recorded. False when it was settled.
  settle(personaId: number, id: string, outcome: Exchange & { label?: Label }): Promise<boolean>
}

export type ReplyFigures = Pick<KeptReply, 'score' | 'tookMs' | 'decision' | 'label' | 'spent' | 'createdAt'>

export type Replies = {
  // With `visitorLabel`, those that a visitor judged so.
  list(personaId: number, page: Page & { visitorLabel?: Label | undefined }): Promise<ListedReply[]>
  // The newest of a session.
  ofSession(personaId: number, sessionId: string, limit: number): Promise<KeptReply[]>
  get(personaId: number, id: string): Promise<KeptReply | undefined>
  // In any order; those gone meanwhile are missing.
  some(personaId: number, ids: string[]): Promise<KeptReply[]>
  // Of those since then, the newest.
  figures(personaId: number, since: Date, limit: number): Promise<ReplyFigures[]>
  // Of those since then, the newest that scored below this or were judged wrong, unless they were judged right.
  unknown(personaId: number, since: Date, below: number, limit: number): Promise<ListedReply[]>
  // The newest with a verdict.
  labelled(personaId: number, limit: number): Promise<ListedReply[]>
  // False when there is no such reply.
  label(personaId: number, id: string, label: Label | null): Promise<boolean>
  // The same for a visitor, who judges what was sent in that one session.
  labelByVisitor(personaId: number, sessionId: string, id: string, label: Label | null): Promise<boolean>
}

export type Allowances = {
  // Up to `wanted` of what this key may still spend: so many a minute, saved up to a minute's worth, counted over all
  // processes. `left` is what remains after it. With less than one left, `waitMs` says when there will be one.
  take(keyId: string, perMinute: number, wanted: number): Promise<{ granted: number; left: number; waitMs: number }>
}

// A long document never holds up the short ones, nor what another service reads the long ones: each has a lane.
export type Batch = {
  lane: Lane
  afterPersona: number
  documents: number
  passOver?: number[] | undefined // personas that get nothing this time
  characters: number
  leaseMs: number
}

export type Lane = 'short' | 'long' | 'elsewhere'
export type Claim = { document: Document; lease: string }

export type Work = {
  // Between processes: who accepts something says so, who learns hears of it. May be lost: who listens also looks.
  announce(): void
  onAnnounced(heard: () => void): void
  // Due documents, each leased to the caller: no one else gets them until the lease runs out.
  // Personas take turns, beginning after `afterPersona`, so that nobody waits behind another's thousand documents.
  claim(at: Date, batch: Batch): Promise<Claim[]>
  // Documents whose work took a step at or after this moment, in the order of their steps.
  changedSince(ms: number, limit: number): Promise<{ document: ListedDocument; changedAt: number }[]>
  // Counts an attempt. A claimed document that nobody began was never tried.
  begin(claim: Claim): Promise<void>
  // False when the lease was lost: the document was deleted, or changed, or is someone else's now.
  progress(claim: Claim, percent: number, leaseUntil: Date): Promise<boolean>
  // Back to the queue, as if it had not been begun; in another lane, if it belongs there.
  release(claim: Claim, options?: { lane: Lane }): Promise<void>
  // The document's memories become these. False when the lease was lost meanwhile: then nothing was written.
  finish(claim: Claim, learned: Learned): Promise<boolean>
  // `retryAt` null: failed for good.
  fail(claim: Claim, error: string, retryAt: Date | null): Promise<void>
  // Of these personas, or of all.
  counts(personas?: number[] | '*'): Promise<{ pending: number; running: number; failed: number }>
  pullIn(at: Date): Promise<void> // what a clock that was ahead put off is due now
  // Since when the document that waits longest is due.
  oldestDue(): Promise<Date | undefined>
  // How many short documents of a persona are still to be learned, counted up to `most`.
  shortPending(personaId: number, most: number): Promise<number>
}

// One trace for each memory; null for a memory that was there before and stays, with its id.
export type Learned = {
  text: string
  title: string
  startTime: Date
  memories: Memory[]
  traces: (Trace | null)[]
  missing?: string // what of it could not be read and why, for the owner
  unpacked?: string // of a collection: what came out of it, as JSON; its file is not needed any more
}
