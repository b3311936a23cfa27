// The time of a message to a persona with ten thousand memories, beside the time its models took for it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../../src/app/keys/new-key.ts'
import { readConfig } from '../../src/config.ts'
import { createEmbedder } from '../../src/models/embedder.ts'
import { createReader } from '../../src/models/reader.ts'
import type { Embedder, Reader } from '../../src/ports/models.ts'
import { start } from '../../src/start.ts'
import { somePersona } from '../../src/store/suite-things.ts'
import { fillStore, questionText } from '../recall/made-up.ts'
import { post } from './asking.ts'

const MEMORIES = 10_000
const QUESTIONS = 40
const KEY = 'admin-key-of-the-benchmark'

export type Speed = { messageMs: number; modelsMs: number; ratio: number }

export async function measureSpeed(): Promise<Speed> {
  const data = mkdtempSync(join(tmpdir(), 'memoir-message-'))
  let modelsMs = 0
  const timed = async <T>(call: Promise<T>): Promise<T> => {
    const began = performance.now()
    const result = await call
    modelsMs += performance.now() - began
    return result
  }
  const [bareEmbedder, bareReader] = [createEmbedder(), createReader()]
  const embedder: Embedder = { ...bareEmbedder, embed: (texts, as) => timed(bareEmbedder.embed(texts, as)) }
  const reader: Reader = { ...bareReader, read: (question, passages) => timed(bareReader.read(question, passages)) }
  const config = readConfig({ MEMOIR_DATA: data, MEMOIR_PORT: '0', MEMOIR_LOG: 'error', MEMOIR_RATE_LIMIT: '0' })
  const service = await start(config, { embedder, reader })
  try {
    await setAdminKey(service.store, KEY)
    await service.store.personas.create({ ...somePersona('made-up'), id: 1 })
    fillStore(join(data, 'memoir.db'), 1, MEMORIES, embedder.name)
    const { key } = await post(service, '/admin/keys', KEY, { personas: ['made-up'] })
    const ask = (at: number) => post(service, '/v1/message', key, { DomainName: 'made-up', Text: questionText(at) })
    for (let at = 0; at < 10; at++) await ask(at) // until everything is warm
    const times: { message: number; models: number }[] = []
    for (let at = 10; at < 10 + QUESTIONS; at++) {
      modelsMs = 0
      const began = performance.now()
      await ask(at)
      times.push({ message: performance.now() - began, models: modelsMs })
    }
    const median = (values: number[]) => values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)]!
    return {
      messageMs: median(times.map(({ message }) => message)),
      modelsMs: median(times.map(({ models }) => models)),
      ratio: median(times.map(({ message, models }) => message / models)),
    }
  } finally {
    await service.close()
    rmSync(data, { recursive: true, force: true })
  }
}
