// What fetching an address and asking a search engine may cost.
const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  bytes: 20 * MIB, // of one page, decompressed
  timeoutMs: 15_000, // of one fetch with all its redirects, or of one search
  redirects: 5,
  headerBytes: 64 * KIB,
  encodings: 3, // compressions laid over one another
  urlCharacters: 8_192,
  nameCharacters: 256, // of the file name at the end of an address
  searchCharacters: 400, // of the text that is searched for
  searchResults: 5,
  searchResultCharacters: 600,
} as const
