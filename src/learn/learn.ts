// From a document to memories: read and cut into pieces that know their place and time, outside of the event loop.
import type { Document } from '../domain/document.ts'
import { newId } from '../domain/id.ts'
import type { Memory } from '../domain/memory.ts'
import type { Extractor, Piece, Split } from '../ports/extractor.ts'
import type { Learned, Store, Trace } from '../ports/store.ts'
import { type CollectionNeeds, unpackCollection } from './collection.ts'
import { limits } from './limits.ts'
import { Elsewhere, type Watch } from './watch.ts'

export type LearnNeeds = CollectionNeeds & {
  store: Pick<Store, 'documents' | 'memories'>
  extractor: Extractor
  embedderName: string
  // What the memories leave for finding them again.
  traces(memories: Memory[], options: { isPlain: boolean }): Promise<Trace[]>
}

export async function learn(needs: LearnNeeds, document: Document, watch: Watch): Promise<Learned> {
  if (document.kind === 'collection') return unpackCollection(needs, document, watch)
  const read = await textOf(needs, document, watch)
  const startTime = document.timeGiven ? document.startTime : (read.time ?? document.startTime)
  const named = document.title !== '' && document.title !== document.fileName
  const fresh = read.pieces.map((piece, position) => toMemory(document, piece, position, startTime))
  const { memories, isKept } = await keepSame(needs, document, fresh)
  return {
    text: read.text,
    title: named ? document.title : (read.title ?? document.title),
    startTime,
    memories,
    traces: await tracesOf(needs, document, memories, isKept, watch),
    ...(read.missing && { missing: read.missing }),
  }
}

// Learning a text again touches only what changed: a passage that reads the same stays the memory it was.
async function keepSame({ store, embedderName }: LearnNeeds, document: Document, fresh: Memory[]) {
  const isKept = new Set<Memory>()
  if (!document.isEdited && document.updatedAt <= document.createdAt) return { memories: fresh, isKept }
  const before = new Map<string, Memory[]>()
  for (const memory of await store.memories.ofDocument(document.personaId, document.id, embedderName)) {
    before.set(sameness(memory), [...(before.get(sameness(memory)) ?? []), memory])
  }
  const memories = fresh.map((memory) => {
    const same = before.get(sameness(memory))?.shift()
    const kept = same ? { ...memory, id: same.id } : memory
    if (same) isKept.add(kept)
    return kept
  })
  return { memories, isKept }
}

const sameness = ({ text, time, place }: Memory): string =>
  JSON.stringify([text, time.getTime(), place.headings, place.speaker])

// Slice by slice, the next one always waiting: the embedder is never idle, and a note between two slices is not held up.
async function tracesOf(
  needs: LearnNeeds,
  document: Document,
  memories: Memory[],
  isKept: Set<Memory>,
  { onProgress, signal }: Watch,
): Promise<(Trace | null)[]> {
  const changed = memories.filter((memory) => !isKept.has(memory))
  const made: Trace[] = []
  const slice = (at: number) => {
    const coming =
      at < changed.length
        ? needs.traces(changed.slice(at, at + limits.slice), { isPlain: document.kind === 'memory' })
        : Promise.resolve([])
    coming.catch(() => {}) // told when its turn comes; if it never comes, nobody needs to hear
    return coming
  }
  let coming = slice(0)
  for (let at = 0; at < changed.length; at += limits.slice) {
    signal.throwIfAborted()
    const next = slice(at + limits.slice)
    made.push(...(await coming))
    coming = next
    onProgress(READING_SHARE + (1 - READING_SHARE) * (made.length / changed.length))
  }
  const left = made.values()
  return memories.map((memory) => (isKept.has(memory) ? null : left.next().value!))
}

// What part of the progress bar the reading of a file is given.
const READING_SHARE = 0.4

// A text an owner has replaced stands for itself; the bytes it once came from no longer do.
async function textOf(
  { store, extractor }: LearnNeeds,
  document: Document,
  { onProgress, signal, mayWait }: Watch,
): Promise<Split> {
  const hasBytes = document.fileBytes > 0 && !document.isEdited
  if (!hasBytes && document.text.trim() === '') return { text: document.text, pieces: [], time: null, title: null }
  const options = { signal, onProgress: (share: number) => onProgress(share * READING_SHARE) }
  if (!hasBytes) {
    const content = { bytes: Buffer.from(document.text), name: null, mediaType: PLAIN, kind: 'text' as const }
    const { pieces } = await extractor.split(content, options)
    return { text: document.text, pieces, time: null, title: null }
  }
  const content = {
    bytes: await store.documents.file(document.personaId, document.id),
    name: document.fileName,
    mediaType: document.mediaType,
    ...(document.url && { url: document.url }),
  }
  if (!mayWait && extractor.isRecording(content)) throw new Elsewhere()
  return extractor.split(content, options)
}

const PLAIN = 'text/plain; charset=utf-8'

const toMemory = (document: Document, piece: Piece, position: number, startTime: Date): Memory => ({
  personaId: document.personaId,
  id: newId(),
  documentId: document.id,
  position,
  text: piece.text,
  time: piece.time ?? startTime,
  place: {
    headings: piece.headings,
    page: piece.page,
    pageStarts: piece.pageStarts,
    start: piece.start,
    end: piece.end,
    speaker: document.saidBy ?? piece.speaker,
  },
})
