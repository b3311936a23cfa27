// Idempotency-Key on messages: one that is sent again gets the reply that was kept, and leaves nothing behind twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAttacked } from './attacked.ts'
import { scriptedModel } from './scripted-model.ts'
import { startService } from './started.ts'

const DomainName = 'ada-l'
const service = await startService()
const model = await scriptedModel()
await service.persona(DomainName)
await service.persona('slow', { model: { provider: 'openai-compatible', url: model.url, name: 'small' } })
await service.persona('careful', { threshold: 100 })
const key = await service.key('*')
await service.call({ path: '/v1/memory', key, body: { DomainName, Text: 'My cat is called Turing.', SourceName: 'x' } })
await service.learned()

const ASK = { DomainName, Text: 'What is my cat called?' }
const send = (name: string, body: object = ASK, path = 'message', as = key) =>
  service.call({ path: `/v1/${path}`, key: as, body, headers: { 'idempotency-key': name } })
const sessions = async (persona = DomainName): Promise<{ messages: number }[]> =>
  (await service.admin('GET', `/personas/${persona}/sessions?limit=200`)).sessions
const detail = ({ status, body }: { status: number; body: { detail?: string } }) => [status, body.detail]
const REUSED = [422, 'This Idempotency-Key was used for another request.']

for (const [path, body] of [
  ['message', ASK],
  ['message?include=sources', { ...ASK, SessionId: 'mine', SourceName: 'phone' }],
  ['instruction?cmd=search', { DomainName, Text: 'cat' }],
  ['message/stream', { ...ASK, SessionId: 'streamed' }],
] as const) {
  test(`${path}: twice is once, with the same answer; another body under the name is refused`, async () => {
    const before = (await sessions()).length
    const first = await send(path, body, path)
    assert.equal(first.status, 200)
    const second = await send(path, body, path)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers.get('x-memoir-reply-id'), first.headers.get('x-memoir-reply-id'))
    assert.deepEqual(detail(await send(path, { ...body, Text: 'Something else?' }, path)), REUSED)
    const now = await sessions()
    assert.equal(now.length, before + 1)
    assert.equal(now[0]!.messages, 2)
  })
}

test('what is remembered with a message is remembered once', async () => {
  const body = { DomainName, Text: 'The dog is called Babbage.', is_stack: true }
  for (let times = 0; times < 2; times++) assert.equal((await send('stacked', body)).status, 200)
  await service.learned()
  const { memories } = await service.admin('GET', `/personas/${DomainName}/memories`)
  assert.equal(memories.filter((one: { text: string }) => one.text.includes('Babbage')).length, 1)
})

test('a withheld reply is withheld again, and waits once', async () => {
  const body = { DomainName: 'careful', Text: 'Who won the regatta?' }
  for (let times = 0; times < 2; times++) assert.equal((await send('withheld', body)).status, 503)
  assert.equal((await service.admin('GET', '/personas/careful/drafts')).drafts.length, 1)
  assert.equal((await sessions('careful')).length, 1)
})

test("one key's names are not another's; a name may not be an upload's", async () => {
  const other = await service.key('*')
  await send('shared')
  assert.equal((await send('shared', { ...ASK, Text: 'Who is Turing?' }, 'message', other)).status, 200)
  assert.equal((await send('upload', { DomainName, Text: 'A text.' }, 'upload-text')).status, 200)
  assert.deepEqual(detail(await send('upload')), REUSED)
  assert.equal((await send('shared', { DomainName, Text: 'A text.' }, 'upload-text')).status, 409)
})

test('while it is being answered the same is 409 with Retry-After; then it has one answer', async () => {
  model.say({ deltas: ['Hello.'], waitMs: 1_500 })
  const body = { DomainName: 'slow', Text: 'Tell me about the harbour.', SessionId: 'h' }
  const first = send('in flight', body)
  await until(() => model.seen.length === 1)
  const meanwhile = await send('in flight', body)
  assert.deepEqual([meanwhile.status, meanwhile.headers.get('retry-after')], [409, '1'])
  assert.deepEqual((await first).status, 200)
  assert.deepEqual((await send('in flight', body)).body, (await first).body)
  assert.equal(model.seen.length, 1, 'the model was asked once')
  assert.equal((await sessions('slow'))[0]!.messages, 2)
})

test('what failed may be sent again, and what was deleted does not come back', async () => {
  assert.equal((await send('failed', { DomainName })).status, 400)
  assert.equal((await send('failed')).status, 200)
  const { body } = await send('gone', { ...ASK, SessionId: 'gone' })
  await service.admin('DELETE', `/personas/${DomainName}/sessions/${body.SessionId}`)
  assert.equal((await send('gone', { ...ASK, SessionId: 'gone' })).status, 404)
})

test('a process killed in the middle leaves the request to be sent again, with one effect', async () => {
  const attacked = await startAttacked({ MEMOIR_CHAT_URL: model.url, MEMOIR_CHAT_MODEL: 'small' })
  await attacked.persona(DomainName)
  const mine = await attacked.key(DomainName)
  const ask = () =>
    attacked
      .call('/v1/message', {
        key: mine,
        body: JSON.stringify({ DomainName, Text: 'Tell me about the sea.', SessionId: 's', is_stack: true }),
        headers: { 'idempotency-key': 'sea' },
      })
      .catch(() => undefined)
  model.say({ deltas: ['Wide.'], waitMs: 60_000 })
  const cut = ask()
  await until(() => model.seen.length === 1)
  await attacked.restart('SIGKILL')
  assert.equal(await cut, undefined)
  model.say({ deltas: ['Wide.'] })
  let answer = await ask()
  // On PostgreSQL it takes others a few seconds to see that a process is gone.
  for (let tries = 0; answer?.status === 409 && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    answer = await ask()
  }
  assert.equal(answer?.status, 200)
  await attacked.restart('SIGKILL')
  assert.deepEqual((await ask())?.body, answer.body)
  await attacked.learned()
  const kept = await attacked.admin('GET', `/personas/${DomainName}/sessions`)
  assert.deepEqual([kept.sessions.length, kept.sessions[0].messages], [1, 2])
  assert.equal((await attacked.admin('GET', `/personas/${DomainName}/memories`)).memories.length, 1)
})

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(isSo())
}
