// What every store must do, as one suite that each engine runs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashKey, type Key, newKey, scopes } from '../domain/access.ts'
import type { Message } from '../domain/conversation.ts'
import type { Document } from '../domain/document.ts'
import { newId, newNumber } from '../domain/id.ts'
import type { Memory } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { Claim, Learned, Store, Trace } from '../ports/store.ts'

export const somePersona = (domainName = `p-${newNumber()}`): Persona => ({
  id: newNumber(),
  domainName,
  name: 'Ada',
  picture: null,
  threshold: 0,
  instructions: '',
  owner: { name: 'Owner', email: '', picture: '', identityId: newNumber() },
  createdAt: new Date(),
})

export const someDocument = (personaId: number, fields: Partial<Document> = {}): Document => ({
  personaId,
  id: newId(),
  kind: 'text',
  title: 'Title',
  text: 'Some text.',
  rawText: null,
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

const memoryOf = ({ document }: Claim, text: string, position = 0): Memory => ({
  personaId: document.personaId,
  id: newId(),
  documentId: document.id,
  position,
  text,
  time: document.startTime,
  place: { headings: ['One', 'Two'], page: 3, start: 0, end: text.length, speaker: 'Ada' },
})

const traceOf = (text: string): Trace => ({
  words: new Uint8Array(new Uint32Array([text.length, 7]).buffer),
  speaker: 'ada',
  isTurn: true,
  isSelf: false,
  embedder: 'test',
  vector: new Uint8Array(Buffer.from(text)),
})

const learnedOf = (claim: Claim, of: { text: string; title: string; startTime: Date }): Learned => ({
  ...of,
  memories: [memoryOf(claim, of.text)],
  traces: [traceOf(of.text)],
})

const batch = { lane: 'short' as const, afterPersona: 0, documents: 10, characters: 1_000_000, leaseMs: 60_000 }

async function learnAll(store: Store): Promise<void> {
  for (const claim of await store.work.claim(new Date(), { ...batch, documents: 1000 })) {
    const { text, title, startTime } = claim.document
    await store.work.finish(claim, learnedOf(claim, { text, title, startTime }))
  }
}

export function storeSuite(engine: string, open: () => Promise<Store>): void {
  describe(`store on ${engine}`, async () => {
    const store = await open()
    const persona = async () => {
      const made = somePersona()
      await store.personas.create(made)
      return made
    }

    test('personas are found by name without case, and only once', async () => {
      const made = somePersona('Ada-L')
      await store.personas.create(made)
      assert.deepEqual(await store.personas.byDomainName('aDA-l'), made)
      assert.deepEqual(await store.personas.byId(made.id), made)
      await assert.rejects(store.personas.create(somePersona('ADA-L')), { code: 'conflict' })
      const changed = await store.personas.update(made.id, { threshold: 50, owner: { email: 'x@y.z' } })
      assert.equal(changed?.threshold, 50)
      assert.equal(changed?.owner.name, 'Owner')
      assert.deepEqual(await store.personas.byId(made.id), changed)
    })

    test('keys are found by hash until they are removed', async () => {
      const key: Key = {
        id: newId(),
        hash: hashKey(newKey('memoir')),
        last4: 'abcd',
        name: 'k',
        admin: false,
        personas: [1, 2],
        defaultPersona: 2,
        scopes: [...scopes],
        legacy: true,
        expiresAt: new Date('2030-01-01'),
        createdAt: new Date(),
        lastUsedAt: null,
      }
      await store.keys.create(key)
      assert.deepEqual(await store.keys.byHash(key.hash), key)
      assert.equal(await store.keys.remove(key.id), true)
      assert.equal(await store.keys.byHash(key.hash), undefined)
      assert.equal(await store.keys.remove(key.id), false)
    })

    test('a document keeps every field and its bytes in order', async () => {
      const { id } = await persona()
      const document = someDocument(id, {
        kind: 'file',
        fileBytes: 7,
        endTime: new Date(5),
        url: 'http://x',
        fileName: 'f',
        mediaType: 'm',
        rawText: 'raw',
      })
      await store.documents.add(
        document,
        (async function* () {
          yield Buffer.from('one')
          yield Buffer.from('two!')
        })(),
      )
      assert.deepEqual(await store.documents.get(id, document.id), document)
      assert.equal(Buffer.from(await store.documents.file(id, document.id)).toString(), 'onetwo!')
      assert.equal(await store.documents.get(id + 1, document.id), undefined)
      await learnAll(store)
    })

    test('a failing upload leaves nothing behind', async () => {
      const { id } = await persona()
      const document = someDocument(id)
      const broken = (async function* () {
        yield Buffer.from('half')
        throw new Error('the caller went away')
      })()
      await assert.rejects(store.documents.add(document, broken), /went away/)
      assert.equal(await store.documents.get(id, document.id), undefined)
      assert.equal((await store.documents.file(id, document.id)).length, 0)
    })

    test('a claim is a lease: nobody else gets it until it runs out, and a lost one writes nothing', async () => {
      const { id } = await persona()
      await store.documents.add(someDocument(id, { text: 'leased' }))
      const now = new Date()
      const [first] = await store.work.claim(now, batch)
      assert.equal(first?.document.text, 'leased')
      assert.deepEqual(await store.work.claim(now, batch), [])
      assert.deepEqual(await store.work.counts(), { pending: 1, running: 1, failed: 0 })
      const later = new Date(now.getTime() + batch.leaseMs + 1)
      const [second] = await store.work.claim(later, batch)
      const learned = learnedOf(second!, { text: 'leased', title: 'T', startTime: now })
      assert.equal(await store.work.finish(first!, learned), false)
      assert.equal(await store.work.finish(second!, learned), true)
      assert.deepEqual(await store.work.counts(), { pending: 0, running: 0, failed: 0 })
    })

    test('a failure waits for its time, or stays', async () => {
      const { id } = await persona()
      await store.documents.add(someDocument(id))
      const [claim] = await store.work.claim(new Date(), batch)
      await store.work.begin(claim!)
      await store.work.fail(claim!, 'Try later.', new Date(Date.now() + 60_000))
      assert.deepEqual(await store.work.claim(new Date(), batch), [])
      const [again] = await store.work.claim(new Date(Date.now() + 61_000), batch)
      assert.equal(again?.document.attempts, 1)
      await store.work.fail(again!, 'Never.', null)
      assert.equal((await store.documents.get(id, claim!.document.id))?.error, 'Never.')
      assert.equal((await store.work.counts()).failed, 1)
      await store.documents.retry(id, claim!.document.id)
      await learnAll(store)
      assert.equal((await store.work.counts()).failed, 0)
    })

    test('a text replaced while it is being learned is learned again', async () => {
      const { id } = await persona()
      const document = someDocument(id, { text: 'old words' })
      await store.documents.add(document)
      const [claim] = await store.work.claim(new Date(), batch)
      await store.documents.replaceText(id, document.id, 'new words', new Date())
      const stale = learnedOf(claim!, { text: 'old words', title: 'T', startTime: new Date() })
      assert.equal(await store.work.finish(claim!, stale), false)
      assert.equal((await store.documents.get(id, document.id))?.text, 'new words')
      await learnAll(store)
      assert.deepEqual(
        (await store.memories.list(id, { limit: 9 })).map((one) => one.memory.text),
        ['new words'],
      )
      assert.deepEqual(
        (await store.documents.revisions(id, document.id)).map((one) => one.text),
        ['old words'],
      )
    })

    test('personas take turns, and long documents have a lane of their own', async () => {
      const [one, two] = [await persona(), await persona()]
      for (let i = 0; i < 30; i++) await store.documents.add(someDocument(one.id, { text: `one ${i}` }))
      for (let i = 0; i < 3; i++) await store.documents.add(someDocument(two.id, { text: `two ${i}` }))
      await store.documents.add(someDocument(one.id, { text: 'long '.repeat(10_000) }))
      const short = await store.work.claim(new Date(), { ...batch, documents: 12 })
      assert.equal(short.filter(({ document }) => document.personaId === two.id).length, 3)
      assert.equal(short.length, 12)
      const [long, ...others] = await store.work.claim(new Date(), { ...batch, lane: 'long' })
      assert.equal(long?.document.text.length, 50_000)
      assert.deepEqual(others, [])
      for (const claim of [...short, long!]) await store.work.fail(claim, 'x', null)
      await learnAll(store)
    })

    test('each step of the work can be followed', async () => {
      const { id } = await persona()
      const begin = Date.now()
      const document = someDocument(id)
      await store.documents.add(document)
      const steps = async () =>
        (await store.work.changedSince(begin, 100)).filter((step) => step.document.id === document.id)
      assert.equal((await steps())[0]?.document.state, 'waiting')
      const [claim] = await store.work.claim(new Date(), batch)
      await store.work.progress(claim!, 40, new Date(Date.now() + 1000))
      assert.equal((await steps())[0]?.document.progress, 40)
      await store.work.fail(claim!, 'No.', null)
      assert.equal((await steps())[0]?.document.state, 'failed')
      assert.deepEqual(await store.work.changedSince(Date.now() + 10_000, 100), [])
    })

    test('memories keep their place', async () => {
      const { id } = await persona()
      await store.documents.add(someDocument(id, { text: 'placed' }))
      await learnAll(store)
      const [found] = await store.memories.list(id, { limit: 1 })
      assert.deepEqual(found?.memory.place, { headings: ['One', 'Two'], page: 3, start: 0, end: 6, speaker: 'Ada' })
      assert.equal(found?.title, 'Title')
      assert.deepEqual(found?.tags, ['a', 'b c'])
    })

    test('titles are found exactly first, else by their words', async () => {
      const { id } = await persona()
      for (const title of ['Garden', 'Garden plans', '100% sure'])
        await store.documents.add(someDocument(id, { title }))
      assert.equal((await store.documents.named(id, ' GARDEN ')).length, 1)
      assert.equal((await store.documents.named(id, 'plans garden')).length, 1)
      assert.equal((await store.documents.named(id, '100%')).length, 1)
      assert.equal((await store.documents.named(id, 'nothing')).length, 0)
      await learnAll(store)
    })

    test('a conversation keeps its order; a draft is settled once', async () => {
      const { id } = await persona()
      const message = (text: string): Message => ({
        personaId: id,
        sessionId: 's',
        id: newId(),
        role: 'user',
        text,
        score: 0,
        sourceApp: 'api',
        userName: null,
        metadata: { a: 1 },
        time: new Date(),
      })
      const draft = {
        personaId: id,
        id: newId(),
        sessionId: 's',
        question: 'q',
        text: 't',
        score: 1.5,
        reason: 'below threshold' as const,
        sources: [],
        sourceApp: 'api',
        createdAt: new Date(),
      }
      const messages = ['one', 'two', 'three'].map(message)
      await store.conversations.record({ messages, draft })
      assert.deepEqual(await store.conversations.history(id, 's'), messages)
      assert.equal(await store.conversations.history(id, 'other'), undefined)
      assert.deepEqual(await store.drafts.list(id, { limit: 9 }), [draft])
      const settled = await Promise.all(
        [1, 2].map(() => store.drafts.settle(id, draft.id, { messages: [message('four')] })),
      )
      assert.deepEqual(settled.sort(), [false, true])
      assert.equal((await store.conversations.history(id, 's'))?.length, 4)
      const [session] = await store.conversations.sessions(id, { limit: 1 })
      assert.equal(session?.messages, 4)
    })

    test('deleting a document or a persona says what went, and takes all of it', async () => {
      const { id } = await persona()
      const kept = await persona()
      for (const owner of [id, kept.id]) await store.documents.add(someDocument(owner, { text: 'about zebras' }))
      const document = someDocument(id, { text: 'about horses', fileBytes: 3 })
      await store.documents.add(
        document,
        (async function* () {
          yield Buffer.from('abc')
        })(),
      )
      await learnAll(store)
      const receipt = await store.documents.remove(id, document.id)
      assert.deepEqual([receipt?.documents, receipt?.memories, receipt?.file_bytes], [1, 1, 3])
      assert.equal(await store.documents.remove(id, document.id), undefined)
      assert.equal((await store.personas.remove(id))?.memories, 1)
      assert.deepEqual(await store.memories.list(id, { limit: 9 }), [])
      assert.equal((await store.memories.list(kept.id, { limit: 9 })).length, 1)
    })
  })
}
