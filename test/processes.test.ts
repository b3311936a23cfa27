// Several services on one PostgreSQL are one service: what one accepts, revokes, counts or learns holds in all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launch, NeverStarted } from './launched.ts'
import { ask, newDatabase } from './postgres-server.ts'
import { ADMIN_KEY, startService } from './started.ts'

const shared = { MEMOIR_DATABASE_URL: await newDatabase() }
const one = await startService(shared)
const two = await startService(shared)
await one.persona('ada-l')
const key = await two.key(['ada-l'])
const DomainName = 'ada-l'
const asked = async (service: typeof one, Text: string) =>
  (await service.call({ path: '/v1/message', key, body: { DomainName, Text } })).body.ai_message

test('what one has learned, the other recalls from the next question on, again and again', async () => {
  for (const [n, colour] of ['green', 'violet', 'orange', 'silver'].entries()) {
    const [teller, hearer] = n % 2 === 0 ? [one, two] : [two, one]
    const before = await asked(hearer, 'What colour is the old boat?')
    assert.doesNotMatch(String(before), new RegExp(colour))
    const answer = await teller.call({
      path: '/v1/memory',
      key,
      body: { DomainName, Text: `The old boat is ${colour}.`, SourceName: 'x' },
    })
    assert.equal(answer.status, 200)
    await hearer.learned()
    const { recollections } = await hearer.admin('POST', '/personas/ada-l/recall', {
      question: 'What colour is the old boat?',
    })
    assert.ok(
      recollections.some(({ text }: { text: string }) => text.includes(colour)),
      `the ${colour} boat is not recalled`,
    )
  }
})

test('what one has forgotten, the other forgets', async () => {
  const { memories } = await one.admin('GET', '/personas/ada-l/memories')
  for (const { id } of memories) await one.admin('DELETE', `/personas/ada-l/memories/${id}`)
  const { recollections } = await two.admin('POST', '/personas/ada-l/recall', { question: 'the old boat' })
  assert.deepEqual(recollections, [])
})

test('a session goes on in another process, in order', async () => {
  for (let n = 0; n < 6; n++) {
    const body = { DomainName, Text: `message ${n}`, SessionId: 's' }
    assert.equal((await (n % 2 ? one : two).call({ path: '/v1/message', key, body })).status, 200)
  }
  const { body } = await one.call({ path: '/v1/conversation', key, body: { DomainName, SessionId: 's' } })
  const asked = body.filter(({ Metadata }: { Metadata: { role: string } }) => Metadata.role === 'user')
  assert.deepEqual(
    asked.map(({ ai_message }: { ai_message: string }) => ai_message),
    [0, 1, 2, 3, 4, 5].map((n) => `message ${n}`),
  )
})

test('a key revoked here is refused there from the next request on', async () => {
  const doomed = await one.admin('POST', '/keys', { personas: ['ada-l'] })
  const send = (service: typeof one) =>
    service.call({ path: '/v1/document?size=1', key: doomed.key, body: { DomainName } })
  assert.equal((await send(two)).status, 200)
  await one.admin('DELETE', `/keys/${doomed.id}`)
  assert.equal((await send(two)).status, 403)
})

test('a request named by its caller counts once, whichever process it reaches', async () => {
  const body = { DomainName, Text: 'The lighthouse was built in 1871.', SourceName: 'x' }
  const headers = { 'idempotency-key': 'lighthouse' }
  const answers = await Promise.all(
    [one, two, one, two].map((service) => service.call({ path: '/v1/memory', key, body, headers })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  for (const answer of answers) assert.deepEqual(answer.body, answers[0]!.body)
  await one.learned()
  const { memories } = await one.admin('GET', '/personas/ada-l/memories')
  assert.equal(memories.length, 1)
})

test('a message named by its caller is answered by one process, and told again by all', async () => {
  const body = { DomainName, Text: 'When was the lighthouse built?', SessionId: 'once' }
  const send = (service: typeof one) =>
    service.call({ path: '/v1/message', key, body, headers: { 'idempotency-key': 'asked' } })
  const answers = await Promise.all([one, two, one, two].map(send))
  for (const { status, headers } of answers)
    assert.ok(status === 200 || (status === 409 && headers.get('retry-after')), String(status))
  const [here, there] = [await send(one), await send(two)]
  assert.equal(here.status, 200)
  assert.deepEqual(here.body, there.body)
  const history = await one.call({ path: '/v1/conversation', key, body: { DomainName, SessionId: 'once' } })
  assert.equal(history.body.length, 2)
})

test('the limit of a key is one for all', async () => {
  const limited = { MEMOIR_DATABASE_URL: await newDatabase(), MEMOIR_RATE_LIMIT: '6' }
  const services = [await startService(limited), await startService(limited), await startService(limited)]
  await services[0]!.persona('ada-l')
  const counted = await services[0]!.key(['ada-l'])
  const statuses = []
  for (let n = 0; n < 9; n++) {
    const service = services[n % 3]!
    const { status } = await service.call({ path: '/v1/document?size=1', key: counted, body: { DomainName } })
    statuses.push(status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429, 429])
})

test('one only serves, another only learns', async () => {
  const split = { MEMOIR_DATABASE_URL: await newDatabase() }
  const serving = await startService({ ...split, MEMOIR_ROLE: 'serve' })
  await serving.persona('ada-l')
  const mine = await serving.key(['ada-l'])
  const body = { DomainName, Text: 'The harbour freezes in January.', SourceName: 'x' }
  assert.equal((await serving.call({ path: '/v1/memory', key: mine, body })).status, 200)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  assert.equal((await serving.admin('GET', '/work')).pending, 1, 'nobody is there to learn it')
  const learning = await startService({ ...split, MEMOIR_ROLE: 'learn' })
  assert.equal((await learning.call({ method: 'GET', path: '/readyz' })).status, 200)
  assert.equal((await learning.call({ method: 'GET', path: '/metrics' })).status, 200)
  assert.equal((await learning.call({ path: '/v1/memory', key: mine, body })).status, 404)
  assert.equal((await learning.call({ method: 'GET', path: '/admin/work', key: ADMIN_KEY })).status, 404)
  await serving.learned()
  const { body: reply } = await serving.call({
    path: '/v1/message',
    key: mine,
    body: { DomainName, Text: 'When does the harbour freeze?' },
  })
  assert.match(reply.ai_message, /January/)
})

test('a start that fails after the doors are open ends, and does not stay up half made', async () => {
  const url = await newDatabase()
  const first = await startService({ MEMOIR_DATABASE_URL: url })
  await first.close()
  await ask(
    url,
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no keys today'; end $$;
     create trigger refuse before insert or update on keys for each row execute function refuse()`,
  )
  const env = { MEMOIR_DATABASE_URL: url, MEMOIR_DATA: first.folder, MEMOIR_ADMIN_KEY: 'another-admin-key' }
  await assert.rejects(launch(env, 'ignore'), (error) => !(error instanceof NeverStarted))
})
