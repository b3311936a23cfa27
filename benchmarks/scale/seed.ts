// Ten thousand personas that know something each, without embedding the same words ten thousand times.
import { setAdminKey } from '../../src/app/keys/new-key.ts'
import { hashKey, type Key, newKey, scopes } from '../../src/domain/access.ts'
import { newId, newNumber } from '../../src/domain/id.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { createEmbedder } from '../../src/models/embedder.ts'
import type { Store, Trace } from '../../src/ports/store.ts'
import { traces } from '../../src/recall/index/trace.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { someDocument, somePersona } from '../../src/store/suite-things.ts'

export const ADMIN_KEY = 'admin-key-of-the-benchmark'
export const nameOf = (n: number): string => `persona-${n}`

const things = [
  'kettle',
  'boat',
  'ladder',
  'violin',
  'lantern',
  'bicycle',
  'clock',
  'umbrella',
  'teapot',
  'map',
  'key',
  'drum',
]
const places = [
  'attic',
  'harbour',
  'garden',
  'cellar',
  'library',
  'kitchen',
  'barn',
  'chapel',
  'market',
  'station',
  'mill',
  'hall',
]
export const questions = things.map((thing) => `Where is the ${thing}?`)
const sentences = things.flatMap((thing) =>
  places.map(
    (place) => `The ${thing} is kept in the ${place}, where my aunt put it after the summer we spent by the sea.`,
  ),
)

// Returns a key for all of them.
export async function seed(file: string, personas: number, memoriesEach: number): Promise<string> {
  const store = await openSqlite(file)
  await setAdminKey(store, ADMIN_KEY)
  const text = newKey('memoir')
  const key: Key = {
    id: newId(),
    hash: hashKey(text),
    last4: text.slice(-4),
    name: 'bench',
    admin: false,
    personas: '*',
    defaultPersona: null,
    scopes: [...scopes],
    legacy: false,
    expiresAt: null,
    createdAt: new Date(),
    lastUsedAt: new Date(),
  }
  await store.keys.create(key)
  let next = 0
  const one = async () => {
    for (let n = next++; n < personas; n = next++) {
      const persona = { ...somePersona(nameOf(n)), id: newNumber() }
      await store.personas.create(persona)
      await store.documents.add(
        someDocument(persona.id, { title: 'What I remember', text: mine(n, memoriesEach).join(' ') }),
      )
    }
  }
  await Promise.all(Array.from({ length: 64 }, one))
  await learnAll(store)
  await store.close()
  return text
}

// One persona with many documents of so many memories each.
export async function seedLibrary(file: string, documents: number, memoriesEach: number): Promise<void> {
  const store = await openSqlite(file)
  await setAdminKey(store, ADMIN_KEY)
  const persona = { ...somePersona(nameOf(0)), id: newNumber() }
  await store.personas.create(persona)
  for (let n = 0; n < documents; n++) {
    const startTime = new Date(Date.now() - n * DAY_MS)
    const text = mine(n, memoriesEach).join(' ')
    await store.documents.add(someDocument(persona.id, { title: `Volume ${n + 1}`, text, startTime }))
  }
  await learnAll(store)
  await store.close()
}

const DAY_MS = 86_400_000

async function learnAll(store: Store): Promise<void> {
  const embedder = createEmbedder()
  const traced = await traces(
    { embedder },
    sentences.map((text) => memoryOf(0, '', text, 0)),
    { isPlain: false },
  )
  await embedder.close()
  for (;;) {
    const batch = { lane: 'short' as const, afterPersona: 0, documents: 500, characters: 1e9, leaseMs: 600_000 }
    const claims = await store.work.claim(new Date(), batch)
    if (claims.length === 0) break
    for (const claim of claims) {
      const { document } = claim
      const known = sentencesIn(document.text)
      const memories = known.map((at, position) => ({
        ...memoryOf(document.personaId, document.id, sentences[at]!, position),
        time: document.startTime,
      }))
      const learned = { text: document.text, title: document.title, startTime: document.startTime }
      await store.work.finish(claim, { ...learned, memories, traces: known.map((at) => traced[at] as Trace) })
    }
  }
}

const mine = (n: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => sentences[(n * 7 + at * 13) % sentences.length]!)

const sentencesIn = (text: string): number[] => text.split(/(?<=sea\.) /).map((sentence) => sentences.indexOf(sentence))

const memoryOf = (personaId: number, documentId: string, text: string, position: number): Memory => ({
  personaId,
  id: newId(),
  documentId,
  position,
  text,
  time: new Date(),
  place: { headings: [], page: null, pageStarts: [], start: 0, end: text.length, speaker: null },
})
