// Recall on the real store and the shipped model, through the same steps as the service.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { newId } from '../src/domain/id.ts'
import type { Persona } from '../src/domain/persona.ts'
import { hear, type Session, understand } from '../src/language/language.ts'
import { createEmbedder } from '../src/models/embedder.ts'
import type { Embedder, Reader } from '../src/ports/models.ts'
import { createIndexCache } from '../src/recall/index/cache.ts'
import { traces } from '../src/recall/index/trace.ts'
import { type RecallOptions, recall } from '../src/recall/recall.ts'
import { reembed } from '../src/recall/reembed.ts'
import { createRerank } from '../src/recall/rerank.ts'
import { openPostgres } from '../src/store/postgres/open.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import { newDatabase } from './postgres-server.ts'
import { isOnPostgres } from './started.ts'

const folder = mkdtempSync(join(tmpdir(), 'memoir-recall-test-'))
const store = isOnPostgres ? await openPostgres(await newDatabase()) : await openSqlite(join(folder, 'memoir.db'))
const embedder = createEmbedder({ threads: 1 })
const indexes = createIndexCache({ store, embedder }, 16)
after(async () => {
  await store.close()
  await embedder.close()
  rmSync(folder, { recursive: true })
})

let personas = 0
const newPersona = async (): Promise<Persona> => {
  const owner = { name: '', email: '', picture: '', identityId: 1 }
  const id = ++personas
  const persona = { id, domainName: `p-${id}`, name: `P${id}`, picture: null, threshold: 0, instructions: '', owner }
  await store.personas.create({ ...persona, createdAt: new Date() } as Persona)
  return persona as unknown as Persona
}

// Each text becomes a plain memory, one a day from 1 May 2023 on unless `time` says otherwise.
async function learn(
  persona: Persona,
  texts: string[],
  fields: { time?: Date; isDraft?: boolean } = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const [at, text] of texts.entries()) {
    const id = newId()
    const time = fields.time ?? new Date(Date.UTC(2023, 4, 1 + at))
    const document = {
      personaId: persona.id,
      id,
      kind: 'memory',
      title: '',
      text,
      rawText: null,
      sourceName: 'test',
      url: null,
    }
    const rest = {
      fileName: null,
      mediaType: null,
      fileBytes: 0,
      startTime: time,
      endTime: null,
      timeGiven: true,
      tags: [],
    }
    const state = {
      isDraft: fields.isDraft ?? false,
      isEdited: false,
      requestId: '',
      createdAt: new Date(),
      updatedAt: new Date(),
    }
    await store.documents.add({
      ...document,
      ...rest,
      ...state,
      state: 'waiting',
      progress: 0,
      error: null,
      attempts: 0,
    } as never)
    ids.push(id)
  }
  for (const claim of await store.work.claim(new Date(), {
    lane: 'short',
    afterPersona: 0,
    documents: 1000,
    characters: 1e9,
    leaseMs: 60_000,
  })) {
    const { id, text, startTime } = claim.document
    const place = { headings: [], page: null, pageStarts: [], start: 0, end: text.length, speaker: null }
    const memory = { personaId: persona.id, id: newId(), documentId: id, position: 0, text, time: startTime, place }
    const made = await traces({ embedder }, [memory], { isPlain: true })
    await store.work.finish(claim, { text, title: '', startTime, memories: [memory], traces: made })
  }
  return ids
}

const queryOf = (question: string, session: Session = {}) => understand(hear(question), session).query

const ask = async (persona: Persona, question: string, { before, ...options }: RecallOptions & Session = {}) =>
  (await recall({ store, embedder, indexes }, persona, queryOf(question, { before: before ?? [] }), options)).map(
    (one) => one.memory.text,
  )

