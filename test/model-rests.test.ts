// A chat model that failed costs the messages after it nothing: it is not asked again, and nobody waits for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Script, scriptedModel } from './scripted-model.ts'
import { startService } from './started.ts'

const ROUNDS = 10
const FIRST_TOKEN_S = 1 // what a message would wait for at least if the model were asked

const server = await scriptedModel()
const service = await startService({
  MEMOIR_READER: '0',
  MEMOIR_CHAT_FIRST_TOKEN_S: String(FIRST_TOKEN_S),
  MEMOIR_CHAT_TIMEOUT_S: '2',
  MEMOIR_CHAT_REST_S: '60',
})
const key = await service.key('*')
await service.persona('voiced')
await service.call({
  path: '/v1/memory',
  key,
  body: { DomainName: 'voiced', Text: 'My cat is called Turing.', SourceName: 'note' },
})
await service.learned()

const ask = async (): Promise<number> => {
  const began = performance.now()
  const { body } = await service.call({
    path: '/v1/message',
    key,
    body: { DomainName: 'voiced', Text: 'What is my cat called?' },
  })
  assert.match(body.ai_message, /Turing/)
  return performance.now() - began
}

const failing: Record<string, Script> = {
  dead: { status: 500, body: 'oops' },
  slow: { waitMs: 3_000, deltas: ['Turing [m1].'] },
  hanging: { deltas: ['My cat '], end: 'hang' },
}
for (const [what, script] of Object.entries(failing))
  test(`a ${what} model: the messages after the first do not wait for it`, async () => {
    server.say(script)
    const model = { provider: 'openai-compatible', url: server.url, name: what }
    await service.admin('PATCH', '/personas/voiced', { model })
    await ask()
    assert.ok(server.seen.length > 0, 'the first message asked it')
    const asked = server.seen.length
    let fastest = Infinity // the others may have waited for the processor
    for (let round = 0; round < ROUNDS; round++) fastest = Math.min(fastest, await ask())
    assert.equal(server.seen.length, asked)
    assert.ok(fastest < (FIRST_TOKEN_S * 1_000) / 2, `${fastest} ms`)
  })
