// What recall keeps of each memory to find it again by.
import type { KnownMemory } from '../domain/memory.ts'

// What a memory leaves for finding it again, made by recall when it is learned.
export type Trace = {
  words: Uint8Array // the numbers of its telling words in their order, 32 bits each, little-endian
  speaker: string | null // in lower case
  isTurn: boolean // part of a conversation: its neighbours in time belong to it
  isSelf: boolean // someone speaks of themselves
  embedder: string
  vector: Uint8Array
}

export type TraceRow = Omit<Trace, 'embedder' | 'vector'> & {
  number: number // rises with every memory learned
  documentId: string
  time: number // milliseconds since 1970
  vector: Uint8Array | null // null where the embedder asked for has not seen it
}

export type Traces = {
  // Rises with every change of what the persona may recall; 0 before the first one.
  sequence(personaId: number): Promise<number>
  // The documents changed since; undefined when that is too long ago to tell.
  changedSince(personaId: number, sequence: number): Promise<string[] | undefined>
  // In rising order of `number`, beginning after `after`.
  page(personaId: number, embedder: string, page: { after: number; limit: number }): Promise<TraceRow[]>
  ofDocuments(personaId: number, embedder: string, documentIds: string[]): Promise<TraceRow[]>
  // Ids of the documents that are recalled only when named.
  drafts(personaId: number): Promise<string[]>
  // The memories behind these numbers, in any order; those gone meanwhile are missing.
  lookUp(personaId: number, numbers: number[]): Promise<IndexedMemory[]>
  // Of the `limit` memories after this one, those that this embedder has not seen; `next`: where to go on, null at the
  // end.
  withoutVector(
    personaId: number,
    embedder: string,
    page: { after: number; limit: number },
  ): Promise<{ numbers: number[]; next: number | null }>
  addVectors(
    personaId: number,
    embedder: string,
    vectors: { number: number; documentId: string; bytes: Uint8Array }[],
  ): Promise<void>
}

// `isPlain`: given as a memory, not cut out of a document.
export type IndexedMemory = KnownMemory & { number: number; isPlain: boolean; words: Uint8Array }
