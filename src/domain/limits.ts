// The bounds that rooms share. Others stand in the `limits.ts` of their room; what can be set is in config.ts.

export const limits = {
  titleCharacters: 1_000, // found in a document

  // Learning (learn, store)
  learnLeaseMs: 60_000,
  learnShortCharacters: 20_000, // texts up to this length do not wait behind longer ones

  // Replying
  recallSize: 8,

  // Asking a chat model (models, reply)
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatContextTokens: 4_096, // prompt and answer together; what Ollama gives where nobody asks for more
  chatVendorContextTokens: 32_768, // the same with a vendor's model
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped

  // Recalling (recall, models)
  embedThreads: 2,
  embedBatchTexts: 32,
  embedBatchCharacters: 8_192,
  recallMemoryMib: 1_024, // of all cached indexes together
  embedEndpointTexts: 64,
  embedEndpointAttempts: 4,
  embedEndpointBackoffMs: 500,
  embedEndpointTimeoutMs: 30_000,
} as const
