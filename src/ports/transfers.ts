// The socket for a persona as a file (docs/keep.md), and for what one of its callers said.

// A caller: one session, or all in which somebody of that name spoke.
export type CallerOf = { sessionId: string } | { userName: string }

export type Transfers = {
  // A zip archive, of one moment; with `caller` only what was said in their sessions.
  export(personaId: number, options: { withVectors: boolean; caller?: CallerOf | undefined }): AsyncIterable<Uint8Array>
  // The files of lines in it, in the order in which they are to be added.
  files: readonly string[]
  // AppError('unreadable') for a line that is not as an export writes it.
  check(file: string, lines: string[], first: number): void
  // Adds what the persona does not have yet; answers with how many lines came in.
  add(personaId: number, file: string, lines: string[]): Promise<number>
  addOriginal(personaId: number, documentId: string, pieces: () => AsyncIterable<Uint8Array>): Promise<void>
  removeCaller(personaId: number, caller: CallerOf): Promise<CallerReceipt>
}

export type CallerReceipt = { sessions: number; messages: number; replies: number; drafts: number }
