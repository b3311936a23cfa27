// What every store must do for the work of learning: leases, turns, failures, steps.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '../ports/store.ts'

import { batch, learnAll, learnedOf, someDocument, somePersona } from './suite-things.ts'

export function workSuite(engine: string, open: () => Promise<Store>): void {
  describe(`work on ${engine}`, async () => {
    const store = await open()
    const persona = async () => {
      const made = somePersona()
      await store.personas.create(made)
      return made
    }

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
        (await store.documents.revisions(id, document.id, 9)).map((one) => one.text),
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
      await store.work.release(long!, { lane: 'elsewhere' })
      assert.deepEqual(await store.work.claim(new Date(), { ...batch, lane: 'long' }), [])
      const [moved] = await store.work.claim(new Date(), { ...batch, lane: 'elsewhere' })
      assert.deepEqual([moved?.document.id, moved?.document.attempts], [long!.document.id, 0])
      for (const claim of [...short, moved!]) await store.work.fail(claim, 'x', null)
      await learnAll(store)
    })

    test('retrying or publishing what is not there, or not failed, changes nothing', async () => {
      const { id } = await persona()
      const document = someDocument(id, { text: 'ready' })
      await store.documents.add(document)
      await learnAll(store)
      const before = await store.traces.sequence(id)
      assert.equal(await store.documents.retry(id, 'unknown'), undefined)
      assert.equal(await store.documents.publish(id, 'unknown'), undefined)
      assert.equal((await store.documents.retry(id, document.id))?.state, 'ready')
      assert.equal(await store.traces.sequence(id), before)
      await store.documents.publish(id, document.id)
      assert.equal(await store.traces.sequence(id), before + 1)
    })

    test('a list tells how long texts are without reading them, and finds what came with a request', async () => {
      const { id } = await persona()
      const document = someDocument(id, { text: 'seven 🙂', rawText: 'raw', requestId: 'one' })
      for (const one of [document, someDocument(id)]) await store.documents.add(one)
      await store.documents.replaceText(id, document.id, 'four', new Date())
      const { text: _, rawText: __, ...rest } = (await store.documents.get(id, document.id))!
      assert.deepEqual(await store.documents.list(id, { limit: 9, requestId: 'one' }), [{ ...rest, characters: 4 }])
      assert.deepEqual(Object.keys((await store.work.changedSince(0, 1))[0]!.document).includes('text'), false)
      assert.equal((await Array.fromAsync(store.documents.wholeInTurn(id, { limit: 9 }))).flat()[1]?.text, 'four')
      await learnAll(store)
      assert.equal((await store.documents.list(id, { limit: 9 })).length, 2)
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
  })
}