describe('recall', async () => {
  const ada = await newPersona()
  await learn(ada, [
    'Caroline: My sister moved to Lisbon.',
    'Melanie: I bought a red bicycle.',
    'Caroline: I painted a sunrise over the lake.',
    'Melanie: Our cat is called Oliver.',
    'Caroline: The dentist was expensive.',
  ])

  test('finds by words', async () => assert.match((await ask(ada, 'Who painted the sunrise?'))[0]!, /sunrise/))
  test('finds by meaning, without a word in common', async () =>
    assert.match((await ask(ada, 'Which pets live there?'))[0]!, /Oliver/))
  test('a speaker who is named is preferred', async () => {
    const [first] = await recall({ store, embedder, indexes }, ada, queryOf('What did Melanie get?'), { size: 1 })
    assert.match(first!.memory.text, /^Melanie/)
    assert.ok(first!.parts.speaker! > 0)
  })
  test('a time that is named raises what was said then', async () => {
    const [first] = await recall({ store, embedder, indexes }, ada, queryOf('What was said on 4 May 2023?'))
    assert.ok(first!.parts.time! > 0)
  })
  test('parts add up to the score', async () => {
    for (const { score, parts } of await recall(
      { store, embedder, indexes },
      ada,
      queryOf('Who painted a sunrise over the lake?'),
    ))
      assert.ok(Math.abs(Object.values(parts).reduce((sum, part) => sum + part, 0) - score) < 1e-3)
  })
  test('a follow-up is understood from the turns before it', async () => {
    const before = [
      { role: 'user' as const, text: 'Where does the sister of Caroline live now?' },
      { role: 'ai' as const, text: 'In Lisbon.' },
    ]
    assert.match((await ask(ada, 'And why there?', { before }))[0]!, /Lisbon/)
  })
  test('size is a limit', async () => assert.equal((await ask(ada, 'the cat', { size: 2 })).length, 2))

  test('another persona has nothing of it', async () => {
    const other = await newPersona()
    assert.deepEqual(await ask(other, 'Who painted the sunrise?'), [])
    await learn(other, ['The sunrise was late.'])
    assert.deepEqual(await ask(other, 'Who painted the sunrise?'), ['The sunrise was late.'])
  })

  test('what is learned, published and deleted shows at the next question', async () => {
    const persona = await newPersona()
    const [kept, gone] = await learn(persona, ['The boiler was repaired.', 'The boiler is ten years old.'])
    assert.equal((await ask(persona, 'boiler')).length, 2)
    await store.documents.remove(persona.id, gone!)
    assert.deepEqual(await ask(persona, 'boiler'), ['The boiler was repaired.'])
    const [draft] = await learn(persona, ['A new boiler comes in May.'], { isDraft: true })
    assert.deepEqual(await ask(persona, 'boiler'), ['The boiler was repaired.'])
    assert.deepEqual(await ask(persona, 'boiler', { documentIds: [draft!] }), ['A new boiler comes in May.'])
    await store.documents.publish(persona.id, draft!)
    assert.equal((await ask(persona, 'boiler')).length, 2)
    await store.documents.remove(persona.id, kept!)
    assert.deepEqual(await ask(persona, 'boiler'), ['A new boiler comes in May.'])
  })

  test('a later memory of the same thing comes before the one it supersedes', async () => {
    const persona = await newPersona()
    await learn(persona, ['My phone number is 555-0134.'], { time: new Date('2021-01-01') })
    await learn(persona, ['My phone number is now 555-0199.'], { time: new Date('2023-01-01') })
    assert.match((await ask(persona, 'What is my phone number?'))[0]!, /0199/)
  })

  test('the reader has the last word', async () => {
    const contrary: Reader = {
      name: 'contrary',
      read: async (_, passages) =>
        passages.map((text) => ({ answerable: 0, relevant: /dentist/.test(text) ? 9 : 0, start: 0, end: 0, span: 0 })),
      close: async () => {},
    }
    const [first] = await recall(
      { store, embedder, indexes, rerank: createRerank(contrary) },
      ada,
      queryOf('Who painted the sunrise?'),
    )
    assert.match(first!.memory.text, /dentist/)
  })

  test('a turn is read with the question before it, as long as that may be recalled', async () => {
    const persona = await newPersona()
    const time = new Date('2023-05-08')
    const turns = ['Tom: Where did you spend the summer?', 'Anna: In Lisbon.']
    const [question] = await learn(persona, turns, { time })
    await learn(persona, ['Anna: Can you keep a secret?'], { time, isDraft: true })
    await learn(persona, ['Tom: I like summer.'], { time })
    const read: string[] = []
    const watched: Reader = {
      name: 'watched',
      async read(_, passages) {
        read.splice(0, read.length, ...passages)
        return passages.map(() => ({ answerable: 0, relevant: 0, start: 0, end: 0, span: 0 }))
      },
      close: async () => {},
    }
    const needs = { store, embedder, indexes, rerank: createRerank(watched) }
    const recalled = await recall(needs, persona, queryOf('Where was Anna in summer?'))
    assert.ok(read.includes(`8 May 2023\n${turns.join('\n')}`), read.join('\n\n'))
    assert.ok(read.every((passage) => !passage.includes('secret')))
    for (const { memory, passage } of recalled)
      assert.equal(passage.text.slice(passage.own.start, passage.own.end), memory.text)
    await store.documents.remove(persona.id, question!)
    await recall(needs, persona, queryOf('Where was Anna in summer?'))
    assert.ok(read.includes('8 May 2023\nAnna: In Lisbon.'), read.join('\n\n'))
  })

  test('with another embedder it answers by words, and by meaning once re-embedded', async () => {
    const other: Embedder = { ...embedder, name: 'other' }
    const needs = { store, embedder: other, indexes: createIndexCache({ store, embedder: other }, 16) }
    const [byWords] = await recall(needs, ada, queryOf('Who painted the sunrise?'))
    assert.equal(byWords!.parts.meaning, 0)
    assert.equal(await reembed(needs, ada), 5)
    assert.equal(await reembed(needs, ada), 0)
    const [byMeaning] = await recall(needs, ada, queryOf('Which pets live there?'))
    assert.match(byMeaning!.memory.text, /Oliver/)
  })

  test('an embedder that fails leaves the words', async () => {
    const broken: Embedder = { ...embedder, embed: async () => Promise.reject(new Error('away')) }
    const [first] = await recall({ store, embedder: broken, indexes }, ada, queryOf('Who painted the sunrise?'))
    assert.match(first!.memory.text, /sunrise/)
  })
})
