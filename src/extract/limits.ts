// What one document may cost: time, memory, depth, and the size of the pieces it is cut into.

const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  titleCharacters: 1_000, // found in a document

  extractHereBytes: 16 * KIB, // text up to this size is read without a thread
  extractThreads: 3, // two for long documents, one for the short
  extractMemoryMib: 512, // of one reading thread: its heap, and as much again beside it
  extractMemoryCheckMs: 50,
  extractSilenceMs: 15_000, // a reader that shows no progress for so long is taken for hung
  extractTimeoutMs: 15 * 60_000, // scanned books take minutes
  extractCharacters: 24_000_000,
  extractBlocks: 1_000_000,
  extractDepth: 512, // of nested elements
  extractPages: 20_000,
  extractPagesTwice: 10, // pages that came before: more than by mistake means there is no end of them
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

  // Of a feed or a sitemap
  listingBytes: 50 * MIB, // unpacked; what a sitemap may have at most
  listingPages: 50_000, // the same
  listingSitemaps: 1_000, // that an index names
  listingEntries: 500, // of a feed

  // Of a collection: a file that holds many documents
  collectionBytes: 16 * 1024 * MIB, // unpacked, counted as they come
  collectionEntries: 200_000, // of a zip archive
  collectionDirectoryBytes: 64 * MIB,
  collectionHeadBytes: 64 * KIB, // of each file in it, to see what it is
  collectionPieceBytes: 256 * KIB, // read at a time
  collectionValueBytes: 32 * MIB, // of one conversation, note or message
  collectionDepth: 64, // of nested values
  collectionLineCharacters: 1_000_000, // what is longer is cut
  collectionThings: 2_000_000, // mails, events and contacts that are sorted before they are told
  collectionItems: 500_000, // documents that come out of it
  collectionItemCharacters: 1_000_000, // of one of them; what is longer becomes several
  collectionNoteBytes: 4 * MIB, // of one note
  collectionFileBytes: 24 * MIB, // of a file attached to a mail
  collectionFiles: 20, // attached to one mail
  collectionPeople: 200_000, // whose names and addresses are compared
  collectionReplies: 5_000, // messages of a thread that a reply may point back to
  collectionBatch: 50, // documents handed over at a time
  collectionBatchCharacters: 2_000_000,
  collectionThreads: 2,
  collectionMemoryMib: 768,
  collectionSilenceMs: 60_000,
  collectionTimeoutMs: 12 * 60 * 60_000,

  memoryTokensMin: 200, // smaller neighbours are joined when text is split
  memoryTokens: 320, // the size a memory is cut to
  memoryTokensMax: 400,
  memoryCharacters: 4_000, // of one memory with the white space in it
  blankCharacters: 100, // longer white space parts memories
  documentMemories: 50_000,
} as const
