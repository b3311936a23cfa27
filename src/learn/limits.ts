// How often learning is tried, and how much of it is done at a time.

export const limits = {
  attempts: 5,
  breaks: 20, // attempts that ended with the process: more often than by chance means the document did it
  backoffMs: 2_000,
  awayBackoffMs: 15_000, // of a service that does not answer, as while it starts
  pollMs: 1_000,
  clockBackMs: 60_000, // a clock that is set by NTP goes back by less
  pullInMs: 60_000, // what a clock that was wrong has put off is found within this
  batch: 64, // short documents learned side by side
  batchCharacters: 256 * 1024,
  lightMs: 20_000, // of long documents: whoever took more lately leaves one place to the others
  spentHalfMs: 5 * 60_000, // time spent counts half after so long
  filePieces: 16, // of a collection, read at a time
  slice: 64, // memories of a long document that are embedded at a time
} as const
