// The endpoint embedder against a small server that speaks the interface.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createEndpointEmbedder } from './embedder-endpoint.ts'

const seen: { key: string | undefined; model: string; texts: number }[] = []
let refusals = 0
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { model, input } = JSON.parse(body) as { model: string; input: string[] }
  seen.push({ key: request.headers.authorization, model, texts: input.length })
  if (refusals-- > 0) {
    answer.writeHead(429).end('slow down')
    return
  }
  if (model === 'missing') {
    answer.writeHead(404).end('no such model')
    return
  }
  // In the wrong order, as an endpoint may.
  const data = input.map((text, index) => ({ index, embedding: [text.length, 3, 0] })).reverse()
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
after(() => server.close())

test('vectors come in order, at unit length, in batches', async () => {
  const embedder = await createEndpointEmbedder({ url, model: 'm', key: 'secret' })
  assert.equal(embedder.dimensions, 3)
  assert.match(embedder.name, /^m@127\.0\.0\.1/)
  const vectors = await embedder.embed(
    Array.from({ length: 100 }, (_, at) => 'x'.repeat(at)),
    'memory',
  )
  assert.equal(vectors.length, 100)
  assert.ok(Math.abs(vectors[4]![0]! - 0.8) < 1e-6 && Math.abs(vectors[4]![1]! - 0.6) < 1e-6)
  assert.deepEqual(
    seen.map((one) => one.texts),
    [1, 64, 36],
  )
  assert.ok(seen.every((one) => one.key === 'Bearer secret' && one.model === 'm'))
  await embedder.close()
})

test('a busy endpoint is asked again, a refusal is told', async () => {
  refusals = 1
  const embedder = await createEndpointEmbedder({ url, model: 'm', key: undefined })
  assert.equal((await embedder.embed(['abcd'], 'question')).length, 1)
  await embedder.close()
  await assert.rejects(createEndpointEmbedder({ url, model: 'missing', key: undefined }), /404: no such model/)
})
