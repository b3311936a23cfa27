// What every store must do, as one suite that each engine runs; its work is in work.suite.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashKey, type Key, newKey, scopes } from '../domain/access.ts'
import { newId } from '../domain/id.ts'
import type { Store } from '../ports/store.ts'
import { limits } from './limits.ts'
import { learnAll, PAGE_BREAK, someDocument, someMessage, somePersona, someReply } from './suite-things.ts'

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
      const file = async function* () {
        yield Buffer.from('one')
        yield Buffer.from('two!')
      }
      await store.documents.add(document, { file })
      assert.deepEqual(await store.documents.get(id, document.id), document)
      assert.equal(Buffer.from(await store.documents.file(id, document.id)).toString(), 'onetwo!')
      assert.equal(await store.documents.get(id + 1, document.id), undefined)
      await learnAll(store)
    })

    test('a failing upload leaves nothing behind', async () => {
      const { id } = await persona()
      const document = someDocument(id)
      const file = async function* () {
        yield Buffer.from('half')
        throw new Error('the caller went away')
      }
      await assert.rejects(store.documents.add(document, { file }), /went away/)
      assert.equal(await store.documents.get(id, document.id), undefined)
      assert.equal((await store.documents.file(id, document.id)).length, 0)
    })

    test('a request with a name is kept once, however often and however closely it comes', async () => {
      const { id } = await persona()
      const once = { name: 'key/name', fingerprint: 'f' }
      const kept = await Promise.all([1, 2, 3].map(() => store.documents.add(someDocument(id), { once })))
      assert.equal(new Set(kept).size, 1)
      assert.equal(await store.documents.add(someDocument(id), { once }), kept[0])
      assert.equal((await store.documents.list(id, { limit: 9 })).length, 1)
      const other = store.documents.add(someDocument(id), { once: { ...once, fingerprint: 'g' } })
      await assert.rejects(other, { code: 'conflict' })
      const elsewhere = await persona()
      assert.notEqual(await store.documents.add(someDocument(elsewhere.id), { once }), kept[0])
      await learnAll(store)
    })

    test('what a key may spend is handed out once', async () => {
      const key = newId()
      const taken = await Promise.all(Array.from({ length: 10 }, () => store.allowances.take(key, 5, 1)))
      assert.equal(
        taken.reduce((sum, { granted }) => sum + granted, 0),
        5,
      )
      const { granted, waitMs } = await store.allowances.take(key, 5, 1)
      assert.equal(granted, 0)
      assert.ok(waitMs > 0 && waitMs <= 12_000, String(waitMs))
      assert.deepEqual(await store.allowances.take(newId(), 5, 9), { granted: 5, left: 0, waitMs: 0 })
    })

    test('writers at the same moment get changes of their own, in order', async () => {
      const { id } = await persona()
      const ids = Array.from({ length: 20 }, () => someDocument(id))
      for (const document of ids) await store.documents.add(document)
      const before = await store.traces.sequence(id)
      await Promise.all(ids.map((document) => store.documents.publish(id, document.id)))
      assert.equal(await store.traces.sequence(id), before + 20)
      assert.equal((await store.traces.changedSince(id, before))?.length, 20)
      await learnAll(store)
    })

    test('memories keep their place', async () => {
      const { id } = await persona()
      await store.documents.add(someDocument(id, { text: `here${PAGE_BREAK}there` }))
      await learnAll(store)
      const [found] = await store.memories.list(id, { limit: 1 })
      const pages = { page: 3, pageStarts: [{ start: 5, page: 4 }] }
      assert.deepEqual(found?.memory.place, { headings: ['One', 'Two'], ...pages, start: 0, end: 10, speaker: 'Ada' })
      assert.equal(found?.title, 'Title')
      assert.deepEqual(found?.tags, ['a', 'b c'])
    })

    test('a long conversation is read in parts: of many entries, and of long ones', async () => {
      const { id } = await persona()
      const texts = Array.from({ length: 2 * limits.readRows + 1 }, (_, n) => `entry ${n}`)
      const long = 'x'.repeat(limits.readBytes / 2)
      const messages = [...texts, long, long, long].map((text) => someMessage(id, text))
      await store.conversations.record({ messages })
      const parts = await Array.fromAsync((await store.conversations.history(id, 's'))!)
      assert.deepEqual(parts.flat(), messages)
      assert.deepEqual(
        parts.map((part) => part.length),
        [limits.readRows, limits.readRows, 2, 2],
      )
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
      const message = (text: string) => someMessage(id, text)
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
      const history = async () => (await Array.fromAsync((await store.conversations.history(id, 's'))!)).flat()
      assert.deepEqual(await history(), messages)
      assert.equal(await store.conversations.history(id, 'other'), undefined)
      assert.deepEqual(await store.drafts.list(id, { limit: 9 }), [draft])
      const settled = await Promise.all(
        [1, 2].map(() => store.drafts.settle(id, draft.id, { messages: [message('four')] })),
      )
      assert.deepEqual(settled.sort(), [false, true])
      assert.equal((await history()).length, 4)
      const [session] = await store.conversations.sessions(id, { limit: 1 })
      assert.equal(session?.messages, 4)
      assert.deepEqual(await store.conversations.latest(id, 's', { turns: 2, charactersEach: 4 }), [
        { role: 'user', text: 'thre' },
        { role: 'user', text: 'four' },
      ])
      assert.equal((await store.conversations.latest(id, 's', { turns: 9, charactersEach: 9 })).length, 4)
      assert.deepEqual(await store.conversations.latest(id, 'other', { turns: 9, charactersEach: 9 }), [])
    })

    test('a reply is kept with its reasons, and its owner may judge it', async () => {
      const { id } = await persona()
      const other = await persona()
      const replies = [someReply(id), someReply(id), someReply(id)]
      for (const reply of replies) await store.conversations.record({ messages: [], reply })
      assert.deepEqual(await store.replies.get(id, replies[0]!.id), replies[0])
      assert.equal(await store.replies.get(other.id, replies[0]!.id), undefined)
      const { explanation: _, ...listed } = replies[1]!
      assert.deepEqual(await store.replies.list(id, { limit: 1, before: replies[2]!.id }), [listed])
      assert.equal(await store.replies.label(other.id, replies[0]!.id, 'right'), false)
      assert.equal(await store.replies.label(id, replies[0]!.id, 'right'), true)
      const { explanation: __, ...judged } = replies[0]!
      assert.deepEqual(await store.replies.labelled(id, 9), [{ ...judged, label: 'right' }])
      assert.equal(await store.replies.label(id, replies[0]!.id, null), true)
      assert.deepEqual(await store.replies.labelled(id, 9), [])
      await store.personas.remove(id)
      assert.deepEqual(await store.replies.list(id, { limit: 9 }), [])
    })

    test('what was said is found by a part of it, in any case, and an opening stands for its session', async () => {
      const { id } = await persona()
      const other = await persona()
      const said = (sessionId: string, text: string, personaId = id) => someMessage(personaId, text, sessionId)
      const messages = [said('a', 'Where is the Kiln?'), said('b', '100% sure'), said('a', 'And the kiln’s door?')]
      await store.conversations.record({ messages: [...messages, said('c', 'kiln', other.id)] })
      const found = await store.conversations.search(id, 'KILN', { limit: 9 })
      assert.deepEqual(found, [messages[2], messages[0]])
      assert.deepEqual(await store.conversations.search(id, 'kiln', { limit: 9, before: messages[2]!.id }), [
        messages[0],
      ])
      assert.deepEqual(await store.conversations.search(id, '0%', { limit: 9 }), [messages[1]])
      const accented = said('d', 'ÜBER den Fluß, À LA CARTE')
      await store.conversations.record({ messages: [accented] })
      for (const part of ['Über', 'über', 'ÜBER', 'à la', 'FLUß'])
        assert.deepEqual(await store.conversations.search(id, part, { limit: 9 }), [accented], part)
      assert.deepEqual(await store.conversations.search(id, '_ sure', { limit: 9 }), [])
      const openings = (await store.conversations.sessions(id, { limit: 9 })).map(({ opening }) => opening)
      assert.deepEqual(openings.sort(), ['100% sure', 'Where is the Kiln?', 'ÜBER den Fluß, À LA CARTE'])
    })

    test('memories are walked along by the time they speak of', async () => {
      const { id } = await persona()
      const other = await persona()
      const times = ['2001-01-01', '1990-01-01', '2001-01-01', '1995-01-01'].map((day) => new Date(day))
      for (const [at, startTime] of times.entries()) {
        await store.documents.add(someDocument(id, { kind: 'memory', text: `${at}`, startTime, isDraft: at === 3 }))
        await learnAll(store)
      }
      await store.documents.add(someDocument(other.id, { text: 'x' }))
      await learnAll(store)
      const first = await store.memories.timeline(id, { limit: 2 })
      const before = first[1]!.memory.id
      const rest = await store.memories.timeline(id, { limit: 9, before })
      const texts = [...first, ...rest].map(({ memory }) => memory.text)
      assert.deepEqual(texts, ['2', '0', '3', '1'])
      assert.deepEqual([rest[0]!.kind, rest[0]!.isDraft, rest[1]!.isDraft], ['memory', true, false])
      const until = await store.memories.timeline(id, { limit: 9, until: new Date('1994-01-01') })
      assert.deepEqual(until.length, 1)
      assert.deepEqual(await store.memories.timeline(id, { limit: 9, before: newId() }), [])
    })

    test('a visitor judges what was sent in one session, and nothing learns from it', async () => {
      const { id } = await persona()
      const reply = someReply(id)
      await store.conversations.record({ messages: [], reply })
      assert.equal(await store.replies.labelByVisitor(id, 'another', reply.id, 'wrong'), false)
      assert.equal(await store.replies.labelByVisitor(id, 's', reply.id, 'wrong'), true)
      assert.deepEqual(await store.replies.some(id, [reply.id]), [{ ...reply, visitorLabel: 'wrong' }])
      assert.deepEqual(await store.replies.labelled(id, 9), [])
      assert.deepEqual(await store.replies.list(id, { limit: 9, visitorLabel: 'right' }), [])
    })

    test('figures of replies are those since then, the newest first', async () => {
      const { id } = await persona()
      const replies = [someReply(id), someReply(id)]
      for (const reply of replies) await store.conversations.record({ messages: [], reply })
      const figures = await store.replies.figures(id, new Date(Date.now() - 60_000), 9)
      const { score, tookMs, decision, label, spent, createdAt } = replies[1]!
      assert.deepEqual(figures[0], { score, tookMs, decision, label, spent, createdAt })
      assert.equal(figures.length, 2)
      assert.equal((await store.replies.figures(id, new Date(0), 1)).length, 1)
      assert.deepEqual(await store.replies.figures(id, new Date(Date.now() + 60_000), 9), [])
    })

    test('deleting a document or a persona says what went, and takes all of it', async () => {
      const { id } = await persona()
      const kept = await persona()
      for (const owner of [id, kept.id]) await store.documents.add(someDocument(owner, { text: 'about zebras' }))
      const document = someDocument(id, { text: 'about horses', fileBytes: 3 })
      const file = async function* () {
        yield Buffer.from('abc')
      }
      await store.documents.add(document, { file })
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
