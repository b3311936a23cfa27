// What a connection may cost before and beside its operation.
const MIB = 1024 * 1024

export const limits = {
  formFields: 32,
  consoleSessions: 100,
  consoleIdleMs: 12 * 60 * 60_000,
  eventsPingMs: 15_000,
  eventsBufferBytes: MIB, // for a listener who does not read
} as const
