// What the suites of the store are made of: some of everything.
import type { Key } from '../domain/access.ts'
import type { Draft, Message } from '../domain/conversation.ts'
import type { Document } from '../domain/document.ts'
import type { FollowedSource } from '../domain/followed-source.ts'
import { newId, newNumber } from '../domain/id.ts'
import type { Memory } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { KeptReply } from '../domain/reply.ts'
import { unshared } from '../domain/sharing.ts'
import { eventTypes, newSecret, type Trigger } from '../domain/trigger.ts'
import type { Claim, Learned, Store, Trace } from '../ports/store.ts'

export const somePersona = (domainName = `p-${newNumber()}`): Persona => ({
  id: newNumber(),
  domainName,
  name: 'Ada',
  picture: null,
  threshold: 0,
  instructions: '',
  model: null,
  requiresSourceName: false,
  owner: { name: 'Owner', email: '', picture: '', identityId: newNumber() },
  calibration: null,
  sharing: unshared,
  createdAt: new Date(),
})

export const someKey = (id: string, hash: string): Key => ({
  id,
  hash,
  last4: 'abcd',
  name: '',
  admin: false,
  personas: '*',
  defaultPersona: null,
  scopes: [],
  legacy: false,
  expiresAt: null,
  createdAt: new Date(),
  lastUsedAt: null,
})

export const someDocument = (personaId: number, fields: Partial<Document> = {}): Document => ({
  personaId,
  id: newId(),
  kind: 'text',
  title: 'Title',
  text: 'Some text.',
  rawText: null,
  saidBy: null,
  sourceName: 'test',
  url: null,
  fileName: null,
  mediaType: null,
  fileBytes: 0,
  startTime: new Date('2024-01-01'),
  endTime: null,
  timeGiven: false,
  tags: ['a', 'b c'],
  isDraft: false,
  isEdited: false,
  requestId: 'r',
  createdAt: new Date(),
  updatedAt: new Date(),
  state: 'waiting',
  progress: 0,
  error: null,
  attempts: 0,
  ...fields,
})

export const someMessage = (personaId: number, text: string, sessionId = 's'): Message => ({
  personaId,
  sessionId,
  id: newId(),
  role: 'user',
  text,
  score: 0,
  sourceApp: 'api',
  userName: null,
  metadata: { a: 1 },
  time: new Date(),
})

export const someReply = (personaId: number): KeptReply => ({
  personaId,
  id: newId(),
  sessionId: 's',
  question: 'What?',
  text: 'That.',
  score: 81.5,
  logit: 1.48,
  decision: 'sent',
  answeredBy: 'memory',
  tookMs: 12,
  label: null,
  visitorLabel: null,
  spent: { promptTokens: 1_200, answerTokens: 80, cost: 0.0042, currency: 'EUR' },
  explanation: {
    understoodAs: null,
    used: [{ memoryId: newId(), documentId: newId(), sentences: [{ start: 0, end: 5 }] }],
    parts: [{ name: 'answerable', value: 0.9, contribution: 1.2 }],
    nearMisses: [],
    withoutModel: null,
    leftOut: [],
    prompt: null,
    model: null,
    timings: { recall: 3 },
  },
  createdAt: new Date(),
})

export const someDraft = (personaId: number): Draft => ({
  personaId,
  id: newId(),
  sessionId: 's',
  question: 'What?',
  text: 'Perhaps that.',
  score: 12,
  reason: 'below threshold',
  sources: [],
  sourceApp: 'api',
  createdAt: new Date(),
})

export const someTrigger = (personaId: number, fields: Partial<Trigger> = {}): Trigger => ({
  personaId,
  id: newId(),
  name: 'to the shop',
  source: '*',
  on: [...eventTypes],
  url: 'https://example.com/hook',
  secret: newSecret(),
  oldSecret: null,
  oldSecretUntil: null,
  isOn: true,
  offReason: null,
  failingSince: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...fields,
})

export const PAGE_BREAK = '\f'

export const memoryOf = ({ document }: Claim, text: string, position = 0): Memory => ({
  personaId: document.personaId,
  id: newId(),
  documentId: document.id,
  position,
  text,
  time: document.startTime,
  place: {
    headings: ['One', 'Two'],
    page: 3,
    pageStarts: text.includes(PAGE_BREAK) ? [{ start: text.indexOf(PAGE_BREAK) + 1, page: 4 }] : [],
    start: 0,
    end: text.length,
    speaker: 'Ada',
  },
})

export const traceOf = (text: string): Trace => ({
  words: new Uint8Array(new Uint32Array([text.length, 7]).buffer),
  speaker: 'ada',
  isTurn: true,
  isSelf: false,
  embedder: 'test',
  vector: new Uint8Array(Buffer.from(text)),
})

export const learnedOf = (claim: Claim, of: { text: string; title: string; startTime: Date }): Learned => ({
  ...of,
  memories: [memoryOf(claim, of.text)],
  traces: [traceOf(of.text)],
})

export const batch = { lane: 'short' as const, afterPersona: 0, documents: 10, characters: 1_000_000, leaseMs: 60_000 }

export async function learnAll(store: Store): Promise<void> {
  for (const claim of await store.work.claim(new Date(), { ...batch, documents: 1000 })) {
    const { text, title, startTime } = claim.document
    await store.work.finish(claim, learnedOf(claim, { text, title, startTime }))
  }
}

export const someSource = (personaId: number, path = '/'): FollowedSource => ({
  personaId,
  id: newId(),
  url: `http://garden.example${path}`,
  kind: null,
  title: '',
  everyMs: null,
  isOn: true,
  offReason: null,
  failures: 0,
  error: null,
  dueAt: new Date(Date.now() - 1_000),
  look: 0,
  lookBegan: null,
  pagesDone: 0,
  pagesOf: 0,
  etag: null,
  lastModified: null,
  lookedAt: null,
  account: null,
  createdAt: new Date(),
  updatedAt: new Date(),
})
