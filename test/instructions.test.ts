// Instructions without a chat model: what can be done by choosing sentences, and what cannot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
await service.persona('ada-l')
await service.persona('empty')
const key = await service.key('*')
const instruct = (body: object, persona = 'ada-l') =>
  service.call({ path: '/v1/instruction?cmd=chatgpt&include=sources', key, body: { DomainName: persona, ...body } })
const upload = (Title: string, Text: string, more: object = {}) =>
  service.call({
    path: '/v1/upload-text',
    key,
    body: { DomainName: 'ada-l', Title, Text, StartTime: '2024-05-01', ...more },
  })

const LIGHTHOUSE = `The lighthouse on Gull Rock was built in 1871 and guided ships past the reef for over a century. My uncle likes crosswords.
Its keeper lived there with his family, and supplies came by boat once a month. I once had soup there.
In 1988 the light was automated, so the last keeper left the rock. It rained.
Today the lighthouse is a museum that shows how the keepers lived and how the light worked.`
await upload('Gull Rock', LIGHTHOUSE)
await upload('About my cat', 'My cat is called Turing. He is nine years old. We also have a dog.')
await upload('Vet', 'The cat was at the vet in April. Fees were paid.')
await upload('Secret plans', 'The cat will move to the moon. Nobody knows about the plan yet.', { is_stack: false })
await service.learned()

test('a document named by its title is summarised by its own sentences', async () => {
  const { status, body } = await instruct({
    Text: 'Summarise the document "Gull Rock" in two sentences.',
    SessionId: 's',
  })
  assert.equal(status, 200)
  const sentences = body.ai_message.match(/[^.]+\./g)
  assert.equal(sentences.length, 2)
  for (const sentence of sentences) assert.ok(LIGHTHOUSE.includes(sentence.trim()), sentence)
  assert.match(body.ai_message, /lighthouse/)
  assert.ok(!/crosswords|soup|rained/.test(body.ai_message))
  assert.ok(body.ai_score > 80)
  assert.deepEqual([...new Set(body.sources.map((source: { title: string }) => source.title))], ['Gull Rock'])
  const history = await service.call({ path: '/v1/conversation', key, body: { DomainName: 'ada-l', SessionId: 's' } })
  assert.equal(history.body[1].ai_message, body.ai_message)
})

test('so are a Context, and a text that comes along', async () => {
  const context = await instruct({ Text: 'Give me the key points in one sentence', Context: LIGHTHOUSE })
  assert.ok(LIGHTHOUSE.includes(context.body.ai_message), context.body.ai_message)
  assert.deepEqual(context.body.sources, [])
  const along = await instruct({ Text: `Summarise this in one sentence: ${LIGHTHOUSE}` })
  assert.equal(along.body.ai_message, context.body.ai_message)
})

test('what is known about a subject is listed, each thing once, with where it comes from', async () => {
  const { body } = await instruct({ Text: 'List everything you know about your cat.' })
  const lines = body.ai_message.split('\n')
  assert.equal(lines[0], 'What I know about my cat:')
  assert.ok(lines.includes('- The cat was at the vet in April. (Vet, 2024-05-01)'), body.ai_message)
  assert.ok(lines.some((line: string) => line.startsWith('- My cat is called Turing. He is nine years old.')))
  assert.ok(!/Fees|moon|Gull/.test(body.ai_message), body.ai_message)
  assert.equal(new Set(lines).size, lines.length)
})

test('a draft is summarised for nobody', async () => {
  const { body } = await instruct({ Text: 'Summarise "Secret plans"' })
  assert.ok(!JSON.stringify(body).includes('moon'))
})

test('a question is answered like a message', async () => {
  const { status, body } = await instruct({ Text: 'What is my cat called?' })
  assert.equal(status, 200)
  assert.match(body.ai_message, /Turing/)
})

test('what needs a chat model is 503 with the setting to set', async () => {
  for (const Text of ['Write a poem about the sea', 'Summarise the annual report', 'List everything about quarks']) {
    const { status, body } = await instruct({ Text, SessionId: 'none' }, 'empty')
    assert.equal(status, 503)
    assert.match(body.detail, /^The instruction could not be processed: .* MEMOIR_CHAT_MODEL/)
  }
  const history = await service.call({
    path: '/v1/conversation',
    key,
    body: { DomainName: 'empty', SessionId: 'none' },
  })
  assert.equal(history.status, 404)
})
