// The remote client: the same operations over HTTP, and the same errors, also where several share a status.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createClient } from '../src/contract/client.ts'
import { startService } from './started.ts'

const service = await startService()
await service.persona('sure', { threshold: 100 })
const key = await service.key(['sure'], { default_persona: 'sure' })
const remote = createClient({ url: service.url, key })

test('a withheld reply, a refused key and a service that is away are told apart', async () => {
  await assert.rejects(remote.message({ Text: 'Who won the regatta of 1990?' }), { code: 'withheld' })
  const other = createClient({ url: service.url, key: await service.key(['sure'], { scopes: ['read'] }) })
  await assert.rejects(other.updateDocument({ DomainName: 'sure' }, { feed_id: 'x' }), { code: 'unauthorized' })
  const proxy = createServer((_, response) => response.writeHead(503).end('<h1>Try later</h1>'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const behind = createClient({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, key })
  await assert.rejects(behind.message({ Text: 'x' }), { code: 'unavailable', message: 'The service answered 503.' })
})

test('every operation goes through it', async () => {
  assert.deepEqual(await remote.uploadText({ Text: 'The gate is green.', Title: 'Gate' }), {
    message: 'doc accepted and processing',
  })
  const bytes = Buffer.from('The door is blue.')
  const file = {
    name: 'door.txt',
    mediaType: 'text/plain',
    size: bytes.length,
    pieces: async function* () {
      yield bytes
    },
  }
  assert.deepEqual(await remote.uploadFile({}, { DomainName: 'sure' }, file), {
    message: 'file accepted and processing',
  })
  await service.learned()
  assert.deepEqual(
    (await remote.documents({}, { size: 9 })).map((one) => one.title),
    ['door.txt', 'Gate'],
  )
  assert.equal((await remote.validateKey({})).validation, 'success')
})
