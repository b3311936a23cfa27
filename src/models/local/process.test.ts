import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLlamaProcess } from './process.ts'

// An idle one is ended for another model.
test('a process that is being started for somebody is busy', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const llama = createLlamaProcess(() => promise)
  assert.equal(llama.isBusy(), false)
  const written = llama.write(
    { system: '', turns: [], answerTokens: 1, memories: 0 },
    new AbortController().signal,
    () => {},
  )
  assert.equal(llama.isBusy(), true)
  reject(new Error('no model'))
  await assert.rejects(written, /no model/)
  assert.equal(llama.isBusy(), false)
})
