// How much the store reads and writes at a time.

export const limits = {
  readBytes: 1024 * 1024, // of texts that are read together for a list
  readRows: 100,
  readPieces: 16, // of a file
  writeRows: 100,
  lockWaitMs: 10_000, // for another process that writes
} as const
