// The calls of older programs: the same operations by other paths and names, and the few they alone make.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Call, startService } from './started.ts'

const service = await startService({ MEMOIR_LEGACY: '1', MEMOIR_INVITES: '1' })
await service.persona('ada-l', { owner: { name: 'Ada King', email: 'ada@example.com' } })
const key = await service.key(['ada-l'], { default_persona: 'ada-l', expires_at: '2099-01-01T00:00:00Z' })
const DomainName = 'ada-l'
await service.call({ path: '/upload-text', key, body: { Text: 'The gate is green.', Title: 'Gate' } })
await service.call({ path: '/memory', key, body: { Text: 'The door is blue.', Tags: 'doors', SourceApp: 'diary' } })
await service.learned()
const [document] = (await service.call({ path: '/document?size=1', key, body: {} })).body

type Row = Call & { name: string; status?: number; check?: (answer: Answer) => void | Promise<void> }

const owner = { validation: 'success', firstName: 'Ada', lastName: 'King', email: 'ada@example.com' }

const rows: Row[] = [
  {
    name: 'get-document by DocumentId',
    method: 'GET',
    path: `/get-document?DocumentId=${document.id}`,
    check: ({ body }) => assert.deepEqual(body, document),
  },
  { name: 'get-document of another id', method: 'GET', path: '/get-document?DocumentId=x', status: 404 },
  { name: 'get-document without an id', method: 'GET', path: '/get-document', status: 400 },
  {
    name: 'update-document with DocumentId in the body',
    method: 'PUT',
    path: '/update-document',
    body: { DocumentId: document.id, Text: 'The gate is red.' },
    check: ({ body }) => assert.equal(body.memlabel, 'The gate is red.'),
  },
  { name: 'update-document without an id', method: 'PUT', path: '/update-document', body: { Text: 'x' }, status: 400 },
  {
    name: 'memory/list',
    method: 'GET',
    path: `/v1/memory/list?DomainName=${DomainName}`,
    check: ({ body }) => {
      assert.equal(body.type, 'memory')
      const found = body.payload[0].data.find((one: { memlabel: string }) => one.memlabel === 'The door is blue.')
      assert.deepEqual(found.topics, [{ value: 'doors' }])
    },
  },
  {
    name: 'memory/list with a size',
    method: 'GET',
    path: '/v1/memory/list?size=1',
    check: ({ body }) => assert.equal(body.payload[0].data.length, 1),
  },
  {
    name: 'webhook/verification',
    method: 'GET',
    path: '/external/api/webhook/verification',
    check: ({ body }) => assert.deepEqual(body, owner),
  },
  {
    name: 'webhook/verification with a wrong key',
    method: 'GET',
    path: '/external/api/webhook/verification',
    key: 'x',
    status: 403,
  },
  { name: 'invite without an address', path: '/v1/invite', status: 400 },
  { name: 'invite to another persona', path: '/v1/invite?email=b@example.com&domain_name=nobody', status: 403 },
  {
    name: 'invite',
    path: `/v1/invite?email=b@example.com&domain_name=${DomainName}`,
    check: async ({ body }) => {
      const invited = { path: '/v1/message', key: body.key, body: { Text: 'Hello' } }
      assert.equal((await service.call(invited)).status, 200)
      assert.equal((await service.call({ ...invited, path: '/v1/memory', body: { Text: 'x' } })).status, 403)
      const { keys } = await service.admin('GET', '/keys')
      const made = keys.find((one: { name: string }) => one.name === 'b@example.com')
      assert.deepEqual([made.scopes, made.personas, made.expires_at.slice(0, 4)], [['message'], [DomainName], '2099'])
    },
  },
  {
    name: 'MEMOIR_LEGACY makes keys legacy',
    path: '/v1/memory',
    body: { Text: 'Without a SourceName.' },
    check: ({ body }) => assert.equal(body.status, 'Memblock Created'),
  },
]

describe('older programs', () => {
  for (const { name, status = 200, check, ...call } of rows) {
    test(name, async () => {
      const answer = await service.call({ key, ...call })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      if (status !== 200) assert.deepEqual(Object.keys(answer.body), ['detail'])
      await check?.(answer)
    })
  }

  test('a key may say that it is not legacy', async () => {
    const { legacy } = await service.admin('POST', '/keys', { personas: '*', legacy: false })
    assert.equal(legacy, false)
  })

  test('browsers may call the paths without /v1, too', async () => {
    const preflight = await service.call({
      method: 'OPTIONS',
      path: '/upload-url/',
      headers: { origin: 'https://a.example' },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    const answer = await service.call({ path: '/message', key, body: {}, headers: { origin: 'https://a.example' } })
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const admin = await service.call({ method: 'GET', path: '/admin/keys', headers: { origin: 'https://a.example' } })
    assert.equal(admin.headers.get('access-control-allow-origin'), null)
  })
})

test('nobody is invited unless the owner allows it', async () => {
  const closed = await startService()
  await closed.persona('ada-l')
  const answer = await closed.call({
    path: '/v1/invite?email=b@example.com',
    key: await closed.key(['ada-l'], { default_persona: 'ada-l' }),
  })
  assert.deepEqual([answer.status, answer.body], [403, { detail: 'AI invite api unauthorized.' }])
  assert.equal((await closed.admin('GET', '/keys')).keys.length, 1)
})
