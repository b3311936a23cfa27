// The socket for collections: files of other programs that hold many documents, such as a chat history, a mailbox, a
// folder of notes or a calendar.

export type Item = {
  name: string // of the thing where it comes from: the same in every later export
  title: string
  text: string
  time: Date | null
  endTime: Date | null
  tags: string[]
  source: string // the program, as its users call it
  url: string | null
  grows: boolean // a later export may hold only its newer part: what is known of it stays
  counts: Record<string, number> // what it is made of: messages, notes, events …
  file?: { name: string; mediaType: string | null; bytes: Uint8Array } | undefined // to be read in place of the text
}

// What is in the file, by the names of the programs; what of it cannot be learned, and how often; which files in it
// were damaged, and read as far as they go.
export type Unpacked = { formats: string[]; leftOut: Record<string, number>; damaged: string[] }

export type Unpacking = {
  fileName: string | null
  ownName: string // what the persona's owner is called where the file says only "me"
  signal: AbortSignal
  onProgress(share: number): void // 0–1
  // A few at a time; the next ones come when these are kept.
  take(items: Item[]): Promise<void>
}

// With a key its bytes are encrypted.
export type FileOnDisk = { path: string; key?: Uint8Array | undefined }

export type Collections = {
  // Whose export the file is, by looking into it; empty for a file that is none.
  recognise(file: FileOnDisk): Promise<string[]>
  // Throws AppError('unreadable', sentence) for what is damaged; what was taken before that stays.
  unpack(file: AsyncIterable<Uint8Array>, options: Unpacking): Promise<Unpacked>
  close(): Promise<void>
}
