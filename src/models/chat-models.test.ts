// A chat model that fails is left alone and tried again in the background; one that many want is shared in turns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Script, scriptedModel } from '../../test/scripted-model.ts'
import type { AppError } from '../domain/errors.ts'
import { createChatModels, type ModelsBounds } from './chat-models.ts'
import { limits } from './limits.ts'

const prompt = { system: 'You are Ada.', turns: [{ role: 'user' as const, text: 'What is the cat called?' }] }

async function open(bounds: Partial<ModelsBounds> = {}) {
  const server = await scriptedModel()
  const models = createChatModels(
    { provider: 'openai-compatible', url: server.url, name: 'm', key: null },
    { timeoutMs: 20_000, firstTokenMs: 20_000, contextTokens: undefined, restMs: 50, atOnce: 8, ...bounds },
  )
  after(models.close)
  const voice = (id = 1) => models.voiceOf({ id, model: null })
  const ask = (id = 1, options = {}) => voice(id).chat!.write(prompt, options)
  return { server, models, voice, ask }
}

const failure = async (run: Promise<unknown>): Promise<AppError> =>
  run.then(
    () => assert.fail('it answered'),
    (error) => error,
  )

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 1_000 && !isSo(); i++) await wait(10)
  assert.ok(isSo())
}

const ANSWER: Script = { deltas: ['Turing.'] }

const failing: Record<string, { script: Script; says: RegExp; bounds?: Partial<ModelsBounds> }> = {
  dead: { script: { status: 500, body: 'oops' }, says: /500/ },
  slow: {
    script: { waitMs: 6_000, ...ANSWER },
    says: /did not begin to answer within 1\.5 s/,
    bounds: { firstTokenMs: 1_500 },
  },
  hanging: { script: { deltas: [], end: 'hang' }, says: /did not begin/, bounds: { firstTokenMs: 1_500 } },
  'without a key': { script: { status: 401, body: '{"error": {"message": "no such key"}}' }, says: /no such key/ },
  'lying in another form': { script: { body: '<html>Welcome</html>' }, says: /gave no answer/ },
  'streaming, then silent': {
    script: { deltas: ['My cat '], end: 'hang' },
    says: /longer than 2 s/,
    bounds: { timeoutMs: 2_000 },
  },
  'streaming, then gone': { script: { deltas: ['My cat '], end: 'cut' }, says: /broke off/ },
}
for (const [what, { script, says, bounds }] of Object.entries(failing)) {
  test(`a model that is ${what} is not asked by the next message, and is asked again when it answers`, async () => {
    const { server, models, voice, ask } = await open({ restMs: 500, ...bounds })
    server.say(script)
    assert.match((await failure(ask(1, { onText: () => {} }))).message, says)
    const asked = server.seen.length
    const { chat, withoutModel } = voice(2)
    assert.equal(chat, undefined, 'also for another persona with the same settings')
    assert.match(withoutModel!, /^The chat model m@\S+ is not asked until it answers again\. The chat model .+\.$/)
    assert.match(withoutModel!, says)
    assert.deepEqual(models.states(), { ready: 0, resting: 1 })
    assert.equal(server.seen.length, asked)
    server.say(ANSWER)
    await until(() => voice().chat !== undefined)
    assert.ok(server.probes.length >= 1 && server.seen.length === 0, 'tried by a probe, not by a message')
    assert.equal((await ask()).text, 'Turing.')
    assert.deepEqual(models.states(), { ready: 1, resting: 0 })
  })
}

test('a model that only the probe reaches rests longer each time', async () => {
  const { server, voice, ask } = await open({ restMs: 40 })
  const rests: number[] = []
  for (let round = 0; round < 3; round++) {
    server.say({ deltas: ['My cat '], end: 'cut' })
    await failure(ask(1, { onText: () => {} }))
    const began = performance.now()
    await until(() => voice().chat !== undefined)
    rests.push(performance.now() - began)
  }
  assert.ok(rests[2]! >= 3 * 40, `${rests}`)
})

test('after a probe one message goes ahead, and the others do not wait for it', async () => {
  const { server, voice, ask } = await open()
  server.say({ status: 500, body: 'oops' })
  await failure(ask())
  server.say({ pauseMs: 50, ...ANSWER })
  await until(() => voice().chat !== undefined)
  const first = ask()
  await until(() => server.seen.length === 1)
  assert.equal(voice(2).chat, undefined)
  assert.equal((await first).text, 'Turing.')
  assert.ok(voice(2).chat)
})

test('a message that the model refuses is no reason to leave it alone', async () => {
  const { server, voice, ask } = await open()
  server.say({ deltas: ['My'], end: 'filter' })
  await failure(ask())
  server.say({ status: 400, body: '{"error": {"message": "the prompt is too long"}}' })
  assert.match((await failure(ask())).message, /too long/)
  assert.ok(voice().chat)
})

test("one persona's flood leaves the others their turn, and has a bound", async () => {
  const { server, models, ask } = await open({ atOnce: 1 })
  server.say({ waitMs: 20, ...ANSWER })
  const order: number[] = []
  const flood = Array.from({ length: limits.chatWaitingEach + 2 }, () =>
    ask(1).then(
      () => order.push(1),
      (error: AppError) => error,
    ),
  )
  const other = ask(2).then(() => order.push(2))
  const answers = await Promise.all(flood)
  await other
  assert.ok(order.indexOf(2) <= 2, `${order}`)
  const refused = answers.filter((one) => one instanceof Error)
  assert.equal(refused.length, 1)
  assert.match(refused[0]!.message, /too many messages wait/)
  assert.equal(models.outcomes.get('busy'), 1)
  assert.deepEqual(models.states(), { ready: 1, resting: 0 })
})

test('who waits when the model fails waits no longer', async () => {
  const { server, ask } = await open({ atOnce: 1 })
  server.say({ status: 401, body: '{}' })
  const first = ask(1)
  const second = ask(2)
  await failure(first)
  assert.match((await failure(second)).message, /is not asked until/)
  assert.equal(server.seen.length, 1)
})

test('who leaves frees the model, also while waiting for it', async () => {
  const { server, models, ask } = await open({ atOnce: 1 })
  server.say({ deltas: Array(100).fill('word '), pauseMs: 20 }, ANSWER)
  const [speaking, waiting] = [new AbortController(), new AbortController()]
  const first = failure(ask(1, { signal: speaking.signal }))
  await until(() => server.seen.length === 1)
  const second = failure(ask(2, { signal: waiting.signal }))
  const third = ask(3)
  waiting.abort()
  assert.equal((await second).code, 'cancelled')
  speaking.abort()
  assert.equal((await first).code, 'cancelled')
  assert.equal((await third).text, 'Turing.')
  assert.equal(server.seen.length, 2)
  assert.equal(models.outcomes.get('left'), 2)
})

test('the time until it begins is told, with the time in the queue', async () => {
  const { server, ask } = await open({ atOnce: 1 })
  server.say({ waitMs: 60, ...ANSWER })
  const [, second] = await Promise.all([ask(1), ask(2)])
  assert.ok(second.firstTokenMs >= 110, String(second.firstTokenMs))
})
