// The bounds that learning, reading and models share. Other rooms have their own `limits.ts`; what can be set is in
// config.ts.

const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  titleCharacters: 1_000, // found in a document

  // Learning
  learnAttempts: 5,
  learnBreaks: 20, // attempts that ended with the process: more often than by chance means the document did it
  learnLeaseMs: 60_000,
  learnBackoffMs: 2_000,
  learnSlice: 64, // memories of a long document that are embedded at a time
  learnPollMs: 1_000,
  learnBatch: 64,
  learnBatchCharacters: 256 * KIB,
  memoryTokens: 320, // the size a memory is cut to when text is split
  memoryTokensMax: 400,
  documentMemories: 50_000,

  // Replying
  recallSize: 8,

  // Asking a chat model (models, reply)
  chatAttempts: 3,
  chatBackoffMs: 500,
  chatContextTokens: 4_096, // prompt and answer together; what Ollama gives where nobody asks for more
  chatVendorContextTokens: 32_768, // the same with a vendor's model
  chatAnswerTokens: 2_048,
  chatAnswerCharacters: 32_000, // a model that does not stop is stopped

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
  memoryTokensMin: 200, // smaller neighbours are joined when text is split

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
