// What chat models take and cost is counted with each reply, by the prices their owner entered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel } from './scripted-model.ts'
import { startService } from './started.ts'

const service = await startService()
const model = await scriptedModel()
const prices = { prompt: 2, answer: 10, currency: 'EUR' }
const own = { provider: 'openai-compatible', url: model.url, name: 'm', prices }
const ANSWER = { deltas: ['The kiln was rebuilt in May 2019 [m1].'] }
const COST = (1_000 * prices.prompt + 20 * prices.answer) / 1_000_000
const spent = { prompt_tokens: 1_000, answer_tokens: 20, cost: COST, currency: 'EUR' }

await service.persona('pottery', { name: 'Osman' })
const key = await service.key(['pottery'])
await service.call({
  path: '/v1/upload-text',
  key,
  body: { DomainName: 'pottery', Title: 'Kiln', Text: 'The kiln was rebuilt in May 2019.' },
})
await service.learned()
const change = (fields: object) => service.admin('PATCH', '/personas/pottery', fields)
const ask = (Text: string) => service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text } })
const replies = async () => (await service.admin('GET', '/personas/pottery/replies')).replies
const today = async () => (await service.admin('GET', '/personas/pottery/statistics?days=1')).days[0]

test('without a model nothing is spent', async () => {
  await ask('When was the kiln rebuilt?')
  assert.equal((await replies())[0].spent, null)
  assert.equal((await today()).spent, null)
  assert.equal((await service.admin('GET', '/personas/pottery/model')).chat, null)
})

test('a reply of a model says what it took and cost, and the day adds up', async () => {
  assert.deepEqual((await change({ model: own })).model.prices, prices)
  model.say(ANSWER)
  await ask('When was the kiln rebuilt?')
  await ask('When was the kiln rebuilt?')
  assert.equal(model.seen[0]!.body.stream_options.include_usage, true)
  const [newest] = await replies()
  assert.deepEqual(newest.spent, spent)
  assert.deepEqual((await today()).spent, { ...spent, prompt_tokens: 2_000, answer_tokens: 40, cost: 2 * COST })
})

test('a trial says what it cost, by the prices that are tried', async () => {
  model.say({ deltas: ['Paris.'] })
  const tried = { ...own, prices: { ...prices, prompt: 4, currency: 'CHF' } }
  const body = await service.admin('POST', '/personas/pottery/model/test', { model: tried })
  assert.equal(body.text, 'Paris.')
  assert.deepEqual(body.spent, { ...spent, cost: 0.0042, currency: 'CHF' })
})

test('without prices tokens are counted, and prices that are none are refused', async () => {
  const { prices: _, ...free } = own
  await change({ model: free })
  model.say(ANSWER)
  await ask('When was the kiln rebuilt?')
  assert.deepEqual((await replies())[0].spent, { ...spent, cost: null, currency: null })
  for (const wrong of [{ ...prices, prompt: -1 }, { ...prices, currency: 'euro' }, 5])
    await assert.rejects(change({ model: { ...own, prices: wrong } }), /400/)
})

test('a model that fails is named with the reason, and the embedder is tried', async () => {
  model.say({ status: 401, body: '{}' })
  for (let times = 0; times < 6; times++) await ask('When was the kiln rebuilt?')
  const { chat, embedder } = await service.admin('GET', '/personas/pottery/model')
  assert.match(chat.name, /^m@127/)
  assert.match(chat.trouble, /is not asked until it answers again/)
  const body = await service.admin('POST', '/embedder/test', {})
  assert.equal(body.model, embedder)
  assert.ok(body.dimensions > 0 && body.alike > body.unlike)
})
