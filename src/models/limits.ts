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

  // The shipped embedder
  embedThreads: 2,
  embedBatchTexts: 32,
  embedBatchCharacters: 8_192,

  // An embeddings endpoint
  embedEndpointTexts: 64,
  embedEndpointAttempts: 4,
  embedEndpointBackoffMs: 500,
  embedEndpointTimeoutMs: 30_000,
} as const
