// The chat models on the wire, against servers that say what the test wrote down.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { type Script, scriptedModel } from '../../test/scripted-model.ts'
import type { ChatSettings } from '../domain/chat-model.ts'
import type { AppError } from '../domain/errors.ts'
import { createChatModel } from './chat.ts'

const server = await scriptedModel()
const prompt = {
  system: 'You are Ada.',
  turns: [
    { role: 'user' as const, text: 'Hello' },
    { role: 'ai' as const, text: 'Hello!' },
    { role: 'user' as const, text: 'What is the cat called?' },
  ],
}

const model = (more: Partial<ChatSettings> = {}, timeoutMs = 5_000, firstTokenMs = timeoutMs) =>
  createChatModel(
    { provider: 'openai-compatible', url: server.url, name: 'm', key: null, ...more },
    { timeoutMs, firstTokenMs, contextTokens: undefined },
  )

const failure = async (run: Promise<unknown>): Promise<AppError> => {
  const error = await run.then(
    () => assert.fail('it answered'),
    (thrown) => thrown,
  )
  return error
}

test('a prompt goes out without tools, its text comes back as it is written', async () => {
  server.say({ deltas: ['My cat ', 'is called ', 'Turing.'], logprobs: [-0.1, -0.2, -0.6] })
  const deltas: string[] = []
  const written = await model({ key: 'secret' }).write(prompt, { onText: (delta) => deltas.push(delta) })
  assert.deepEqual(deltas, ['My cat ', 'is called ', 'Turing.'])
  assert.equal(written.text, 'My cat is called Turing.')
  assert.equal(written.isWhole, true)
  assert.ok(Math.abs(written.logprob! + 0.3) < 1e-9)
  const [{ path, headers, body }] = server.seen as [(typeof server.seen)[number]]
  assert.equal(path, '/v1/chat/completions')
  assert.equal(headers.authorization, 'Bearer secret')
  assert.deepEqual(body.messages, [
    { role: 'system', content: 'You are Ada.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'What is the cat called?' },
  ])
  assert.equal(body.stream, true)
  assert.equal(body.logprobs, true)
  assert.equal(body.temperature, 0)
  assert.equal(body.max_tokens, 1024)
  assert.ok(!('tools' in body) && !('tool_choice' in body))
})

test('without a key no Authorization goes out, whatever the environment holds', async () => {
  process.env.OPENAI_API_KEY = 'of someone else'
  try {
    server.say({ deltas: ['Yes.'] })
    const written = await model().write(prompt)
    assert.equal(written.logprob, null)
    assert.equal(server.seen[0]!.headers.authorization, undefined)
    await model({ provider: 'openai', url: server.url }).write(prompt)
    assert.equal(server.seen[1]!.headers.authorization, 'Bearer none')
  } finally {
    delete process.env.OPENAI_API_KEY
  }
})

test('what a model thinks aloud is left out, also when the tag is cut', async () => {
  server.say({ deltas: ['<th', 'ink>The cat', ' …</thi', 'nk>\n\nTuring', '.'] })
  const deltas: string[] = []
  const written = await model().write(prompt, { onText: (delta) => deltas.push(delta) })
  assert.equal(written.text, 'Turing.')
  assert.equal(deltas.join(''), 'Turing.')
  server.say({ deltas: ['<', 'b>bold</b>'] })
  assert.equal((await model().write(prompt)).text, '<b>bold</b>')
})

test('an answer that ran into its limit says so', async () => {
  server.say({ deltas: ['Once upon a'], end: 'length' })
  assert.equal((await model().write(prompt)).isWhole, false)
})

test('a busy server is asked again after the time it names', async () => {
  server.say({ status: 429, headers: { 'retry-after': '1' }, body: '{}' }, { deltas: ['Turing.'] })
  assert.equal((await model().write(prompt)).text, 'Turing.')
  assert.equal(server.seen.length, 2)
  assert.ok(server.seen[1]!.at - server.seen[0]!.at >= 950)
})

test('a server that wants to be left alone for longer than there is time is left alone at once', async () => {
  server.say({ status: 429, headers: { 'retry-after': '60' }, body: '{}' })
  const started = Date.now()
  const error = await failure(model().write(prompt))
  assert.equal(error.code, 'model_failed')
  assert.match(error.message, /429.*60 s/)
  assert.equal(server.seen.length, 1)
  assert.ok(Date.now() - started < 2_000)
})

const passing: [string, Script][] = [
  ['500', { status: 500, body: 'oops' }],
  ['503 with a date', { status: 503, headers: { 'retry-after': new Date().toUTCString() }, body: '{}' }],
  ['a stream that is cut', { deltas: ['My'], end: 'cut' }],
  ['an error amid the stream', { deltas: ['My'], end: 'error' }],
  ['a stream without an end', { deltas: ['My'], end: 'unfinished' }],
  ['nothing', { deltas: [] }],
  ['a page instead of a stream', { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }],
  [
    'garbage in the stream',
    { body: 'data: {"choices": [{"del\n\ndata: 7\n\n', headers: { 'content-type': 'text/event-stream' } },
  ],
]
for (const [what, script] of passing) {
  test(`${what} is asked again, and told after three attempts`, async () => {
    server.say(script, { deltas: ['Turing.'] })
    assert.equal((await model().write(prompt)).text, 'Turing.')
    server.say(script)
    const error = await failure(model().write(prompt))
    assert.equal(error.code, 'model_failed')
    assert.match(error.message, /^The chat model m@127\.0\.0\.1:\d+ gave no answer: .+\.$/)
    assert.equal(server.seen.length, 3)
    // The prompt is in no error: errors are logged, and a log holds nobody's words.
    assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes('cat called'))
  })
}

