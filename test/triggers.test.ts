// Triggers from outside: events of a persona, delivered and signed, to a real receiver.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { eventTypes } from '../src/domain/trigger.ts'
import { startReceiver, verify } from './receiver.ts'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1' })
const receiver = await startReceiver()
const { admin } = service
await service.persona('ada-l')
await service.persona('grace-h')
const key = await service.key('*')
const of = (persona: string) => `/personas/${persona}`
const send = (path: string, body: object) =>
  service.call({ path: `/v1/${path}`, key, body: { DomainName: 'ada-l', ...body } })

const made = (path: string, more: object = {}, persona = 'ada-l') =>
  admin('POST', `${of(persona)}/triggers`, {
    name: path,
    on: [...eventTypes],
    deliver: { url: receiver.url + path },
    ...more,
  })
const refused = async (method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await service.call({ method, path: `/admin${path}`, key: ADMIN_KEY, body })
  return { status, detail: answer.detail as string }
}
const until = async <T>(find: () => Promise<T | undefined | false>): Promise<T> => {
  for (;;) {
    const found = await find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const settled = (id: string, persona = 'ada-l') =>
  until(async () => {
    const delivery = await admin('GET', `${of(persona)}/deliveries/${id}`)
    return delivery.state !== 'waiting' && delivery
  })

test('everything that happens is delivered once, and the standard verifies it', async () => {
  const { secret, id } = await made('/all')
  await send('message', { Text: 'Where is the ladder?', SourceName: 'mail', UserName: 'Bob', Metadata: { a: 1 } })
  await admin('PATCH', of('ada-l'), { threshold: 100 })
  assert.equal((await send('message', { Text: 'Who was the third king of Nowhere?' })).status, 503)
  await admin('PATCH', of('ada-l'), { threshold: 0 })
  const { drafts } = await admin('GET', `${of('ada-l')}/drafts`)
  await admin('POST', `${of('ada-l')}/drafts/${drafts[0].id}/approve`, { text: 'Nobody knows.', learn: false })
  await send('memory', { Text: 'The ladder stands in the shed.', SourceName: 'notes', Tags: 'home' })
  await send('upload-text', { Title: 'Keys', Text: 'The spare key is under the pot.' })
  const form = new FormData()
  form.set('file', new Blob([Buffer.from('%PDF-1.7 broken')]), 'broken.pdf')
  form.set('message_request', JSON.stringify({ DomainName: 'ada-l' }))
  await service.call({ path: '/v1/upload-file', key, body: form })
  const received = await receiver.until('/all', 9)
  const types = received.map(({ event }) => event.type)
  assert.deepEqual([...new Set(types)].sort(), [...eventTypes].sort())
  assert.equal(types.filter((type) => type === 'message.received').length, 2)
  assert.equal(new Set(received.map((one) => one.id)).size, received.length)
  for (const one of received) {
    assert.deepEqual(verify(secret, one), one.event)
    assert.equal(one.event.data.domain_name, 'ada-l')
    assert.equal(one.headers['content-type'], 'application/json')
  }
  const told = (type: string) => received.find(({ event }) => event.type === type)!.event.data
  assert.deepEqual(
    [told('message.received').text, told('message.received').source_name, told('message.received').user_name],
    ['Where is the ladder?', 'mail', 'Bob'],
  )
  assert.deepEqual(told('message.received').metadata, { a: 1 })
  assert.equal(told('draft.settled').text, 'Nobody knows.')
  assert.equal(told('draft.settled').draft_id, drafts[0].id)
  assert.equal(told('memory.created').text, 'The ladder stands in the shed.')
  assert.equal(told('document.ready').title, 'Keys')
  assert.ok(told('document.failed').error)
  const [reply] = (await admin('GET', `${of('ada-l')}/replies`)).replies.filter(
    ({ decision }: { decision: string }) => decision === 'sent',
  )
  assert.deepEqual([told('reply.sent').reply_id, told('reply.sent').score], [reply.id, reply.score])
  documented(received.map(({ event }) => event))
  await admin('DELETE', `${of('ada-l')}/triggers/${id}`)
})

// Every event as the page shows it: the same fields.
function documented(events: { type: string; data: object }[]): void {
  const page = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
  const shown = [...page.matchAll(/```json\n([^`]+)```/g)].map(([, text]) => JSON.parse(text!))
  for (const { type, data } of events) {
    const example = shown.find((one) => one.type === type)
    assert.ok(example, `docs/webhooks.md shows no ${type}`)
    assert.deepEqual(Object.keys(example.data).sort(), Object.keys(data).sort(), type)
  }
}

test('a trigger is told only of its source and its events, and only of its persona', async () => {
  const { id } = await made('/mail', { source: 'Mail', on: ['message.received'] })
  const other = await made('/other', { on: ['message.received'] }, 'grace-h')
  await send('message', { Text: 'not from there' })
  await send('message', { Text: 'from there', SourceName: 'mail' })
  await send('message', { Text: 'last', SourceName: 'MAIL' })
  const received = await receiver.until('/mail', 2)
  assert.deepEqual(
    received.map(({ event }) => event.data.text),
    ['from there', 'last'],
  )
  assert.deepEqual((await admin('GET', `${of('grace-h')}/triggers/${other.id}/deliveries`)).deliveries, [])
  assert.deepEqual(await receiver.until('/other', 0), [])
  // What belongs to one persona is not there for another.
  const [delivery] = (await admin('GET', `${of('ada-l')}/triggers/${id}/deliveries`)).deliveries
  for (const [method, path, body] of [
    ['GET', `triggers/${id}`],
    ['PATCH', `triggers/${id}`, { name: 'x' }],
    ['DELETE', `triggers/${id}`],
    ['POST', `triggers/${id}/rotate`],
    ['POST', `triggers/${id}/test`],
    ['POST', `triggers/${id}/redeliver`],
    ['GET', `triggers/${id}/deliveries`],
    ['GET', `deliveries/${delivery.id}`],
    ['POST', `deliveries/${delivery.id}/redeliver`],
  ] as const)
    assert.equal((await refused(method, `${of('grace-h')}/${path}`, body)).status, 404, path)
  await admin('DELETE', `${of('ada-l')}/triggers/${id}`)
  await admin('DELETE', `${of('grace-h')}/triggers/${other.id}`)
})

test('a secret is shown once, and after a rotation the one before it is good, too', async () => {
  const { id, secret } = await made('/secret', { on: ['message.received'] })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const rotated = await admin('POST', `${of('ada-l')}/triggers/${id}/rotate`)
  assert.notEqual(rotated.secret, secret)
  assert.ok(Math.abs(Date.parse(rotated.old_secret_until) - Date.now() - 86_400_000) < 60_000)
  const { id: tested } = await admin('POST', `${of('ada-l')}/triggers/${id}/test`)
  const [one] = await receiver.until('/secret', 1)
  assert.equal(one!.id, tested)
  assert.equal(verify(secret, one!).type, 'trigger.test')
  assert.equal(verify(rotated.secret, one!).data.trigger_id, id)
  assert.throws(() => verify('whsec_b3RoZXI=', one!), /No matching signature/)
  assert.throws(() => verify(secret, { ...one!, body: one!.body.replace('ada-l', 'eve-l') }))
  const seen = JSON.stringify([
    await admin('GET', `${of('ada-l')}/triggers`),
    await admin('GET', `${of('ada-l')}/triggers/${id}`),
    await admin('PATCH', `${of('ada-l')}/triggers/${id}`, { name: 'other' }),
  ])
  assert.ok(!seen.includes('whsec_'))
  await admin('DELETE', `${of('ada-l')}/triggers/${id}`)
})

test('an attempt that failed is in the log, is tried again, and can be sent again under the same id', async () => {
  const { id } = await made('/fails', { on: ['message.received'] })
  receiver.answer((response) => response.writeHead(500).end(`no\0pe${'!'.repeat(5_000)}`))
  await send('message', { Text: 'hello' })
  const [first] = await receiver.until('/fails', 1)
  const waiting = await until(async () => {
    const delivery = await admin('GET', `${of('ada-l')}/deliveries/${first!.id}`)
    return delivery.attempts === 1 && delivery
  })
  assert.deepEqual([waiting.state, waiting.last_status], ['waiting', 500])
  const wait = Date.parse(waiting.next_attempt_at) - Date.now()
  assert.ok(wait > 3_000 && wait < 6_000, `${wait} ms`)
  assert.match(waiting.log[0].error, /status 500/)
  assert.match(waiting.log[0].response, /^no\uFFFDpe!{1000}/)
  assert.ok(waiting.log[0].response.length <= 1_024)
  assert.ok((await admin('GET', `${of('ada-l')}/triggers/${id}`)).failing_since)
  receiver.answer(200)
  await admin('POST', `${of('ada-l')}/deliveries/${first!.id}/redeliver`)
  const sent = await settled(first!.id)
  assert.deepEqual([sent.state, sent.attempts, sent.log.length], ['sent', 2, 2])
  await admin('POST', `${of('ada-l')}/deliveries/${first!.id}/redeliver`)
  const [, again, third] = await receiver.until('/fails', 3)
  assert.deepEqual([again!.id, third!.id, third!.body], [first!.id, first!.id, first!.body])
  assert.equal((await admin('GET', `${of('ada-l')}/triggers/${id}`)).failing_since, null)
  await admin('DELETE', `${of('ada-l')}/triggers/${id}`)
})

test('410 switches a trigger off; a redirect is not followed; switched on again it works', async () => {
  const { id } = await made('/gone', { on: ['message.received'] })
  receiver.answer((response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end())
  const moved = await admin('POST', `${of('ada-l')}/triggers/${id}/test`)
  await receiver.until('/gone', 1)
  await until(async () =>
    /redirects/.test((await admin('GET', `${of('ada-l')}/deliveries/${moved.id}`)).last_error ?? ''),
  )
  assert.deepEqual(await receiver.until('/elsewhere', 0), [])
  receiver.answer(410)
  await send('message', { Text: 'hello' })
  const off = await until(async () => {
    const trigger = await admin('GET', `${of('ada-l')}/triggers/${id}`)
    return !trigger.is_on && trigger
  })
  assert.match(off.off_reason, /410/)
  receiver.answer(200)
  await send('message', { Text: 'not told' })
  await admin('PATCH', `${of('ada-l')}/triggers/${id}`, { is_on: true })
  await send('message', { Text: 'told' })
  await until(async () => receiver.received.some(({ event }) => event.data.text === 'told'))
  assert.ok(!receiver.received.some(({ event }) => event.data.text === 'not told'))
  // What failed before can be sent again, all of it.
  const { redelivered } = await admin('POST', `${of('ada-l')}/triggers/${id}/redeliver`)
  assert.equal(redelivered, 2)
  await until(async () => {
    const { deliveries } = await admin('GET', `${of('ada-l')}/triggers/${id}/deliveries`)
    return deliveries.every(({ state }: { state: string }) => state === 'sent')
  })
  await admin('DELETE', `${of('ada-l')}/triggers/${id}`)
})

test('a receiver that never answers delays no message, and nobody else', async () => {
  const slow = await startReceiver()
  slow.answer(() => {})
  const { id } = await made('/slow', { on: ['message.received'], deliver: { url: `${slow.url}/slow` } })
  const fast = await made('/fast', { on: ['message.received'] })
  for (let n = 0; n < 8; n++) assert.equal((await send('message', { Text: `number ${n}` })).status, 200)
  await receiver.until('/fast', 8)
  assert.equal((await slow.until('/slow', 4)).length, 4)
  const page = (await service.call({ method: 'GET', path: '/metrics' })).body as string
  assert.match(page, /memoir_deliveries_waiting [1-9]/)
  assert.match(page, /memoir_delivery_attempts_total\{outcome="sent"\} [1-9]/)
  assert.match(page, /memoir_delivery_attempts_total\{outcome="failed"\} [1-9]/)
  for (const one of [id, fast.id]) await admin('DELETE', `${of('ada-l')}/triggers/${one}`)
})

test('a persona goes with its triggers and their deliveries', async () => {
  await service.persona('brief')
  const { id } = await made('/brief', {}, 'brief')
  await admin('POST', `${of('brief')}/triggers/${id}/test`)
  const [one] = await receiver.until('/brief', 1)
  const persona = await service.store.personas.byDomainName('brief')
  await admin('DELETE', of('brief'))
  assert.deepEqual(await service.store.triggers.list(persona!.id), [])
  assert.equal(await service.store.outbox.get(persona!.id, one!.id), undefined)
  await service.persona('brief')
  assert.deepEqual((await admin('GET', `${of('brief')}/triggers`)).triggers, [])
})

describe('what is wrong is refused with a sentence', () => {
  const right = { name: 'x', on: ['reply.sent'], deliver: { url: 'http://127.0.0.1/hook' } }
  const wrong: [string, object, RegExp][] = [
    ['no name', { ...right, name: undefined }, /^name is missing/],
    ['no events', { ...right, on: [] }, /^on is empty/],
    ['an unknown event', { ...right, on: ['reply.lost'] }, /^on\.0 may hold message\.received, /],
    ['a word as events', { ...right, on: 'reply.sent' }, /^on must be a list/],
    ['no address', { ...right, deliver: undefined }, /^deliver must be an object/],
    ['no URL', { ...right, deliver: {} }, /^deliver\.url is missing/],
    ['no valid URL', { ...right, deliver: { url: 'nonsense' } }, /not a valid URL/],
    ['a file', { ...right, deliver: { url: 'file:///etc/passwd' } }, /Only http and https/],
    ['a password', { ...right, deliver: { url: 'https://a:b@example.com/' } }, /password/],
    ['a mail server', { ...right, deliver: { url: 'http://127.0.0.1:25/' } }, /Port 25/],
    ['a long source', { ...right, source: 'x'.repeat(300) }, /^source is longer/],
    ['a host that is not there', { ...right, deliver: { url: 'https://nobody.invalid/' } }, /cannot be found/],
  ]
  for (const [name, body, sentence] of wrong)
    test(name, async () => {
      const answer = await refused('POST', `${of('ada-l')}/triggers`, body)
      assert.equal(answer.status, 400)
      assert.match(answer.detail, sentence)
      assert.deepEqual((await admin('GET', `${of('ada-l')}/triggers`)).triggers, [])
    })

  test('private addresses, unless the setting allows them', async () => {
    const strict = await startService()
    await strict.persona('ada-l')
    const own = { method: 'POST', path: '/admin/personas/ada-l/triggers', key: ADMIN_KEY }
    for (const url of [
      'http://127.0.0.1:9999/',
      'http://localhost:8080/',
      'http://[::1]/',
      'http://10.0.0.1/',
      'http://0x7f.1/',
    ]) {
      const answer = await strict.call({ ...own, body: { ...right, deliver: { url } } })
      assert.deepEqual(
        [answer.status, answer.body],
        [400, { detail: 'The address is not on the public internet.' }],
        url,
      )
    }
    // Also one that was right when it was made: every connection is checked.
    const persona = (await strict.store.personas.byDomainName('ada-l'))!
    const { someTrigger } = await import('../src/store/suite-things.ts')
    const trigger = someTrigger(persona.id, { url: receiver.url })
    await strict.store.triggers.create(trigger)
    const { id } = await strict.admin('POST', `/personas/ada-l/triggers/${trigger.id}/test`)
    const attempt = await until(async () => (await strict.admin('GET', `/personas/ada-l/deliveries/${id}`)).log[0])
    assert.deepEqual([attempt.status, attempt.error], [null, 'The address is not on the public internet.'])
    const change = await strict.call({ ...own, method: 'PATCH', path: `${own.path}/${trigger.id}`, body: right })
    assert.equal(change.status, 400)
  })
})
