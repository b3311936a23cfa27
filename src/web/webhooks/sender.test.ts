// The sender on a real store and a real receiver, over days that pass quickly.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startReceiver, verify } from '../../../test/receiver.ts'
import { openSqlite } from '../../store/sqlite/open.ts'
import { someMessage, somePersona, someTrigger } from '../../store/suite-things.ts'
import { createWebhooks } from './post.ts'
import { retryAt } from './retry.ts'
import { startSender } from './sender.ts'

const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'memoir-sender-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const store = await openSqlite(join(folder, 'sender.db'))
const receiver = await startReceiver()

// Its clock is ours; it looks when it is woken.
let now = Date.now()
const webhooks = createWebhooks({ allowPrivate: true, timeoutMs: 300 })
const troubles: unknown[] = []
const sender = startSender({ store, webhooks, onTrouble: (error) => troubles.push(error) }, () => new Date(now))
after(async () => {
  await sender.stop()
  await store.close()
  assert.deepEqual(troubles, [])
})

async function made(path: string) {
  const persona = somePersona()
  await store.personas.create(persona)
  const trigger = someTrigger(persona.id, { on: ['message.received'], url: receiver.url + path })
  await store.triggers.create(trigger)
  return { id: persona.id, trigger }
}
const say = (personaId: number, text: string) =>
  store.conversations.record({ messages: [someMessage(personaId, text)] })

test('a receiver that is away for hours gets everything, under the same ids', async () => {
  const { id, trigger } = await made('/away')
  receiver.answer(503)
  for (const text of ['one', 'two', 'three']) await say(id, text)
  await sender.idle()
  for (let hours = 0; hours < 6; hours++) {
    now += HOUR
    await sender.idle()
  }
  const tried = receiver.received.filter(({ path }) => path === '/away')
  assert.ok(tried.length > 9, `${tried.length} attempts`)
  assert.equal(new Set(tried.map((one) => one.id)).size, 3)
  receiver.answer(204)
  now += 12 * HOUR
  await sender.idle()
  const states = (await store.outbox.list(id, trigger.id, { limit: 9 })).map(({ state }) => state)
  assert.deepEqual(states, ['sent', 'sent', 'sent'])
  assert.deepEqual(await store.triggers.get(id, trigger.id), { ...trigger, failingSince: null })
})

test('after a day without a success the trigger is off, with the reason and every attempt in the log', async () => {
  const { id, trigger } = await made('/dead')
  receiver.answer(500)
  await say(id, 'hello')
  const begin = now
  await sender.idle()
  const isOn = async () => (await store.triggers.get(id, trigger.id))!.isOn
  while (await isOn()) {
    assert.ok(now - begin < 30 * HOUR, 'still on after thirty hours')
    now += HOUR / 4
    await sender.idle()
  }
  assert.ok(now - begin >= 24 * HOUR, 'off before a day was over')
  assert.equal((await store.triggers.get(id, trigger.id))!.offReason, 'Every delivery failed for a day.')
  const [delivery] = await store.outbox.list(id, trigger.id, { limit: 9 })
  const { attempts } = (await store.outbox.get(id, delivery!.id))!
  assert.deepEqual([delivery!.state, attempts.length], ['failed', 11])
  const gone = receiver.received.length
  await say(id, 'nobody hears it')
  now += 48 * HOUR
  await sender.idle()
  assert.equal(receiver.received.length, gone)
  receiver.answer(200)
})

test('after a rotation both secrets sign, for a day', async () => {
  const { id, trigger } = await made('/rotated')
  const changes = { secret: 'whsec_bmV3', oldSecret: trigger.secret, oldSecretUntil: new Date(now + 24 * HOUR) }
  await store.triggers.update(id, trigger.id, changes, new Date(now))
  await say(id, 'on that day')
  await sender.idle()
  now += 25 * HOUR
  await say(id, 'on the next')
  await sender.idle()
  const signatures = receiver.received
    .filter(({ path }) => path === '/rotated')
    .map(({ headers }) => headers['webhook-signature']!.split(' ').length)
  assert.deepEqual(signatures, [2, 1])
})

test('no answer in time, and no receiver at all, are failures with a reason', async () => {
  const { id, trigger } = await made('/silent')
  receiver.answer(() => {})
  await say(id, 'hello')
  await sender.idle()
  await store.triggers.update(id, trigger.id, { url: 'http://127.0.0.1:1025/' }, new Date(now))
  now += HOUR
  await sender.idle()
  const [delivery] = await store.outbox.list(id, trigger.id, { limit: 9 })
  const { attempts } = (await store.outbox.get(id, delivery!.id))!
  assert.deepEqual(
    attempts.map(({ error, status }) => [error, status]),
    [
      ['The address cannot be reached.', null],
      ['The address did not answer in time.', null],
    ],
  )
  await store.triggers.remove(id, trigger.id)
  receiver.answer(200)
})

test('an answer without end is cut off', async () => {
  const { id, trigger } = await made('/endless')
  receiver.answer((response) => {
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
    response.on('close', () => clearInterval(timer))
  })
  await say(id, 'hello')
  await sender.idle()
  const [delivery] = await store.outbox.list(id, trigger.id, { limit: 9 })
  const { attempts } = (await store.outbox.get(id, delivery!.id))!
  assert.deepEqual([delivery!.state, attempts[0]!.response.length], ['sent', 1_024])
  receiver.answer(200)
})

test('a sender that stops gives back what it did not send', async () => {
  const { id } = await made('/stopped')
  const other = await openSqlite(join(folder, 'sender.db'))
  receiver.answer(() => {})
  const slow = startSender(
    { store: other, webhooks: createWebhooks({ allowPrivate: true }), onTrouble: (error) => troubles.push(error) },
    () => new Date(now),
  )
  await sender.idle()
  await other.conversations.record({ messages: [someMessage(id, 'hello')] })
  slow.wake()
  const [first] = await receiver.until('/stopped', 1)
  await slow.stop()
  await other.close()
  receiver.answer(200)
  now += 1_000
  await sender.idle()
  const [, again] = await receiver.until('/stopped', 2)
  assert.equal(again!.id, first!.id)
})

test('the standard’s own verifier refuses what is too old', async () => {
  assert.throws(() => verify('whsec_bmV3', receiver.received[0]!))
})

test('the times between attempts grow to more than a day, and are not the same for all', () => {
  const start = new Date(0)
  let at = start
  for (let tries = 1; ; tries++) {
    const next = retryAt(tries, at, 0)
    if (!next) break
    assert.ok(retryAt(tries, at, 1)! > next)
    at = next
  }
  assert.ok(at.getTime() >= 24 * HOUR && at.getTime() < 25 * HOUR)
})
