// How models are asked: in which portions, how often, and how much they may answer.

export const limits = {
  // Chat models
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped
  chatModels: 100, // of all personas, kept at once
  chatWaiting: 256, // messages that wait for one model
  chatWaitingEach: 16, // of them, one persona's
  chatRestMs: 300_000, // the longest that a model which fails is left alone

  // Models in the same service
  localProcesses: 2, // loaded at a time
  localHeapMib: 512, // of what is not the model itself
  localStopMs: 30_000, // until a process that does not stop is ended
  localLookMs: 1_000, // between two looks at its memory
  ggufHeadBytes: 1024 * 1024,
  modelBytes: 2 ** 40,
  modelSpareBytes: 256 * 1024 * 1024, // that a fetched model leaves free

  // The shipped embedder
  embedThreads: 2,
  embedNiceness: 5, // of memories: whoever answers or serves gets three times as much of a busy core
  embedBatchTexts: 32,
  embedBatchCharacters: 8_192,

  // Both shipped models
  recallsAtOnce: 3, // each waits for some of the threads, some of the time
  recallsKept: 0.95, // of what messages took, when the next one is counted
  recallsToJudge: 5, // so many are enough to say how long the next will take
  standingWaitMs: 1_000, // in a line that has stood for as long as anybody may wait

  // An embeddings endpoint
  embedEndpointTexts: 64,
  embedEndpointAttempts: 4,
  embedEndpointBackoffMs: 500,
  embedEndpointTimeoutMs: 30_000,

  // A transcription endpoint
  transcriptionAttempts: 3,
  transcriptionBackoffMs: 500,
  transcriptionTimeoutMs: 60 * 60_000, // a long recording on a small machine
  transcriptBytes: 32 * 1024 * 1024, // of its answer, which says each word's time, too
} as const
