// What one answer to an agent may hold: an agent reads all of it.
export const limits = {
  documentCharacters: 20_000, // of a document in one call; the rest is read on from there
  documentsPerList: 100,
  historyEntries: 200,
  historyEntriesDefault: 50,
  sourceCharacters: 1_000, // of each source in the text of a reply; whole in the structured content
  personasPerPage: 20, // looked through for one page of resources
} as const
