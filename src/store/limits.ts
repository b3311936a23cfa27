// What the engines keep and hand out at most, and how long they wait.
const KIB = 1024

export const limits = {
  historyEntries: 10_000, // of one session
  openingCharacters: 300, // of what was said first in a session, as lists show it
  titleMatches: 1_000, // documents that one title in Events may name
  changesKept: 10_000, // changes of a persona that recall can catch up with; beyond them it reads everything again
  idempotencyMs: 24 * 60 * 60_000, // a request with an Idempotency-Key can be sent again for so long
  answerMs: 15 * 60_000, // one that is being answered is not begun again for so long, while its process lives
  inFlightRetryS: 1,
  shortFileBytes: 64 * KIB, // files up to this size are learned in a lane of their own
  turn: 8, // documents of one persona claimed in a row while others wait
  dueAheadMs: 60 * 60_000, // longer than any lease of a document, or the wait for another attempt
  deliveryAheadMs: 24 * 60 * 60_000, // longer than any wait for another attempt to deliver
  leaseGraceMs: 5_000, // a lease renewed so lately is not taken from a process that seems gone
  noticesTogether: 500, // told in one go
  deliveriesKept: 1_000, // settled ones of one trigger
  deliveriesKeptMs: 7 * 24 * 60 * 60_000,
  attemptsKept: 50, // of one delivery
  challenges: 10_000, // open ones: each is answered or forgotten within minutes
  tidyRows: 1_000, // taken away at a time

  readBytes: 1024 * KIB, // of texts that are read together for a list
  readRows: 100,
  readPieces: 16, // of a file
  filePieceBytes: 256 * KIB, // of a file that came with others
  writeRows: 100,
  lockWaitMs: 10_000, // for another process that writes
  checkpointBytes: 4 * 1024 * KIB, // written, after which SQLite's log is carried over into its file
  inspectBytes: 256 * 1024 * KIB, // a larger database is not looked through while somebody waits
  presenceMs: 250, // how often a request looks whether SQLite's file is still there
  checkAfterMs: 1_000, // it is looked through for damage …
  checkEveryMs: 6 * 60 * 60_000, // … and again
  sumMemories: 500, // texts compared with their sums in one go …
  sumDocuments: 2,
  sumPieces: 8, // of files
  damagedTold: 1_000, // … and found to be damaged, at most
  upgradeCopies: 2, // of the database, as it was before the latest upgrades

  // PostgreSQL, of each process
  connections: 10,
  lightConnections: 3, // more, for what need not wait for the disk
  connectMs: 3_000,
  queryMs: 30_000,
  retryMs: 3_000, // how long a lost connection is tried again before callers are told to
  retryAfterS: 2,
  listenAgainMs: 500,
  announceMs: 5,
} as const
