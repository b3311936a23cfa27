// Bounds on what is looked at for a reply, and on how long it gets.

export const limits = {
  replyWords: 32, // of a sentence that is quoted; a longer one is cut around its answer
  replyFurther: 4, // answers of other memories that join the first
  nearMisses: 5,
  otherSideSentences: 3, // read alone, in search of the opposite of a yes or a no

  // Asking a chat model
  promptTurns: 40, // of the session so far
  promptRecollections: 16,

  // Summaries and lists
  summarySentences: 5, // unless the message says how many
  summarySentencesMax: 30,
  summaryCandidates: 96, // sentences compared by their meaning
  summaryCharacters: 200_000, // of the text that is looked at
  listedSentences: 12,
  listRecollections: 24,

  // Saying what a persona knows
  namedTitles: 6,
  namedNotes: 3,
  latestMemories: 30, // looked through for notes
} as const
