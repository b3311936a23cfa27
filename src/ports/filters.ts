// How an owner narrows down lists of documents and memories, and what may be changed about a document.
import type { Document, DocumentKind, DocumentState } from '../domain/document.ts'

// Newest first; `before` is the id of the last one already seen.
export type Page = { limit: number; before?: string | undefined }

// `text` stands in its title, in the name of its file or in its address; `since` and `until` are about its start time.
export type DocumentFilter = {
  text?: string | undefined
  kind?: DocumentKind | undefined
  state?: DocumentState | undefined
  isDraft?: boolean | undefined
  tag?: string | undefined
  source?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  sort?: 'newest' | 'oldest' | 'title' | undefined
}

export type DocumentChanges = Partial<Pick<Document, 'title' | 'tags' | 'sourceName' | 'startTime'>>

// `isPlain`: given as a memory, or cut out of a document.
export type MemoryFilter = {
  isPlain?: boolean | undefined
  tag?: string | undefined
  source?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}
