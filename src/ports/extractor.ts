// The socket for reading: bytes of any kind in, text with its structure out.
import type { PageStart } from '../domain/memory.ts'
import type { Listing } from './listing.ts'

// `text` is what a person would read, in reading order. `blocks` are ranges of it, in order and without overlap; what
// lies between two blocks is white space. Nothing is known about text that no block covers.
export type Extracted = {
  kind: string // of content, as found: 'pdf', 'docx', 'html', 'text', …
  title: string | null
  author: string | null
  time: Date | null // from the content's own metadata; null rather than a guess
  text: string
  blocks: Block[]
  missing?: string // what of it could not be read and why, as sentences for the owner
  captions?: string // of a video's page: where its captions are; reading them takes one more fetch
}

export type Block = {
  kind: 'heading' | 'paragraph' | 'item' | 'row' | 'turn' | 'code'
  start: number
  end: number
  level?: number // of a heading, 1–6
  page?: number // 1-based: page, slide or sheet
  speaker?: string // of a turn
  time?: Date // of a turn, where it has one of its own
  offsetMs?: number // of a turn: from the beginning of the recording
  isMemory?: boolean // remembered for itself, not together with its neighbours
  isContents?: boolean // an entry of a table of contents: shown, not remembered
}

// A stretch of the text that is remembered as one.
export type Piece = {
  text: string // always the text's own slice from start to end
  headings: string[] // from the outermost to the innermost; the columns' names for rows far from their head
  page: number | null
  pageStarts: PageStart[]
  start: number
  end: number
  speaker: string | null // null where several speak
  time: Date | null
  offsetMs: number | null
}

// What is learned of a document: its blocks stay where they were read, for there may be a million of them.
export type Split = Pick<Extracted, 'title' | 'time' | 'text' | 'missing'> & { pieces: Piece[] }

export type Content = {
  bytes: Uint8Array
  name: string | null // file name, a hint only
  mediaType: string | null // as declared, a hint only: the kind is decided by the content
  url?: string // where it was fetched from, to understand a page's own metadata
  kind?: 'text' | 'transcript' // known: text is taken as it is, whatever it looks like
}

export type ReadingOptions = {
  signal?: AbortSignal // stops the reading
  onProgress?: (share: number) => void // 0–1, now and then
}

export type Extractor = {
  // Throws AppError('unreadable', sentence) for what cannot be read; the sentence goes to the owner as it is.
  // Of plain text and Markdown the text comes back unchanged, character by character.
  extract(content: Content, options?: ReadingOptions): Promise<Extracted>
  // The same, cut into pieces.
  split(content: Content, options?: ReadingOptions): Promise<Split>
  // Whether it is a recording of speech, which takes another service and minutes to read.
  isRecording(content: Pick<Content, 'bytes'>): boolean
  // The entries of a feed or the pages of a sitemap, without reading them.
  list(content: Content, options?: ReadingOptions): Promise<Listing>
  close(): Promise<void>
}

// Fetches a public http(s) address. Throws AppError('unreachable', sentence) when it cannot or must not be fetched.
export type Fetcher = {
  fetch(url: string, options?: { signal?: AbortSignal }): Promise<Content & { url: string }>
  // Throws where the address must not be fetched, without fetching it.
  check(url: string): Promise<void>
  // The same for a program's own schedule: only if it changed since, and with leave to ask for each request.
  look(url: string, options: LookOptions): Promise<Look>
  close(): Promise<void>
}

// What a server said of a file, to be asked again whether it has changed.
export type Seen = { etag: string | null; lastModified: string | null }

export type LookOptions = {
  seen?: Seen | undefined
  signal: AbortSignal
  // Resolves when this address may be asked for now; rejects where it must not be.
  before(url: URL): Promise<void>
}

export type Look =
  | { is: 'found'; content: Content & { url: string }; seen: Seen }
  | { is: 'same' }
  | { is: 'refused'; status: number; retryAfterS: number | null }
