// The socket for keeping. Every query names its persona. A method that writes for a caller resolves only when what it
// wrote would survive a power cut; `work` may lose its last steps, for work that repeats is harmless.
import type { Key } from '../domain/access.ts'
import type { Draft, Message, Session } from '../domain/conversation.ts'
import type { Document, Revision } from '../domain/document.ts'
import type { Memory, Recollection } from '../domain/memory.ts'
import type { Persona, PersonaChanges, Receipt } from '../domain/persona.ts'

// Newest first; `before` is the id of the last one already seen.
export type Page = { limit: number; before?: string | undefined }

export type Store = {
  personas: Personas
  keys: Keys
  documents: Documents
  memories: Memories
  conversations: Conversations
  drafts: Drafts
  work: Work
  // Resolves when the store answers a query.
  ping(): Promise<void>
  close(): Promise<void>
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

export type Documents = {
  // The document, its bytes and its work, in one transaction.
  add(document: Document, file?: AsyncIterable<Uint8Array>): Promise<void>
  get(personaId: number, id: string): Promise<Document | undefined>
  file(personaId: number, id: string): Promise<Uint8Array>
  // Never plain memories; with a title, compared trimmed and without case.
  list(personaId: number, page: Page & { title?: string | undefined }): Promise<Document[]>
  // Ids of documents by exact title, else of all whose title contains the words.
  named(personaId: number, title: string): Promise<string[]>
  // Keeps the old text as a revision and sets the document waiting again. The old text stays recalled until then.
  replaceText(personaId: number, id: string, text: string, at: Date): Promise<Document | undefined>
  publish(personaId: number, id: string): Promise<Document | undefined>
  retry(personaId: number, id: string): Promise<Document | undefined>
  remove(personaId: number, id: string): Promise<Receipt | undefined>
  revisions(personaId: number, id: string): Promise<Revision[]>
}

export type Memories = {
  list(personaId: number, page: Page): Promise<Recollection[]>
  remove(personaId: number, id: string): Promise<Receipt | undefined>
  // The memories that share most with these words, best first (BM25). Drafts only when their document is named.
  search(personaId: number, words: string[], limit: number, documentIds?: string[]): Promise<Recollection[]>
}

// What one message leaves behind, in one transaction.
export type Exchange = { messages: Message[]; draft?: Draft; document?: Document }

export type Conversations = {
  record(exchange: Exchange): Promise<void>
  // Oldest first; undefined when the persona has no such session.
  history(personaId: number, sessionId: string): Promise<Message[] | undefined>
  sessions(personaId: number, page: Page): Promise<Session[]>
}

export type Drafts = {
  list(personaId: number, page: Page): Promise<Draft[]>
  get(personaId: number, id: string): Promise<Draft | undefined>
  // The draft goes; what came of it (a message, something learned) is recorded with it. False when it was settled already.
  settle(personaId: number, id: string, outcome: Exchange): Promise<boolean>
}

export type Claim = { document: Document; lease: string }

export type Work = {
  // Due documents, each leased to the caller: no one else gets them until the lease runs out.
  claim(at: Date, batch: { documents: number; characters: number; leaseMs: number }): Promise<Claim[]>
  // Counts an attempt. A claimed document that nobody began was never tried.
  begin(claim: Claim): Promise<void>
  progress(claim: Claim, percent: number, leaseUntil: Date): Promise<void>
  // Replaces all memories of the document. False when the lease was lost meanwhile: then nothing was written.
  finish(claim: Claim, learned: Learned): Promise<boolean>
  // `retryAt` null: failed for good.
  fail(claim: Claim, error: string, retryAt: Date | null): Promise<void>
  counts(): Promise<{ pending: number; running: number; failed: number }>
}

export type Learned = { text: string; title: string; startTime: Date; memories: Memory[] }
