// Bounds on what one recall may cost.

export const limits = {
  loadRows: 1_024, // of the index, read from the store at a time
  candidates: 32, // rescored, at least
  supersededAmong: 20,
  rerankCandidates: 24, // read together with the question
  rerankLeast: 4, // read however long they are
  rerankCharacters: 5_000, // of passages and questions together, above which only short ones are read
  partCharacters: 500, // of a passage, read at a time
  partWhole: 750, // of one that is read whole
  windowTurnCharacters: 600, // a longer turn is read by itself
  windowTitleCharacters: 120, // a longer title is no help
  reembedBatch: 64,
  reembedWatchMs: 15_000, // between two looks at what others embed, or after a failure
} as const
