// What programs read in the headers of an answer: the ids of what was stored, and how many requests are left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, startService } from './started.ts'

const DomainName = 'ada-l'
const service = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1' })
await service.persona(DomainName)
const key = await service.key([DomainName])
const file = () => {
  const form = new FormData()
  form.set('file', new Blob(['The tortoise is called Boole.']), 'tortoise.txt')
  form.set('message_request', JSON.stringify({ DomainName }))
  return form
}

for (const [path, body] of [
  ['memory', () => ({ DomainName, Text: 'The cat is called Turing.', SourceName: 'x' })],
  ['upload-text', () => ({ DomainName, Text: 'The dog is called Babbage.' })],
  ['upload-file', file],
  ['upload-url', () => ({ DomainName, Url: `${service.url}/healthz` })],
] as const) {
  test(`${path} names the document that it became, so that it can be deleted`, async () => {
    const stored = await service.call({ path: `/v1/${path}`, key, body: body() })
    assert.equal(stored.status, 200)
    const id = stored.headers.get('x-memoir-document-id')!
    assert.equal((await service.admin('GET', `/personas/${DomainName}/documents/${id}`)).id, id)
    await service.learned()
    const { deleted } = await service.admin('DELETE', `/personas/${DomainName}/documents/${id}`)
    assert.equal(deleted.documents, 1)
    assert.ok(deleted.memories > 0)
  })
}

test('a request sent again names the same document; one that is refused names none', async () => {
  const body = { DomainName, Text: 'The horse is called Euler.', SourceName: 'x' }
  const send = () => service.call({ path: '/v1/memory', key, body, headers: { 'idempotency-key': 'horse' } })
  const ids = [await send(), await send()].map(({ headers }) => headers.get('x-memoir-document-id'))
  assert.ok(ids[0])
  assert.equal(ids[0], ids[1])
  const refused = await service.call({ path: '/v1/memory', key, body: { DomainName, Text: 'No source.' } })
  assert.deepEqual([refused.status, refused.headers.get('x-memoir-document-id')], [400, null])
})

test('every answer to a key says how many requests are left, before there are none', async () => {
  const limited = await startService({ MEMOIR_RATE_LIMIT: '3' })
  await limited.persona(DomainName)
  const counted = await limited.key([DomainName])
  const seen = []
  for (let n = 0; n < 4; n++) {
    const { status, headers } = await limited.call({ path: '/v1/document?size=1', key: counted, body: { DomainName } })
    assert.equal(headers.get('ratelimit-policy'), '"minute";q=3;w=60')
    const [, left, seconds] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!
    assert.ok(Number(seconds) > 0 && Number(seconds) <= 60, seconds)
    if (status === 429) assert.equal(headers.get('retry-after'), seconds)
    seen.push([status, Number(left)])
  }
  assert.deepEqual(seen, [
    [200, 2],
    [200, 1],
    [200, 0],
    [429, 0],
  ])
  const refused = await limited.call({ path: '/v1/document?size=1', key: 'wrong', body: { DomainName } })
  assert.deepEqual([refused.status, refused.headers.get('ratelimit')], [403, null])
})

test('browsers may read them', async () => {
  const { headers } = await service.call({ path: '/v1/document?size=1', key, body: { DomainName } })
  assert.match(headers.get('access-control-expose-headers')!, /x-memoir-document-id.*ratelimit, ratelimit-policy/)
})

test('the admin key talks only where its holder says to be the owner', async () => {
  const ask = (as: string, more = {}) =>
    service.call({ path: '/v1/message', key: as, body: { DomainName, Text: 'Hello!' }, headers: more })
  const owner = { 'x-memoir-owner': 'yes' }
  assert.equal((await ask(ADMIN_KEY)).status, 403)
  assert.equal((await ask(ADMIN_KEY, owner)).status, 200)
  assert.equal((await ask('wrong', owner)).status, 403)
  const reader = await service.key([DomainName], { scopes: ['read'] })
  assert.equal((await ask(reader, owner)).status, 403)
})
