// Bounds on what one recall may cost.

export const limits = {
  loadRows: 1_024, // of the index, read from the store at a time
  candidates: 32, // rescored, at least
  supersededAmong: 20,
  rerankCandidates: 30,
  rerankLeast: 6, // read however slow the reader is
  rerankMs: 100,
  windowTurnCharacters: 600, // a longer turn is read by itself
  reembedBatch: 64,
} as const
