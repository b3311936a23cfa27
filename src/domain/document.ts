// A document is anything a persona was given: a plain memory, a text, a page behind a URL, a file. What it learns from
// it are memories (memory.ts). A collection is a file that holds many documents, such as a chat history or a mailbox:
// what comes out of it are documents of their own.

export const documentKinds = ['memory', 'text', 'url', 'file', 'collection'] as const
export type DocumentKind = (typeof documentKinds)[number]

export const documentStates = ['waiting', 'reading', 'ready', 'failed'] as const
export type DocumentState = (typeof documentStates)[number]

export type Document = {
  personaId: number
  id: string
  kind: DocumentKind
  title: string
  text: string // for a file: empty until it was read
  rawText: string | null // RawFeedText of a memory, stored as given; of a collection what came out of it, as JSON
  sourceName: string // the program it came from
  saidBy: string | null // whose words of a conversation they are; null for what the persona was taught
  url: string | null
  fileName: string | null
  mediaType: string | null
  fileBytes: number
  startTime: Date
  endTime: Date | null
  timeGiven: boolean // by the caller: a date found inside does not replace it
  tags: string[]
  isDraft: boolean
  isEdited: boolean
  requestId: string
  createdAt: Date
  updatedAt: Date
  // The work of learning it lives on the document itself, so that both commit together.
  state: DocumentState
  progress: number // 0–100
  error: string | null // of a failed one: why; of one that is ready: what of it could not be read
  attempts: number
}

// How every document begins: what is accepted waits to be learned.
export const unlearned = { state: 'waiting', progress: 0, error: null, attempts: 0 } as const

// What came out of a collection.
export type Unpacked = {
  formats: string[] // whose exports were in it
  added: number // documents
  changed: number
  unchanged: number
  contents: Record<string, number> // messages, notes, events …
  left_out: Record<string, number> // what could not be learned, and how often
}

// A document as lists show it: its texts stay in the store.
export type ListedDocument = Omit<Document, 'text' | 'rawText'> & { characters: number }

export type Revision = { revision: number; text: string; replacedAt: Date }
