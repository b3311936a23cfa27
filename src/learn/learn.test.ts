// Learning that is called off.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createExtractor } from '../extract/extractor.ts'
import { someDocument } from '../store/suite-things.ts'
import { learn } from './learn.ts'

const extractor = createExtractor()
after(() => extractor.close())

test('an embedder that is closed meanwhile leaves no error behind that nobody hears', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  const needs = {
    store: {} as never,
    extractor,
    collections: {} as never,
    embedderName: 'none',
    traces: async () => {
      throw new Error('The embedder is closed.')
    },
  }
  const watch = { onProgress() {}, signal: AbortSignal.abort(), mayWait: false }
  await assert.rejects(learn(needs, someDocument(1), watch), { name: 'AbortError' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', hear)
  assert.deepEqual(unheard, [])
})
