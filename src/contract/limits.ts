// How long and how many the fields of a request may be. What can be set (sizes of bodies, files and texts) is in
// config.ts.
const KIB = 1024

export const limits = {
  contextCharacters: 100_000,
  titleCharacters: 1_000,
  nameCharacters: 256,
  openIdQueryCharacters: 8_192, // with which an issuer sends a browser back
  urlCharacters: 8_192,
  pictureCharacters: 4_096,
  pricePerMillion: 1_000_000, // of tokens, in any currency
  instructionsCharacters: 20_000,
  sessionIdCharacters: 256,
  domainNameCharacters: 63,
  eventsCharacters: 4_096,
  timeCharacters: 200,
  keyCharacters: 200,
  tags: 64,
  tagCharacters: 128,
  tagsCharacters: 32_768, // of all of them, with what parts them
  idempotencyKeyCharacters: 256,
  documentsPerList: 1_000,
  historyEntries: 1_000, // where only the latest are asked for
  pageSize: 200,
  pageSizeDefault: 50,
  embedTexts: 128, // in one request
  embedCharacters: 32_768, // of one; a model reads less of it
  recallSize: 100,
  recallSizeDefault: 8,
  statisticsDays: 366,
  filePieces: 8, // of a stored file, in one answer
  sessionReplies: 200, // of one session, with what they cite
  keyPersonas: 1_000,
  visitorTextCharacters: 4_000, // of one message of somebody without a key
  defaultMessageCharacters: 1_000,
  sharingOrigins: 20, // all of them stand in one header
  filePieceBytes: 256 * KIB, // an uploaded file is handed on in pieces of this size
} as const

// The largest of what a caller may send: settings, handed down from config.ts.
export type Sizes = Readonly<{ jsonBodyBytes: number; fileBytes: number; textCharacters: number }>
