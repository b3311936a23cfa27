// The bounds that rooms share. Others stand in the `limits.ts` of their room; what can be set is in config.ts.

export const limits = {
  // learn, store
  learnLeaseMs: 60_000,
  learnShortCharacters: 20_000, // texts up to this length do not wait behind longer ones

  // triggers, and the store that keeps their deliveries
  eventTextCharacters: 20_000, // of each text that an event carries
  eventMemories: 100, // ids of memories that an event names
  triggers: 20, // of one persona
  triggerFailingMs: 24 * 60 * 60_000, // without a success for so long a trigger is switched off
  oldSecretMs: 24 * 60 * 60_000, // a secret signs for so long after it was replaced
  deliveryLeaseMs: 60_000,

  // follow, and the store that keeps what is followed
  sources: 50, // of one persona
  sourceUrlCharacters: 2_000, // of a page: what an index of either engine holds
  sourceLeaseMs: 60_000,
  vanishedPages: 100, // named in the account of a look

  // recall, reply
  recallSize: 8,

  // models, and the text of their setting
  chatContextTokens: 4_096, // prompt and answer together; what Ollama gives where nobody asks for more
  chatVendorContextTokens: 32_768, // the same with a vendor's model
  passphraseCharacters: { least: 8, most: 1024 }, // of a backup
} as const