test('after the first delta was given out nothing is asked again', async () => {
  server.say({ deltas: ['My cat '], end: 'cut' }, { deltas: ['Turing.'] })
  const deltas: string[] = []
  const error = await failure(model().write(prompt, { onText: (delta) => deltas.push(delta) }))
  assert.match(error.message, /broke off/)
  assert.deepEqual(deltas, ['My cat '])
  assert.equal(server.seen.length, 1)
})

test('a wrong key is not asked again', async () => {
  server.say({ status: 401, body: '{"error": {"message": "no such key"}}' })
  const error = await failure(model().write(prompt))
  assert.match(error.message, /it answered 401 \(no such key\)/)
  assert.equal(server.seen.length, 1)
})

test('a server that refuses probabilities and temperature is asked without them, from then on', async () => {
  server.say({ status: 400, body: '{"error": {"message": "logprobs are not supported"}}' }, { deltas: ['Turing.'] })
  const asked = model()
  assert.equal((await asked.write(prompt)).text, 'Turing.')
  await asked.write(prompt)
  assert.deepEqual(
    server.seen.map(({ body }) => [body.logprobs, body.temperature]),
    [
      [true, 0],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
  server.say({ status: 400, body: '{"error": {"message": "the prompt is too long"}}' })
  assert.match((await failure(model().write(prompt))).message, /too long/)
  assert.equal(server.seen.length, 2)
})

test('two first calls at once that are both refused are both answered', async () => {
  const refusal = { status: 400, body: '{"error": {"message": "logprobs are not supported"}}' }
  server.say(refusal, refusal, { deltas: ['Turing.'] })
  const asked = model()
  const both = await Promise.all([asked.write(prompt), asked.write(prompt)])
  assert.deepEqual(
    both.map(({ text }) => text),
    ['Turing.', 'Turing.'],
  )
})

test('a filter that stops the answer is a failure', async () => {
  server.say({ deltas: ['My'], end: 'filter' })
  assert.match((await failure(model().write(prompt))).message, /filter/)
  assert.equal(server.seen.length, 1)
})

test('a model that thinks until its room is used up is not asked to think again', async () => {
  server.say({ deltas: ['<think>Hm, ', 'let me see'], end: 'length' })
  assert.match((await failure(model().write(prompt))).message, /room was used up/)
  assert.equal(server.seen.length, 1)
})

test('a slow server is left after the time it has', async () => {
  for (const script of [
    { waitMs: 3_000, deltas: ['x'] },
    { deltas: ['x'], end: 'hang' as const },
  ]) {
    server.say(script)
    const started = Date.now()
    const error = await failure(model({}, 400).write(prompt))
    assert.match(error.message, /longer than 0\.4 s/)
    assert.ok(Date.now() - started < 2_000)
  }
})

test('who leaves stops the model', async () => {
  server.say({ deltas: Array(100).fill('word '), pauseMs: 20 })
  const caller = new AbortController()
  const run = model().write(prompt, { signal: caller.signal, onText: () => caller.abort() })
  assert.equal((await failure(run)).code, 'cancelled')
  for (let i = 0; i < 50 && !server.seen[0]!.left; i++) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(server.seen[0]!.left, true)
  assert.equal(server.seen.length, 1)
})

test('who leaves while the server is busy is noticed', async () => {
  server.say({ status: 429, headers: { 'retry-after': '4' }, body: '{}' })
  const started = Date.now()
  const run = model().write(prompt, { signal: AbortSignal.timeout(100) })
  assert.equal((await failure(run)).code, 'cancelled')
  assert.ok(Date.now() - started < 1_500)
})

test('nobody at home', async () => {
  const error = await failure(model({ url: 'http://127.0.0.1:1/v1' }).write(prompt))
  assert.equal(error.code, 'model_failed')
  assert.match(error.message, /m@127\.0\.0\.1:1 gave no answer/)
})

test("OpenAI's own wire", async () => {
  server.say({ deltas: ['Tur', 'ing.'], logprobs: [-0.2, -0.4] })
  const written = await model({ provider: 'openai', key: 'secret' }).write(prompt)
  assert.equal(written.text, 'Turing.')
  assert.ok(Math.abs(written.logprob! + 0.3) < 1e-9)
  assert.equal(server.seen[0]!.path, '/v1/chat/completions')
  assert.equal(server.seen[0]!.body.logprobs, true)
})

test("Anthropic's wire", async () => {
  const anthropic = await scriptedModel('anthropic')
  anthropic.say({ deltas: ['Tur', 'ing.'] })
  const asked = model({ provider: 'anthropic', url: anthropic.url, key: 'secret' })
  const deltas: string[] = []
  const written = await asked.write(prompt, { onText: (delta) => deltas.push(delta) })
  assert.deepEqual([written.text, written.logprob, written.isWhole], ['Turing.', null, true])
  assert.deepEqual(deltas, ['Tur', 'ing.'])
  const [{ path, headers, body }] = anthropic.seen as [(typeof anthropic.seen)[number]]
  assert.equal(path, '/v1/messages')
  assert.equal(headers['x-api-key'], 'secret')
  assert.equal(body.system[0].text, 'You are Ada.')
  assert.deepEqual(
    body.messages.map((one: { role: string }) => one.role),
    ['user', 'assistant', 'user'],
  )
  anthropic.say({ deltas: ['My'], end: 'error' }, { deltas: ['Turing.'], end: 'length' })
  assert.equal((await asked.write(prompt)).isWhole, false)
  anthropic.say({ status: 529, body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' })
  assert.match((await failure(asked.write(prompt))).message, /529 \(Overloaded\)/)
})

test("Google's wire", async () => {
  const google = await scriptedModel('google')
  google.say({ deltas: ['Tur', 'ing.'] })
  const asked = model({ provider: 'google', url: google.url, name: 'gemini-x', key: 'secret' })
  const written = await asked.write(prompt)
  assert.deepEqual([written.text, written.logprob, written.isWhole], ['Turing.', null, true])
  const [{ path, headers, body }] = google.seen as [(typeof google.seen)[number]]
  assert.equal(path, '/v1/models/gemini-x:streamGenerateContent?alt=sse')
  assert.equal(headers['x-goog-api-key'], 'secret')
  assert.equal(body.systemInstruction.parts[0].text, 'You are Ada.')
  assert.deepEqual(
    body.contents.map((one: { role: string }) => one.role),
    ['user', 'model', 'user'],
  )
  google.say({ deltas: ['My'], end: 'filter' })
  assert.match((await failure(asked.write(prompt))).message, /filter/)
})
