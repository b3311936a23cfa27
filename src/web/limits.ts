// What fetching an address, asking a search engine and delivering an event may cost.
const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  bytes: 20 * MIB, // of one page, decompressed
  timeoutMs: 15_000, // of one fetch with all its redirects, or of one search
  redirects: 5,
  downloadIdleMs: 30_000, // without a byte of a large file
  headerBytes: 64 * KIB,
  encodings: 3, // compressions laid over one another
  urlCharacters: 8_192,
  nameCharacters: 256, // of the file name at the end of an address
  searchCharacters: 400, // of the text that is searched for
  searchResults: 5,
  searchResultCharacters: 600,

  // Signing in through an issuer
  openIdBytes: MIB, // of one of its answers
  openIdCharacters: 256, // of a subject, an address, a name
  openIdKeptMs: 60 * 60_000, // where its endpoints are
  openIdClockS: 30, // its clock may differ so much

  // Webhooks
  deliverMs: 15_000, // of one attempt; well within its lease
  responseBytes: 1_024, // of an answer that are kept
  deliveries: 32, // under way at a time
  deliveriesEach: 4, // of one trigger
  deliverPollMs: 1_000,
  deliverStopMs: 2_000, // what is under way may take so long to end before it is cut off
  tidyMs: 60_000,

  // Notices
  noticePollMs: 1_000,
  noticeMs: 30_000, // of one attempt; well within its lease
  noticeLeaseMs: 120_000,
  pushKeptS: 24 * 60 * 60, // for a browser that is not there
  pushTokenS: 12 * 60 * 60,
  pushAfterMs: 5_000, // what comes within that time is one notice
  troubleCharacters: 300, // of what a mail server or a browser's service says
} as const
