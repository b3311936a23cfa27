// Who gets in: every operation against every kind of key.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ADMIN_KEY, type Call, startService } from './started.ts'

const Text = 'Hello'
const DomainName = 'ada-l'

const operations: (Call & { name: string; scope: string; refused: string; refusedStatus?: number })[] = [
  {
    name: 'message',
    path: '/v1/message',
    body: { DomainName, Text },
    scope: 'message',
    refused: 'AI message api unauthorized.',
  },
  {
    name: 'message stream',
    path: '/v1/message/stream',
    body: { DomainName, Text },
    scope: 'message',
    refused: 'AI message api unauthorized.',
  },
  {
    name: 'instruction',
    path: '/v1/instruction?cmd=search',
    body: { DomainName, Text },
    scope: 'instruction',
    refused: 'AI message api unauthorized.',
  },
  {
    name: 'upload-url',
    path: '/v1/upload-url',
    body: { DomainName, Url: 'http://127.0.0.1/' },
    scope: 'upload',
    refused: 'AI url upload unauthorized.',
  },
  {
    name: 'upload',
    path: '/v1/upload',
    body: { DomainName, Url: 'http://127.0.0.1/' },
    scope: 'upload',
    refused: 'AI url upload unauthorized.',
  },
  {
    name: 'upload-text',
    path: '/v1/upload-text',
    body: { DomainName, Text },
    scope: 'upload',
    refused: 'AI document upload unauthorized.',
  },
  {
    name: 'upload-file',
    path: `/v1/upload-file?DomainName=${DomainName}`,
    scope: 'upload',
    refused: 'AI memory api unauthorized.',
  },
  {
    name: 'memory',
    path: '/v1/memory',
    body: { DomainName, Text, SourceName: 'test' },
    scope: 'memory',
    refused: 'AI memory api unauthorized.',
  },
  {
    name: 'conversation',
    path: '/v1/conversation',
    body: { DomainName, SessionId: 's' },
    scope: 'read',
    refused: 'AI conversation api unauthorized.',
  },
  {
    name: 'document',
    path: '/v1/document?size=1',
    body: { DomainName },
    scope: 'read',
    refused: 'AI document api unauthorized.',
  },
  {
    name: 'document list',
    method: 'GET',
    path: `/v1/document/list?DomainName=${DomainName}`,
    scope: 'read',
    refused: 'AI document api unauthorized.',
  },
  {
    name: 'recall',
    path: '/v1/recall',
    body: { DomainName, Text },
    scope: 'read',
    refused: 'AI memory api unauthorized.',
  },
  {
    name: 'embed',
    path: '/v1/embed',
    body: { DomainName, Texts: [Text] },
    scope: 'message',
    refused: 'AI message api unauthorized.',
  },
  {
    name: 'update-document',
    method: 'PUT',
    path: '/v1/update-document?feed_id=x',
    body: { DomainName, Text },
    scope: 'update',
    refused: 'AI document api unauthorized.',
    refusedStatus: 503,
  },
]

const service = await startService()
await service.persona('ada-l')
await service.persona('grace-h')
const revoked = await service.admin('POST', '/keys', { personas: ['ada-l'] })
await service.admin('DELETE', `/keys/${revoked.id}`)

const keys: Record<string, string | null> = {
  'no key': null,
  'a wrong key': 'memoir_wrong',
  'an empty key': '',
  'the admin key': ADMIN_KEY,
  "another persona's key": await service.key(['grace-h']),
  'an expired key': await service.key(['ada-l'], { expires_at: '2020-01-01T00:00:00Z' }),
  'a revoked key': revoked.key,
}

