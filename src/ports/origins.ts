// The socket for what comes in again and again: exports of other programs, mailboxes, feeds. Whatever came from there
// has a name there, so that the next time brings only what is new.
import type { Document } from '../domain/document.ts'

export type Known = {
  documentId: string
  hash: string // of what came in last
  requestId: string
  createdAt: Date
}

// `replaces`: the document whose text it takes the place of; the old text stays as a revision.
// `file`: the bytes it is read from, where its text does not stand for itself.
export type Incoming = {
  name: string
  hash: string
  document: Document
  file?: Uint8Array | undefined
  replaces?: string | undefined
}

export type Origins = {
  // Those of these names that the persona has a document of.
  known(personaId: number, names: string[]): Promise<Map<string, Known>>
  // All of them in one transaction. A document that is gone meanwhile is not replaced.
  keep(personaId: number, incoming: Incoming[]): Promise<void>
}
