// A memory that was acknowledged is a memory that the very next message can recall.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
const DomainName = 'own-writes'
await service.persona(DomainName)
const key = await service.key([DomainName])
const post = async (path: string, body: object) =>
  (await service.call({ path: `/v1/${path}`, key, body: { DomainName, ...body } })).body

test('twenty notes, each asked for at once', async () => {
  for (let n = 1; n <= 20; n++) {
    await post('memory', { Text: `Locker ${n} opens with the code ${n * 137}.`, SourceName: 'notes' })
    const { ai_message } = await post('message', { Text: `Which code opens locker ${n}?` })
    assert.match(ai_message, new RegExp(`\\b${n * 137}\\b`))
  }
})
