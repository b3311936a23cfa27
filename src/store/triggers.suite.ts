// What every store must do for triggers: events in the transaction of what happened, leases, a log, retention.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits as shared } from '../domain/limits.ts'
import type { Attempt } from '../domain/trigger.ts'
import type { Store } from '../ports/store.ts'
import type { DeliveryClaim } from '../ports/triggers.ts'
import { limits } from './limits.ts'
import {
  batch,
  learnAll,
  someDocument,
  someDraft,
  someMessage,
  somePersona,
  someReply,
  someTrigger,
} from './suite-things.ts'

const leased = { passOver: [], leaseMs: 60_000 }
const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  at: new Date(),
  tookMs: 5,
  status: 200,
  error: null,
  response: 'ok',
  ...fields,
})
const failure = (at = new Date()) => attempt({ at, status: 500, error: 'The address answered with status 500.' })

export function triggersSuite(engine: string, open: () => Promise<Store>): void {
  describe(`triggers on ${engine}`, async () => {
    const store = await open()
    const made = async (fields: Parameters<typeof someTrigger>[1] = {}) => {
      const persona = somePersona()
      await store.personas.create(persona)
      const trigger = someTrigger(persona.id, fields)
      await store.triggers.create(trigger)
      return { persona, trigger, id: persona.id }
    }
    const say = (personaId: number, text: string, sourceApp = 'api') =>
      store.conversations.record({ messages: [{ ...someMessage(personaId, text), sourceApp }] })
    const claimAll = async (at = new Date()) => {
      const claims: DeliveryClaim[] = []
      for (let one = await store.outbox.claim(at, leased); one; one = await store.outbox.claim(at, leased))
        claims.push(one)
      return claims
    }
    const settleAll = async () => {
      for (const claim of await claimAll()) await store.outbox.settle(claim, attempt(), { state: 'sent' })
    }
    const typesOf = async (personaId: number, triggerId: string) =>
      (await store.outbox.list(personaId, triggerId, { limit: 99 })).map(({ type }) => type).reverse()

    test('a trigger keeps every field, and belongs to its persona', async () => {
      const { id, trigger } = await made({ oldSecret: 'whsec_b2xk', oldSecretUntil: new Date(5) })
      assert.deepEqual(await store.triggers.get(id, trigger.id), trigger)
      assert.deepEqual(await store.triggers.list(id), [trigger])
      const other = await made()
      assert.equal(await store.triggers.get(other.id, trigger.id), undefined)
      assert.equal(await store.triggers.update(other.id, trigger.id, { name: 'x' }, new Date()), undefined)
      assert.equal(await store.triggers.remove(other.id, trigger.id), false)
      const at = new Date(7)
      const changed = await store.triggers.update(id, trigger.id, { name: 'other', on: ['reply.sent'] }, at)
      assert.deepEqual(changed, { ...trigger, name: 'other', on: ['reply.sent'], updatedAt: at })
      assert.deepEqual(await store.triggers.get(id, trigger.id), changed)
    })

    test('only what a trigger wants is written: its types, its source, while it is on', async () => {
      const { id, trigger } = await made({ on: ['message.received'], source: 'Mail' })
      await say(id, 'not from there')
      await say(id, 'from there', ' mail')
      await store.conversations.record({ messages: [], reply: someReply(id) })
      assert.deepEqual(await typesOf(id, trigger.id), ['message.received'])
      await store.triggers.update(id, trigger.id, { isOn: false }, new Date())
      await say(id, 'while it is off', 'mail')
      assert.equal((await typesOf(id, trigger.id)).length, 1)
      await store.triggers.update(id, trigger.id, { isOn: true }, new Date())
      await say(id, 'on again', 'mail')
      assert.equal((await typesOf(id, trigger.id)).length, 2)
      await settleAll()
    })

    test('each thing that happens is told once, with its ids and texts', async () => {
      const { id, trigger, persona } = await made()
      const reply = someReply(id)
      const draft = someDraft(id)
      await store.conversations.record({
        messages: [someMessage(id, 'one'), { ...someMessage(id, 'a'), role: 'ai' }],
        reply,
      })
      await store.conversations.record({
        messages: [someMessage(id, 'two')],
        draft,
        reply: { ...someReply(id), decision: 'withheld' },
      })
      await store.drafts.settle(id, draft.id, { messages: [{ ...someMessage(id, 'better'), role: 'ai' }] })
      await store.documents.add(someDocument(id, { kind: 'memory', text: 'a note' }))
      await store.documents.add(someDocument(id, { text: 'a text' }))
      await learnAll(store)
      await store.documents.add(someDocument(id))
      const [claim] = await store.work.claim(new Date(), batch)
      await store.work.fail(claim!, 'Later.', new Date(0))
      const [again] = await store.work.claim(new Date(), batch)
      await store.work.fail(again!, 'Never.', null)
      assert.deepEqual((await typesOf(id, trigger.id)).sort(), [
        'document.failed',
        'document.ready',
        'draft.created',
        'draft.settled',
        'memory.created',
        'message.received',
        'message.received',
        'reply.sent',
        'reply.withheld',
      ])
      for (const claim of await claimAll()) {
        const { payload, delivery } = claim
        await store.outbox.settle(claim, attempt(), { state: 'sent' })
        const { type, timestamp, data } = JSON.parse(payload)
        assert.equal(type, delivery.type)
        assert.equal(data.domain_name, persona.domainName)
        assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
        if (type === 'reply.sent') assert.deepEqual([data.reply_id, data.text], [reply.id, reply.text])
        if (type === 'draft.settled')
          assert.deepEqual([data.text, data.outcome, data.is_edited], ['better', 'approved', true])
        if (type === 'memory.created') assert.equal(data.text, 'a note')
        if (type === 'document.failed') assert.equal(data.error, 'Never.')
      }
    })

    test('what was not kept is not told', async () => {
      const { id, trigger } = await made()
      const message = someMessage(id, 'one')
      await say(id, 'first')
      const twice = { messages: [message], reply: someReply(id) }
      await store.conversations.record(twice)
      await assert.rejects(store.conversations.record(twice))
      assert.equal((await typesOf(id, trigger.id)).length, 3)
      await settleAll()
    })

    test('a claim is a lease, and a lost one settles nothing', async () => {
      const { id, trigger } = await made({ on: ['message.received'] })
      await say(id, 'hello')
      const now = new Date()
      assert.equal(await store.outbox.claim(now, { ...leased, passOver: [trigger.id] }), undefined)
      const first = await store.outbox.claim(now, leased)
      assert.equal(await store.outbox.claim(now, leased), undefined)
      const second = await store.outbox.claim(new Date(now.getTime() + leased.leaseMs + 1), leased)
      assert.equal(second?.delivery.id, first!.delivery.id)
      assert.equal(await store.outbox.settle(first!, attempt(), { state: 'sent' }), false)
      await store.outbox.release(second!)
      const third = await store.outbox.claim(new Date(), leased)
      const before = (await store.outbox.counts()).waiting
      assert.equal(await store.outbox.settle(third!, attempt(), { state: 'sent' }), true)
      assert.equal((await store.outbox.counts()).waiting, before - 1)
      const kept = await store.outbox.get(id, first!.delivery.id)
      assert.deepEqual([kept?.delivery.state, kept?.delivery.attempts, kept?.attempts.length], ['sent', 1, 1])
      assert.equal(await store.outbox.get(id + 1, first!.delivery.id), undefined)
    })

    test('a failed attempt waits for its time; sent again it has the same id', async () => {
      const { id, trigger } = await made({ on: ['message.received'] })
      await say(id, 'hello')
      const claim = (await store.outbox.claim(new Date(), leased))!
      const later = new Date(Date.now() + 5_000)
      await store.outbox.settle(claim, failure(), { state: 'waiting', dueAt: later })
      assert.equal(await store.outbox.claim(new Date(), leased), undefined)
      const again = (await store.outbox.claim(later, leased))!
      assert.deepEqual(
        [again.delivery.id, again.tries, again.trigger.failingSince !== null],
        [claim.delivery.id, 1, true],
      )
      await store.outbox.settle(again, failure(), { state: 'failed' })
      assert.equal(await store.outbox.redeliver(id + 1, { id: claim.delivery.id }, new Date()), 0)
      assert.equal(await store.outbox.redeliver(id, { failedOf: trigger.id }, new Date()), 1)
      const third = (await store.outbox.claim(new Date(), leased))!
      assert.deepEqual([third.delivery.id, third.tries], [claim.delivery.id, 0])
      await store.outbox.settle(third, attempt(), { state: 'sent' })
      assert.equal((await store.triggers.get(id, trigger.id))?.failingSince, null)
      const { attempts } = (await store.outbox.get(id, claim.delivery.id))!
      assert.deepEqual(
        attempts.map(({ status }) => status),
        [200, 500, 500],
      )
    })

    test('an address that is gone, or failed for a day, is switched off, and what waits has failed', async () => {
      for (const how of ['gone', 'failing'] as const) {
        const { id, trigger } = await made({ on: ['message.received'] })
        for (const text of ['one', 'two', 'three']) await say(id, text)
        const now = new Date()
        const [first, second] = [await store.outbox.claim(now, leased), await store.outbox.claim(now, leased)]
        const due = new Date(now.getTime() + 1)
        if (how === 'gone') await store.outbox.settle(first!, failure(now), { state: 'failed', isGone: true })
        else {
          await store.outbox.settle(first!, failure(now), { state: 'waiting', dueAt: due })
          assert.equal((await store.triggers.get(id, trigger.id))?.isOn, true)
          const nextDay = new Date(now.getTime() + shared.triggerFailingMs)
          const again = (await store.outbox.claim(nextDay, leased))!
          await store.outbox.settle(again, failure(nextDay), { state: 'waiting', dueAt: nextDay })
        }
        const off = await store.triggers.get(id, trigger.id)
        assert.equal(off?.isOn, false)
        assert.match(off!.offReason!, how === 'gone' ? /410/ : /for a day/)
        // One that was under way is not tried again either.
        await store.outbox.settle(second!, failure(), { state: 'waiting', dueAt: due })
        const states = (await store.outbox.list(id, trigger.id, { limit: 9 })).map(({ state }) => state)
        assert.deepEqual(states, ['failed', 'failed', 'failed'])
        const on = await store.triggers.update(id, trigger.id, { isOn: true }, new Date())
        assert.deepEqual([on?.isOn, on?.offReason, on?.failingSince], [true, null, null])
      }
    })

    test('old deliveries go, and the newest stay', async () => {
      const { id, trigger } = await made({ on: ['message.received'] })
      for (const text of ['one', 'two', 'waits']) await say(id, text)
      const claims = [await store.outbox.claim(new Date(), leased), await store.outbox.claim(new Date(), leased)]
      for (const claim of claims) await store.outbox.settle(claim!, attempt(), { state: 'sent' })
      await store.outbox.tidy(new Date())
      assert.equal((await typesOf(id, trigger.id)).length, 3)
      await store.outbox.tidy(new Date(Date.now() + limits.deliveriesKeptMs + 60_000))
      const left = await store.outbox.list(id, trigger.id, { limit: 9 })
      assert.deepEqual(
        left.map(({ state }) => state),
        ['waiting'],
      )
      assert.equal(await store.outbox.get(id, claims[0]!.delivery.id), undefined)
      await settleAll()
    })

    test('what is forgotten is not told any more', async () => {
      const { id } = await made({ on: ['memory.created'] })
      const document = someDocument(id, { kind: 'memory', text: 'a secret' })
      await store.documents.add(document)
      await learnAll(store)
      await store.documents.remove(id, document.id)
      const claim = (await store.outbox.claim(new Date(), leased))!
      assert.doesNotMatch(claim.payload, /secret/)
      assert.equal(JSON.parse(claim.payload).data.document_id, document.id)
      await store.outbox.settle(claim, attempt(), { state: 'sent' })
    })

    test('a trigger goes with its deliveries, and a persona with its triggers', async () => {
      const { id, trigger } = await made({ on: ['message.received'] })
      await say(id, 'hello')
      const claim = (await store.outbox.claim(new Date(), leased))!
      await store.triggers.remove(id, trigger.id)
      assert.equal(await store.outbox.settle(claim, attempt(), { state: 'sent' }), false)
      assert.equal(await store.outbox.get(id, claim.delivery.id), undefined)
      await store.triggers.create(trigger)
      await say(id, 'hello')
      const other = (await store.outbox.claim(new Date(), leased))!
      await store.personas.remove(id)
      assert.equal(await store.outbox.settle(other, failure(), { state: 'failed' }), false)
      assert.deepEqual(await store.triggers.list(id), [])
      assert.deepEqual(await store.outbox.list(id, trigger.id, { limit: 9 }), [])
      await assert.rejects(store.triggers.create(trigger), { code: 'not_found' })
    })

    test('a persona has so many triggers at most', async () => {
      const { id } = await made()
      for (let n = 1; n < shared.triggers; n++) await store.triggers.create(someTrigger(id))
      await assert.rejects(store.triggers.create(someTrigger(id)), { code: 'conflict' })
    })

    test('whoever sends hears of what was written, here or in another process', async () => {
      const { id } = await made({ on: ['message.received'] })
      const heard = new Promise<void>((resolve) => store.outbox.onWritten(resolve))
      const again = setInterval(() => say(id, 'hello'), 50)
      await heard
      clearInterval(again)
    })
  })
}
