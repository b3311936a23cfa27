// Bounds that several rooms share; language, recall and reply have their own beside them. Those marked (setting) can
// be changed through the environment.

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
  formFields: 32,
  documentsPerList: 1_000,
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

  // Learning
  filePieceBytes: 256 * KIB,
  learnAttempts: 5,
  learnBreaks: 20, // attempts that ended with the process: more often than by chance means the document did it
  learnLeaseMs: 60_000,
  learnLeaseGraceMs: 5_000, // a lease renewed so lately is not taken from a process that seems gone
  learnBackoffMs: 2_000,
  learnShortBytes: 64 * KIB, // files up to this size, and texts of up to …
  learnShortCharacters: 20_000, // … this length, do not wait behind longer ones
  learnTurn: 8, // documents of one persona in a row while others wait
  learnSlice: 64, // memories of a long document that are embedded at a time
  eventsPollMs: 250,
  eventsLookBackMs: 2_000,
  eventsPerPoll: 200,
  eventsPingMs: 15_000,
  eventsBufferBytes: MIB,
  learnPollMs: 1_000,
  learnBatch: 64,
  learnBatchCharacters: 256 * KIB,
  memoryTokens: 320, // the size a memory is cut to when text is split
  memoryTokensMax: 400,
  documentMemories: 50_000,

  // Replying
  recallSize: 8,
  recallSizeMax: 100,
  quoteCharacters: 600,
  historyEntries: 10_000,
  calibrationLabels: 5_000, // the newest verdicts of an owner that a score is fitted to

  // Asking a chat model
  chatTimeoutMs: 120_000, // (setting) of one answer with all its attempts
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatContextTokens: 4_096, // (setting) prompt and answer together; what Ollama gives where nobody asks for more
  chatVendorContextTokens: 32_768, // the same with a vendor's model
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped

  // Stopping
  stopGraceMs: 10_000,

  // Reading: what one document may cost (extract)
  extractHereBytes: 16 * KIB, // text up to this size is read without a thread
  extractThreads: 2,
  extractMemoryMib: 512, // heap of one reading thread
  extractSilenceMs: 15_000, // a reader that shows no progress for so long is taken for hung
  extractTimeoutMs: 15 * 60_000, // scanned books take minutes
  extractCharacters: 24_000_000,
  extractBlocks: 1_000_000,
  extractDepth: 512, // of nested elements
  extractPages: 20_000,
  picturePixels: 50_000_000, // larger pictures are not unpacked
  ocrPages: 500,
  ocrPixels: 6_000_000, // a page is drawn no larger for recognition
  ocrConfidence: 35, // 0–100: below it, what was recognised is noise
  archiveEntries: 20_000,
  archiveBytes: 256 * MIB, // unpacked, counted as they come
  archiveEntryBytes: 128 * MIB,
  xmlNodes: 4_000_000,
  xmlDepth: 1_000,
  nestedDocuments: 64, // attachments and embedded files read with their document
  nestedDepth: 3,
  sheetCells: 5_000_000,
  fetchHeaderBytes: 64 * KIB,
  fetchEncodings: 3, // compressions laid over one another
  memoryTokensMin: 200, // smaller neighbours are joined when text is split

  // Recalling (recall, models)
  embedThreads: 2,
  embedBatchTexts: 32,
  embedBatchCharacters: 8_192,
  recallMemoryMib: 1_024, // (setting) of all cached indexes together
  recallChangesKept: 10_000,
  webResults: 5,
  webSearchCharacters: 400,
  embedEndpointTexts: 64,
  embedEndpointAttempts: 4,
  embedEndpointBackoffMs: 500,
  embedEndpointTimeoutMs: 30_000,
} as const

export type Limits = { readonly [name in keyof typeof limits]: number }
