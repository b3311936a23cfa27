// Bounds on what is looked at for a reply, and on how long it gets.

export const limits = {
  replyWords: 40, // of a sentence that is quoted; a longer one is cut around its answer
  turnWords: 32, // up to which all that somebody said in one go is told
  listItems: 5, // told together, from several memories
  listItemWords: 24, // of each but the first
  listFirstWords: 28,
  listedCells: 12, // of a column
  listWords: 45, // of one passage that lists them all
  replyBreath: 24, // words up to which a short sentence of a document is told with what follows it
  stepsWords: 120, // of a list of steps, in whole lines
  faqWords: 45, // up to which the answer of an FAQ is told whole
  answerRecollections: 16,
  nearMisses: 5,
  otherSideSentences: 3, // read alone, in search of the opposite of a yes or a no

  // Asking a chat model
  promptTurns: 40, // of the session so far
  promptRecollections: 16,
  heldSentences: 12, // of an answer, each read against the memories it cites
  heldMemories: 2, // for each of them
  heldCharacters: 700, // of a memory; a longer one is cut around what bears on the sentence
  alignedWords: 200, // of a sentence, laid beside those of a memory

  // Summaries and lists
  summarySentences: 5, // unless the message says how many
  summarySentencesMax: 30,
  summaryCandidates: 96, // sentences compared by their meaning
  summaryCharacters: 200_000, // of the text that is looked at …
  summaryTurnCharacters: 5_000, // … so many in one go
  listedSentences: 12,
  listRecollections: 24,

  // Telling of a subject, or of oneself
  topicRecollections: 16,
  topicSentences: 64, // compared by their meaning
  topicTold: 5,
  topicWords: 80,
  topicSentenceWords: 24, // of each
  portraitBeginning: 400, // characters with which a document begins

  // Saying what a persona knows
  namedTitles: 6,
  namedNotes: 3,
  latestMemories: 30, // looked through for notes
} as const
