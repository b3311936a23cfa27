// What a caller may cost the server, before it is known who calls and after.

const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  importBytes: 4 * 1024 ** 3, // a zip archive holds no more
  // Of a body
  jsonValues: 40_000, // members of objects and elements of arrays, all together
  jsonDepth: 64,
  signInBytes: 4 * KIB,
  openIdBytes: 16 * KIB, // a code may be long
  chatMessages: 4_000, // that a chat program sends along
  formFields: 32,
  formFieldBytes: 256 * KIB, // of a form's field, and of message_request

  // Of all bodies: they are held in memory while they come
  bodiesBytes: 512 * MIB,
  bodyGraceMs: 10_000, // after this a body has to come at this pace …
  bodyBytesPerS: 2 * KIB,
  headersMs: 15_000,

  // Of connections
  connections: 10_000, // or as many as there are descriptors for
  connectionsOfAddress: 200,
  connectionsUnheard: 4_096, // that wait to be accepted; the system may allow fewer
  descriptorsKept: 256, // for files, the store and what else is opened

  // Of requests that are being answered
  talksAtOnce: 64, // messages and instructions: they wait for the models
  talksOfKey: 32,
  requestsAtOnce: 512,
  requestsOfKey: 256,
  overloadRetryS: 1,

  // Of guesses from one address
  wrongKeysPerMinute: 300,
  wrongSignInsPerMinute: 20,
  addressesKept: 10_000,

  // Of visitors without a key
  visitorBytes: 32 * KIB, // of a body
  visitorLookShare: 0.1, // looking back and judging, of what a message costs

  // Of the console and of those who follow the work
  eventsPingMs: 15_000,
  eventsBufferBytes: MIB, // for a listener who does not read
} as const
