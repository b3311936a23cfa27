// From when on the doctor speaks up.
const MIB = 2 ** 20

export const limits = {
  node: 24, // its least major version
  memoryBytes: 1_500 * MIB,
  diskBadBytes: 256 * MIB,
  clockMs: 5 * 60_000, // two clocks may differ by this
  released: Date.UTC(2026, 10, 1), // no clock is right that stands before it
  answerMs: 5_000, // for a program on this machine, or a service, to answer
  chatMs: 60_000, // for a model, which may have to be loaded first
  backupLate: 2, // times the schedule
  ownBackupMs: 31 * 24 * 60 * 60_000,
} as const
