// What a chat model that failed costs the messages after it: as much as no model at all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Script, scriptedModel } from './scripted-model.ts'
import { startService } from './started.ts'

const server = await scriptedModel()
const service = await startService({
  MEMOIR_READER: '0',
  MEMOIR_CHAT_FIRST_TOKEN_S: '1',
  MEMOIR_CHAT_TIMEOUT_S: '2',
  MEMOIR_CHAT_REST_S: '60',
})
const key = await service.key('*')
for (const persona of ['plain', 'voiced']) {
  await service.persona(persona)
  await service.call({
    path: '/v1/memory',
    key,
    body: { DomainName: persona, Text: 'My cat is called Turing.', SourceName: 'note' },
  })
}
await service.learned()

const ask = async (DomainName: string): Promise<number> => {
  const began = performance.now()
  const { body } = await service.call({
    path: '/v1/message',
    key,
    body: { DomainName, Text: 'What is my cat called?' },
  })
  assert.match(body.ai_message, /Turing/)
  return performance.now() - began
}

const ROUNDS = 40 // the fastest of each tells what it costs: others share the processor

const failing: Record<string, Script> = {
  dead: { status: 500, body: 'oops' },
  slow: { waitMs: 3_000, deltas: ['Turing [m1].'] },
  hanging: { deltas: ['My cat '], end: 'hang' },
}
for (const [what, script] of Object.entries(failing))
  test(`a ${what} model: the messages after the first take at most 1.2 times as long as without a model`, async () => {
    server.say(script)
    const model = { provider: 'openai-compatible', url: server.url, name: what }
    await service.admin('PATCH', '/personas/voiced', { model })
    await ask('voiced')
    assert.ok(server.seen.length > 0, 'the first message asked it')
    const asked = server.seen.length
    const fastest = { plain: Infinity, voiced: Infinity }
    for (let round = 0; round < ROUNDS; round++)
      for (const persona of round % 2 ? (['plain', 'voiced'] as const) : (['voiced', 'plain'] as const))
        fastest[persona] = Math.min(fastest[persona], await ask(persona))
    assert.equal(server.seen.length, asked)
    assert.ok(fastest.voiced <= 1.2 * fastest.plain, JSON.stringify(fastest))
  })
