// How models are asked: in which portions, how often, and how much they may answer.

export const limits = {
  // Chat models
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped

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
