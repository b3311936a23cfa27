// A document as it comes in, and the same without its texts.
import { type Document, type DocumentKind, type ListedDocument, unlearned } from '../../domain/document.ts'
import { newId } from '../../domain/id.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Caller } from '../access.ts'

export function newDocument(
  persona: Persona,
  caller: Pick<Caller, 'requestId'>,
  fields: Partial<Document> & { kind: DocumentKind; title: string; text: string },
): Document {
  const now = new Date()
  return {
    personaId: persona.id,
    id: newId(),
    rawText: null,
    sourceName: 'api',
    saidBy: null,
    url: null,
    fileName: null,
    mediaType: null,
    fileBytes: 0,
    startTime: now,
    endTime: null,
    timeGiven: false,
    tags: [],
    isDraft: false,
    isEdited: false,
    requestId: caller.requestId,
    createdAt: now,
    updatedAt: now,
    ...unlearned,
    ...fields,
  }
}

// Text that becomes one memory: from the memory operation, a message with is_stack, an approved draft.
export const memoryDocument = (
  persona: Persona,
  caller: Pick<Caller, 'requestId'>,
  text: string,
  sourceName: string,
  more: Partial<Document> = {},
): Document => newDocument(persona, caller, { kind: 'memory', title: '', text, sourceName, ...more })

export function listed({ text, rawText: _, ...document }: Document): ListedDocument {
  return { ...document, characters: text.length }
}
