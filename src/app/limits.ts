// What the operations look through and keep at most.
const KIB = 1024

export const limits = {
  metadataBytes: 64 * KIB, // of one message
  revisionsPerList: 100, // each with its whole text
  statisticsReplies: 50_000,
  unknownBelow: 40, // percent: a reply less sure than that did not know
  unknownReplies: 1_000, // the newest of them that are looked through
  unknownQuestions: 200, // different ones that are compared with each other
  unknownGroups: 50, // of questions alike that are shown, the most asked
  unknownCharacters: 500, // of one of them
  unknownOthers: 5, // ways it was asked that are shown beside the first
  calibrationLabels: 5_000, // the newest verdicts of an owner that a score is fitted to
  ownWritesMs: 5_000, // how long a message waits for what was said right before it to be learned
  ownWritesPollMs: 20,
  ownWrites: 8, // more than that is an import, and nobody waits for it
  auditPage: 1_000, // entries checked at a time
  archiveDirectoryBytes: 64 * 1024 * KIB, // of a zip archive
  importLines: 100, // stored together
  importCharacters: 1024 * KIB,
  importLineCharacters: 64 * 1024 * KIB,
  backupSyncBytes: 16 * 1024 * 1024, // brought to the disk while the rest is made
  backupLookMs: 60_000, // how often it is asked whether one is due
  backupAgainMs: 15 * 60_000, // after one that failed
  backupAbandonedMs: 60 * 60_000, // a file that nobody has written to for so long is nobody's
  backupLate: 2, // times the schedule
  visitorHistory: 100, // messages that a visitor who comes back sees again
  visitorSources: 5, // titles with one reply
  passwordCharacters: { least: 12, most: 256 },
  passwordsAtOnce: 2, // being hashed; each takes 64 MiB
  passwordsWaiting: 40,
  passwordTriesPerMinute: 10, // of one account
  passkeys: 20, // of one person
  pushCharacters: 500, // of a notice on a device
  ways: 20, // on which one person is told
  passkeyMs: 5 * 60_000, // to answer with one
  openIdMs: 10 * 60_000, // to sign in elsewhere and come back
  invitationMs: 7 * 24 * 60 * 60_000,
  invitations: 1_000, // open ones
  signInsOfOne: 100,
  signInIdleMs: 12 * 60 * 60_000,
  signInKeptMs: 30 * 24 * 60 * 60_000, // where somebody stays signed in
  signInTouchMs: 60_000,
  eventsPollMs: 250,
  eventsLookBackMs: 2_000,
  eventsPerPoll: 200,
} as const
