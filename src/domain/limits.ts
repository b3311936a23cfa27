// The bounds that rooms share; others stand beside their room. Those marked (setting) can be changed through the environment.

const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  // Requests
  jsonBodyBytes: 8 * MIB, // (setting)
  fileBytes: 100 * MIB, // (setting)
  textCharacters: 1_000_000, // (setting)
  contextCharacters: 100_000,
  titleCharacters: 1_000,
  nameCharacters: 256,
  urlCharacters: 8_192,
  pictureCharacters: 4_096,
  instructionsCharacters: 20_000,
  sessionIdCharacters: 256,
  domainNameCharacters: 63,
  eventsCharacters: 4_096,
  metadataBytes: 64 * KIB,
  tags: 64,
  tagCharacters: 128,
  tagsCharacters: 32_768, // of all of them, with what parts them
  formFields: 32,
  documentsPerList: 1_000,
  revisionsPerList: 100, // each with its whole text
  pageSize: 200,
  pageSizeDefault: 50,
  statisticsDays: 366,
  statisticsReplies: 50_000,
  keyPersonas: 1_000,
  requestsPerMinute: 600, // (setting)
  consoleSessions: 100,
  consoleIdleMs: 12 * 60 * 60_000,

  idempotencyKeyCharacters: 256,
  idempotencyMs: 24 * 60 * 60_000, // a request with an Idempotency-Key can be sent again for so long

  // PostgreSQL, of each process
  databaseConnections: 10,
  databaseLightConnections: 3, // more, for what need not wait for the disk
  databaseConnectMs: 3_000,
  databaseQueryMs: 30_000,
  databaseRetryMs: 3_000, // how long a lost connection is tried again before callers are told to
  databaseRetryAfterS: 2,
  databaseListenAgainMs: 500,
  databaseAnnounceMs: 5,

  // Fetching a URL
  fetchBytes: 20 * MIB,
  fetchTimeoutMs: 15_000,
  fetchRedirects: 5,
  fetchHeaderBytes: 64 * KIB,
  fetchEncodings: 3, // compressions laid over one another

  // Learning
  filePieceBytes: 256 * KIB,
  learnLeaseMs: 60_000,
  learnLeaseGraceMs: 5_000, // a lease renewed so lately is not taken from a process that seems gone
  learnShortBytes: 64 * KIB, // files up to this size, and texts of up to …
  learnShortCharacters: 20_000, // … this length, do not wait behind longer ones
  learnTurn: 8, // documents of one persona in a row while others wait
  eventsPollMs: 250,
  eventsLookBackMs: 2_000,
  eventsPerPoll: 200,
  eventsPingMs: 15_000,
  eventsBufferBytes: MIB,

  // Replying
  recallSize: 8,
  recallSizeMax: 100,
  questionWords: 64,
  patternCharacters: 1_000, // of a message in which patterns are looked for: they may cost the square of its length, or more
  quoteCharacters: 600,
  replyWords: 32, // of a sentence that is told; a longer one is cut around its answer
  replyFurther: 4, // answers of other memories that join the first
  historyEntries: 10_000,
  calibrationLabels: 5_000, // the newest verdicts of an owner that a score is fitted to
  nearMisses: 5,

  // Asking a chat model (models, reply)
  chatTimeoutMs: 120_000, // (setting) of one answer with all its attempts
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatContextTokens: 4_096, // (setting) prompt and answer together; what Ollama gives where nobody asks for more
  chatVendorContextTokens: 32_768, // the same with a vendor's model
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped
  promptTurns: 40, // of the session so far
  promptRecollections: 16,

  // Carrying out an instruction without a chat model
  summarySentences: 5, // unless the instruction says how many
  summarySentencesMax: 30,
  summaryCandidates: 96, // sentences compared by their meaning
  summaryCharacters: 200_000, // of the text that is looked at
  listedSentences: 12,
  listRecollections: 24,

  // Telling what a persona knows
  namedTitles: 6,
  namedNotes: 3,
  latestMemories: 30, // looked through for notes

  // Answering yes or no
  otherSideSentences: 3, // read alone, in search of the opposite

  // Stopping
  stopGraceMs: 10_000,

  // Recalling (recall, models)
  embedThreads: 2,
  embedBatchTexts: 32,
  embedBatchCharacters: 8_192,
  recallMemoryMib: 1_024, // (setting) of all hot personas together
  recallChangesKept: 10_000,
  recallLoadRows: 1_024,
  recallCandidates: 32, // looked at closely, at least
  supersededAmong: 20,
  secondLookCandidates: 30,
  secondLookLeast: 6,
  secondLookMs: 100,
  windowTurnLength: 600, // a longer turn is read by itself
  followUpTurns: 4,
  reembedBatch: 64,
  webResults: 5,
  webSearchCharacters: 400,
  embedEndpointTexts: 64,
  embedEndpointAttempts: 4,
  embedEndpointBackoffMs: 500,
  embedEndpointTimeoutMs: 30_000,
} as const

export type Limits = { readonly [name in keyof typeof limits]: number }
