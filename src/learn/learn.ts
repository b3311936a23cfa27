// From a document to memories: read it if it is not text yet, cut it into pieces that know their place and time.
import type { Document } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/id.ts'
import { limits } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import type { Extracted, Extractor } from '../ports/extractor.ts'
import type { Learned, Store } from '../ports/store.ts'
import { type Piece, split } from './split.ts'

export type LearnNeeds = { store: Pick<Store, 'documents'>; extractor: Extractor }

export async function learn(
  needs: LearnNeeds,
  document: Document,
  onProgress: (share: number) => void,
): Promise<Learned> {
  const read = await textOf(needs, document, onProgress)
  const pieces = split(read)
  if (pieces.length > limits.documentMemories) {
    throw new AppError(
      'unreadable',
      `The document is too long: it would become ${pieces.length} memories, and ${limits.documentMemories} is the most.`,
    )
  }
  const startTime = document.timeGiven ? document.startTime : (read.time ?? document.startTime)
  const named = document.title !== '' && document.title !== document.fileName
  return {
    text: read.text,
    title: named ? document.title : (read.title ?? document.title),
    startTime,
    memories: pieces.map((piece, position) => toMemory(document, piece, position, startTime)),
  }
}

type Text = Pick<Extracted, 'text' | 'blocks' | 'time' | 'title'>

// A text an owner has replaced stands for itself; the bytes it once came from no longer do.
async function textOf(
  { store, extractor }: LearnNeeds,
  document: Document,
  onProgress: (share: number) => void,
): Promise<Text> {
  const hasBytes = document.fileBytes > 0 && !document.isEdited
  if (!hasBytes && document.text.trim() === '') return { text: document.text, blocks: [], time: null, title: null }
  if (!hasBytes) {
    const read = await extractor.extract({
      bytes: Buffer.from(document.text),
      name: null,
      mediaType: 'text/plain; charset=utf-8',
      kind: 'text',
    })
    return { ...read, text: document.text, time: null, title: null }
  }
  const bytes = await store.documents.file(document.personaId, document.id)
  const content = {
    bytes,
    name: document.fileName,
    mediaType: document.mediaType,
    ...(document.url && { url: document.url }),
  }
  return extractor.extract(content, { onProgress })
}

const toMemory = (document: Document, piece: Piece, position: number, startTime: Date): Memory => ({
  personaId: document.personaId,
  id: newId(),
  documentId: document.id,
  position,
  text: piece.text,
  time: piece.time ?? startTime,
  place: { headings: piece.headings, page: piece.page, start: piece.start, end: piece.end, speaker: piece.speaker },
})