describe('keys', () => {
  for (const operation of operations) {
    for (const [kind, key] of Object.entries(keys)) {
      test(`${operation.name} refuses ${kind}`, async () => {
        const answer = await service.call({ ...operation, body: bodyOf(operation), key })
        assert.equal(answer.status, operation.refusedStatus ?? 403)
        assert.deepEqual(answer.body, { detail: operation.refused })
      })
    }

    test(`${operation.name} refuses a persona that does not exist in the same words`, async () => {
      const key = await service.key('*')
      const body = operation.body
        ? { ...(operation.body as object), DomainName: 'nobody' }
        : bodyOf(operation, 'nobody')
      const answer = await service.call({ ...operation, path: operation.path.replace('ada-l', 'nobody'), body, key })
      assert.equal(answer.status, operation.refusedStatus ?? 403)
      assert.deepEqual(answer.body, { detail: operation.refused })
    })

    test(`${operation.name} refuses a key without the scope ${operation.scope}`, async () => {
      const others = ['message', 'instruction', 'memory', 'upload', 'read', 'update'].filter(
        (scope) => scope !== operation.scope,
      )
      const key = await service.key(['ada-l'], { scopes: others })
      const answer = await service.call({ ...operation, body: bodyOf(operation), key })
      assert.equal(answer.status, operation.refusedStatus ?? 403)
      assert.deepEqual(answer.body, { detail: operation.refused })
    })

    test(`${operation.name} lets a key with only the scope ${operation.scope} in`, async () => {
      const key = await service.key(['ada-l'], { scopes: [operation.scope] })
      const answer = await service.call({ ...operation, body: bodyOf(operation), key })
      assert.notEqual(answer.status, 403)
      assert.notDeepEqual(answer.body, { detail: operation.refused })
    })
  }

  test('a refused key is refused before its body is looked at', async () => {
    const answer = await service.call({ path: '/v1/message', body: '{ this is no JSON', key: 'memoir_wrong' })
    assert.equal(answer.status, 403)
  })

  test('a key is taken for several personas, and for all', async () => {
    for (const key of [await service.key(['ada-l', 'grace-h']), await service.key('*')]) {
      for (const name of ['ada-l', 'grace-h']) {
        assert.equal((await service.call({ path: '/v1/message', body: { DomainName: name, Text }, key })).status, 200)
      }
    }
  })

  test('a revoked key is refused from the next request on', async () => {
    const created = await service.admin('POST', '/keys', { personas: ['ada-l'] })
    const send = () => service.call({ path: '/v1/message', body: { DomainName, Text }, key: created.key })
    assert.equal((await send()).status, 200)
    await service.admin('DELETE', `/keys/${created.id}`)
    assert.equal((await send()).status, 403)
  })

  test('without DomainName the default persona answers, else 400 names the field', async () => {
    const withDefault = await service.key(['ada-l'], { default_persona: 'ada-l' })
    for (const body of [{ Text }, { Text, DomainName: '' }, { Text, DomainName: '  ' }, { Text, DomainName: null }]) {
      assert.equal((await service.call({ path: '/v1/message', body, key: withDefault })).status, 200)
      const without = await service.call({ path: '/v1/message', body, key: await service.key(['ada-l']) })
      assert.equal(without.status, 400)
      assert.match(without.body.detail, /DomainName/)
    }
  })

  test('DomainName is compared without case', async () => {
    const answer = await service.call({
      path: '/v1/message',
      body: { DomainName: 'ADA-L', Text },
      key: await service.key(['ada-l']),
    })
    assert.equal(answer.status, 200)
  })

  test('validate names the owner of the key', async () => {
    await service.persona('owned', { owner: { name: 'Ada King Lovelace', email: 'ada@example.com' } })
    const key = await service.key(['owned'])
    const { body } = await service.call({ method: 'GET', path: '/v1/api-key/validate', key })
    assert.deepEqual(body, {
      validation: 'success',
      firstName: 'Ada',
      lastName: 'King Lovelace',
      email: 'ada@example.com',
    })
    assert.equal((await service.call({ method: 'GET', path: '/v1/api-key/validate', key: 'memoir_wrong' })).status, 403)
  })

  test('the store holds no key, only its hash', async () => {
    const key = await service.key(['ada-l'])
    const kept = await service.store.keys.list()
    assert.ok(kept.every((one) => !JSON.stringify(one).includes(key)))
  })
})

const bodyOf = ({ method, body }: Call, DomainName = 'ada-l') =>
  method === 'GET' ? undefined : (body ?? form({ DomainName }))

function form(fields: object): FormData {
  const data = new FormData()
  data.set('file', new Blob(['Some text.']), 'notes.txt')
  data.set('message_request', JSON.stringify(fields))
  return data
}

describe('doors for other protocols', () => {
  const messages = [{ role: 'user', content: Text }]
  const arguments_ = { question: Text, persona: DomainName }
  const doors: Call[] = [
    { path: '/openai/v1/chat/completions', body: { model: DomainName, messages } },
    { path: '/openai/v1/responses', body: { model: DomainName, input: Text } },
    { path: '/openai/v1/embeddings', body: { model: DomainName, input: Text } },
    { path: '/openai/v1/models/ada-l', method: 'GET' },
    {
      path: '/mcp',
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: arguments_ } },
    },
  ]
  const strangers = ['no key', 'a wrong key', 'an empty key', 'the admin key', 'an expired key', 'a revoked key']
  const accept = 'application/json, text/event-stream'

  for (const door of doors) {
    test(`${door.path} refuses whoever has no key of a persona`, async () => {
      for (const kind of strangers) {
        const bearer = { authorization: `Bearer ${keys[kind] ?? ''}`, accept }
        assert.equal((await service.call({ ...door, key: keys[kind]! })).status, 401, kind)
        assert.equal((await service.call({ ...door, headers: bearer })).status, 401, kind)
      }
    })

    test(`${door.path} gives another persona's key nothing of this one`, async () => {
      const answer = await service.call({ ...door, key: keys["another persona's key"]!, headers: { accept } })
      const text = JSON.stringify(answer.body)
      assert.ok(answer.status >= 403 || /unauthorized/.test(text), text)
      assert.ok(!text.includes('Ada'), text)
      const own = await service.call({ ...door, key: await service.key(['ada-l']), headers: { accept } })
      assert.equal(own.status, 200)
    })
  }
})

describe('admin', () => {
  const paths: [string, string][] = [
    ['GET', '/admin/personas'],
    ['POST', '/admin/personas'],
    ['DELETE', '/admin/personas/ada-l'],
    ['GET', '/admin/keys'],
    ['GET', '/admin/work'],
    ['GET', '/admin/personas/ada-l/documents'],
    ['GET', '/admin/personas/ada-l/drafts'],
    ['GET', '/admin/personas/ada-l/triggers'],
    ['POST', '/admin/personas/ada-l/triggers'],
    ['POST', '/admin/personas/ada-l/triggers/x/test'],
    ['GET', '/admin/personas/ada-l/deliveries/x'],
  ]
  for (const [method, path] of paths) {
    test(`${method} ${path} wants the admin key`, async () => {
      assert.equal((await service.call({ method, path })).status, 401)
      assert.equal((await service.call({ method, path, key: 'memoir_wrong' })).status, 403)
      assert.equal((await service.call({ method, path, key: await service.key('*') })).status, 403)
    })
  }
})
