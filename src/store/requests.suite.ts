// What every store must do for messages that count once, as one suite that each engine runs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RequestClaim, Store } from '../ports/store.ts'
import { someMessage, somePersona, someReply } from './suite-things.ts'

export function requestsSuite(engine: string, open: () => Promise<Store>): void {
  describe(`requests on ${engine}`, async () => {
    const store = await open()

    test('one claims a name; a failure gives it back, time takes it away, a reply keeps it for a day', async () => {
      const persona = somePersona()
      await store.personas.create(persona)
      const once = { name: 'key/message', fingerprint: 'f' }
      const claim = (hours: number, fingerprint = 'f') =>
        store.requests.claim(persona.id, { ...once, fingerprint }, new Date(hours * 60 * 60_000))
      const tried = await Promise.allSettled([0, 0, 0].map((hours) => claim(hours)))
      const [first, ...others] = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.equal(others.length, 0)
      await store.requests.release(first as RequestClaim)
      const [slow, next] = [(await claim(0)) as RequestClaim, (await claim(1)) as RequestClaim]

      const message = someMessage(persona.id, 'Hello?')
      const record = (reply: ReturnType<typeof someReply>, of: RequestClaim) =>
        store.conversations.record({ messages: [message], reply, claim: of })
      await assert.rejects(record(someReply(persona.id), slow), { code: 'conflict' })
      assert.equal(
        await store.conversations.history(persona.id, message.sessionId),
        undefined,
        'nothing was left behind',
      )
      const reply = someReply(persona.id)
      await record(reply, next)
      await store.requests.release(next)

      assert.deepEqual(await claim(2), { replyId: reply.id })
      await assert.rejects(claim(2, 'g'), { code: 'name_reused' })
      assert.ok('lease' in (await claim(25, 'g')))
    })
  })
}
