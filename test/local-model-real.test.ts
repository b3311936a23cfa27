// node-llama-cpp itself, with a tiny model of random weights: it loads, streams, cites, is left, is killed.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { AppError } from '../src/domain/errors.ts'
import { type ChatModels, createChatModels } from '../src/models/chat-models.ts'
import { createLocalModels } from '../src/models/local/local-models.ts'
import type { ChatOptions } from '../src/ports/models.ts'
import { createDownload } from '../src/web/download.ts'
import { childrenNamed, killChild } from './children.ts'
import { installRealLlama, modelsIn, noLlama } from './local-llama.ts'
import { temporaryFolder } from './started.ts'
import { writeTinyModel } from './tiny-gguf.ts'

const PROCESS = 'models/local/speak.ts'
const folder = temporaryFolder()
const bounds = { timeoutMs: 120_000, firstTokenMs: 120_000, contextTokens: 4_096, restMs: 100, atOnce: 8 }
let models: ChatModels

const voice = () => models.voiceOf({ id: 1, model: { provider: 'local', url: null, name: 'tiny', key: null } })
const ask = (options: ChatOptions = {}, memories = 0) =>
  voice().chat!.write(
    { system: 'You are Ada. You answer briefly.', turns: [{ role: 'user', text: 'Hello' }], memories },
    options,
  )
const failure = (run: Promise<unknown>): Promise<AppError> =>
  run.then(
    () => assert.fail('it answered'),
    (error) => error,
  )

describe('a tiny model', { skip: noLlama }, () => {
  before(() => {
    installRealLlama(folder)
    writeTinyModel(join(modelsIn(folder), 'tiny.gguf'), { seed: 3 })
    const local = createLocalModels(modelsIn(folder), createDownload({}), {
      threads: 1,
      memoryMib: 2_048,
      contextTokens: 4_096,
    })
    models = createChatModels(undefined, bounds, undefined, local)
  })
  after(() => models?.close())

  test('is loaded, and streams what it writes with its probabilities', async () => {
    const deltas: string[] = []
    const written = await ask({ onText: (delta) => deltas.push(delta) })
    assert.ok(deltas.length > 20)
    assert.equal(deltas.join(''), written.text)
    assert.ok(written.logprob! < 0 && written.logprob! > -5, String(written.logprob))
  })

  test('can end no sentence but with a memory', async () => {
    const { text } = await ask({}, 2)
    assert.match(text, /\[m[12]\]$/)
    assert.doesNotMatch(text.replaceAll(/\[m[12]\]/g, ''), /[[\]]/)
  })

  test('keeps what two prompts have in common', async () => {
    const { firstTokenMs } = await ask({}, 2)
    const began = performance.now()
    await ask({}, 2)
    assert.ok(performance.now() - began < 20_000 && firstTokenMs < 20_000)
  })

  test('stops for who leaves, and answers the next', async () => {
    const caller = new AbortController()
    const left = await failure(ask({ signal: caller.signal, onText: () => caller.abort() }))
    assert.equal(left.code, 'cancelled')
    assert.match((await ask({}, 1)).text, /\[m1\]/)
    assert.equal(childrenNamed(PROCESS).length, 1)
  })

  test('killed in the middle of a reply it fails at once, rests, and is started again', async () => {
    let killedAt = 0
    const onText = () => {
      if (killedAt === 0) killChild(PROCESS)
      killedAt ||= Date.now()
    }
    const error = await failure(ask({ onText }))
    assert.ok(Date.now() - killedAt < 1_000)
    assert.match(error.message, /tiny@local gave no answer: it broke off: its process ended \(SIGKILL\)/)
    assert.equal(voice().chat, undefined)
    for (let look = 0; look < 600 && !voice().chat; look++) await new Promise((resolve) => setTimeout(resolve, 100))
    assert.match((await ask({}, 1)).text, /\[m1\]/)
  })
})
