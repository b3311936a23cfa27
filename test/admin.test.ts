// The owner's interface: the shapes other programs rely on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptedModel } from './scripted-model.ts'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
const { admin } = service
const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call({ method, path: `/admin${path}`, key: ADMIN_KEY, body })
  return { status: answer.status, detail: answer.body.detail as string }
}

describe('personas', () => {
  test('are created, listed, changed and deleted', async () => {
    const made = await admin('POST', '/personas', {
      domain_name: 'Ada-L',
      name: 'Ada',
      threshold: 12.5,
      owner: { name: 'A' },
    })
    assert.deepEqual(Object.keys(made), [
      'domain_name',
      'name',
      'picture',
      'threshold',
      'instructions',
      'model',
      'requires_source_name',
      'owner',
      'sharing',
      'created_at',
    ])
    assert.deepEqual(made.owner, { name: 'A', email: '', picture: '' })
    assert.equal((await admin('GET', '/personas')).personas[0].domain_name, 'Ada-L')
    const changed = await admin('PATCH', '/personas/ada-l', {
      name: 'Countess',
      picture: 'https://example.com/x.png',
      owner: { email: 'a@b.c' },
    })
    assert.equal(changed.name, 'Countess')
    assert.equal(changed.threshold, 12.5)
    assert.deepEqual(changed.owner, { name: 'A', email: 'a@b.c', picture: '' })
    assert.deepEqual(await admin('GET', '/personas/ADA-L'), changed)
    assert.equal((await admin('PATCH', '/personas/ada-l', { picture: '' })).picture, null)
    await admin('DELETE', '/personas/ada-l')
    assert.equal((await refused('GET', '/personas/ada-l')).status, 404)
  })

  const wrong: [string, object, RegExp][] = [
    ['no domain name', { name: 'x' }, /^domain_name is missing/],
    ['a domain name with a space', { domain_name: 'a b', name: 'x' }, /^domain_name/],
    ['no name', { domain_name: 'x' }, /^name is missing/],
    ['a threshold above 100', { domain_name: 'x', name: 'x', threshold: 101 }, /^threshold/],
    ['a word as threshold', { domain_name: 'x', name: 'x', threshold: 'high' }, /^threshold/],
    ['a word as owner', { domain_name: 'x', name: 'x', owner: 'me' }, /^owner/],
    ['a word as model', { domain_name: 'x', name: 'x', model: 'llama' }, /^model must be an object/],
    [
      'a model without a name',
      { domain_name: 'x', name: 'x', model: { url: 'http://a/v1' } },
      /^model\.name is missing/,
    ],
    ['a model without an address', { domain_name: 'x', name: 'x', model: { name: 'llama' } }, /^model\.url is missing/],
    [
      'a model at no address',
      { domain_name: 'x', name: 'x', model: { name: 'm', url: 'file:///etc' } },
      /^model\.url must be/,
    ],
    [
      'a vendor without a key',
      { domain_name: 'x', name: 'x', model: { name: 'm', provider: 'openai' } },
      /^model\.key is missing/,
    ],
    [
      'an unknown provider',
      { domain_name: 'x', name: 'x', model: { name: 'm', provider: 'acme' } },
      /^model\.provider must be one of/,
    ],
  ]
  for (const [name, body, detail] of wrong) {
    test(`refuses ${name}`, async () => {
      const answer = await refused('POST', '/personas', body)
      assert.equal(answer.status, 400)
      assert.match(answer.detail, detail)
    })
  }

  test('a model of its own: its key is kept, never shown, and never sent elsewhere', async () => {
    const model = { provider: 'openai', url: 'http://127.0.0.1:1/v1', name: 'small', key: 'sk-secret' }
    const made = await service.persona('own-model', { model })
    assert.deepEqual(made.model, { provider: 'openai', url: model.url, name: 'small', has_key: true, prices: null })
    const change = async (changes: object) => {
      const shown = await admin('PATCH', '/personas/own-model', changes)
      assert.ok(!JSON.stringify(shown).includes('secret'))
      assert.deepEqual(await admin('GET', '/personas/own-model'), shown)
      return (await service.store.personas.byDomainName('own-model'))!.model
    }
    assert.equal((await change({ name: 'Other' }))!.key, 'sk-secret')
    const { key: _, ...withoutKey } = model
    const large = { ...model, name: 'large', prices: null }
    assert.deepEqual(await change({ model: { ...withoutKey, name: 'large' } }), large)
    assert.equal((await change({ model: { ...withoutKey, key: null } }))!.key, null)
    await change({ model })
    assert.equal((await change({ model: { ...withoutKey, url: 'http://127.0.0.2:1/v1' } }))!.key, null)
    assert.equal(await change({ model: null }), null)
    assert.equal((await refused('PATCH', '/personas/own-model', { model: { name: '' } })).status, 400)
  })

  test('a model is tried with one question, kept or not, and nothing is stored', async () => {
    const model = await scriptedModel()
    model.say({ deltas: ['Paris', '.'] })
    await service.persona('tries')
    const answer = await admin('POST', '/personas/tries/model/test', { model: { url: model.url, name: 'small' } })
    assert.deepEqual([answer.model, answer.text], [`small@${new URL(model.url).host}`, 'Paris.'])
    assert.ok(answer.took_ms >= answer.first_token_ms && answer.first_token_ms >= 0)
    assert.match(JSON.stringify(model.seen[0]!.body.messages), /capital of France/)
    assert.equal((await admin('GET', '/personas/tries')).model, null)
    assert.deepEqual((await admin('GET', '/personas/tries/replies')).replies, [])
    assert.deepEqual(await refused('POST', '/personas/tries/model/test', {}), {
      status: 503,
      detail: 'No chat model is set.',
    })
    const gone = { url: 'http://127.0.0.1:9/v1', name: 'gone' }
    const { status, detail } = await refused('POST', '/personas/tries/model/test', { model: gone })
    assert.equal(status, 503)
    assert.match(detail, /gone/)
  })

  test('a taken name is a conflict, whatever its case', async () => {
    await service.persona('taken')
    assert.equal((await refused('POST', '/personas', { domain_name: 'TAKEN', name: 'x' })).status, 409)
  })

  test('deleting one removes everything of it, says what, and leaves the others alone', async () => {
    for (const name of ['gone', 'stays']) {
      await service.persona(name)
      const key = await service.key([name])
      const post = (path: string, body: object) =>
        service.call({ path: `/v1/${path}`, key, body: { DomainName: name, ...body } })
      await post('memory', { Text: 'Basil grows in the kitchen.', SourceName: 'x' })
      await post('upload-text', { Title: 'Herbs', Text: 'Thyme grows outside.' })
      await service.learned()
      await post('message', { Text: 'basil', SessionId: 's' })
    }
    const { deleted } = await admin('DELETE', '/personas/gone')
    assert.deepEqual(deleted, {
      documents: 2,
      memories: 2,
      revisions: 0,
      file_bytes: 0,
      sessions: 1,
      messages: 2,
      drafts: 0,
    })
    const key = await service.key(['stays'])
    const reply = await service.call({ path: '/v1/message', key, body: { DomainName: 'stays', Text: 'basil' } })
    assert.match(reply.body.ai_message, /kitchen/)
    await service.persona('gone')
    assert.deepEqual((await admin('GET', '/personas/gone/memories')).memories, [])
  })
})

describe('keys', () => {
  test('are shown once, listed without themselves', async () => {
    await service.persona('keyed')
    const made = await admin('POST', '/keys', {
      personas: ['keyed'],
      name: 'app',
      scopes: ['message'],
      expires_at: '2099-01-01T00:00:00Z',
    })
    assert.match(made.key, /^memoir_[0-9A-Za-z]{38}$/)
    assert.equal(made.last4, made.key.slice(-4))
    const { keys } = await admin('GET', '/keys')
    const { key: _, ...listed } = made
    assert.deepEqual(
      keys.find((one: { id: string }) => one.id === made.id),
      listed,
    )
    assert.ok(!JSON.stringify(keys).includes(made.key))
    assert.deepEqual(await admin('DELETE', `/keys/${made.id}`), { revoked: made.id })
    assert.equal((await refused('DELETE', `/keys/${made.id}`)).status, 404)
  })

  const wrong: [string, object, number, RegExp][] = [
    ['no personas', {}, 400, /^personas/],
    ['an empty list', { personas: [] }, 400, /^personas/],
    ['an unknown scope', { personas: '*', scopes: ['fly'] }, 400, /^scopes/],
    ['a persona that does not exist', { personas: ['nobody'] }, 404, /nobody/],
    ['a bad expiry', { personas: '*', expires_at: 'soon' }, 400, /^expires_at/],
    ['a default that is not among them', { personas: ['keyed'], default_persona: 'stays' }, 400, /default_persona/],
  ]
  for (const [name, body, status, detail] of wrong) {
    test(`refuses ${name}`, async () => {
      const answer = await refused('POST', '/keys', body)
      assert.equal(answer.status, status)
      assert.match(answer.detail, detail)
    })
  }

  test('deleting a persona takes its keys along', async () => {
    await service.persona('brief')
    const key = await service.key(['brief'])
    await admin('DELETE', '/personas/brief')
    await service.persona('brief')
    assert.equal(
      (await service.call({ path: '/v1/message', key, body: { DomainName: 'brief', Text: 'x' } })).status,
      403,
    )
  })
})

describe('what a persona holds', () => {
  test('comes in pages', async () => {
    await service.persona('pages')
    const key = await service.key(['pages'])
    const post = (path: string, body: object) =>
      service.call({ path: `/v1/${path}`, key, body: { DomainName: 'pages', ...body } })
    for (let i = 0; i < 5; i++) {
      await post('upload-text', { Title: `Note ${i}`, Text: `Number ${i}.` })
      await post('message', { Text: 'hello', SessionId: `s${i}` })
    }
    await service.learned()
    for (const noun of ['documents', 'memories', 'sessions']) {
      const ids: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const page: Record<string, { id: string }[]> & { next: string | null } = await admin(
          'GET',
          `/personas/pages/${noun}?limit=2${next && `&before=${next}`}`,
        )
        ids.push(...page[noun]!.map((one) => one.id))
        next = page.next
      }
      assert.equal(new Set(ids).size, 5, noun)
    }
    const { messages } = await admin('GET', '/personas/pages/sessions/s1')
    assert.deepEqual(
      messages.map((one: { role: string }) => one.role),
      ['user', 'ai'],
    )
    assert.equal((await refused('GET', '/personas/pages/sessions/nobody')).status, 404)
    assert.equal((await refused('GET', '/personas/pages/documents?limit=201')).status, 400)
  })

  test('a document is shown with its text and deleted with a receipt; so is a memory', async () => {
    await service.persona('holder')
    const key = await service.key(['holder'])
    const post = (path: string, body: object) =>
      service.call({ path: `/v1/${path}`, key, body: { DomainName: 'holder', ...body } })
    await post('upload-text', { Title: 'Stones', Text: 'Granite is hard.' })
    await post('memory', { Text: 'Slate is flat.', SourceName: 'x' })
    await service.learned()
    const [document] = (await admin('GET', '/personas/holder/documents')).documents
    assert.equal(document.state, 'ready')
    assert.equal(document.progress, 100)
    assert.equal((await admin('GET', `/personas/holder/documents/${document.id}`)).text, 'Granite is hard.')
    assert.equal((await admin('DELETE', `/personas/holder/documents/${document.id}`)).deleted.memories, 1)
    assert.equal((await refused('DELETE', `/personas/holder/documents/${document.id}`)).status, 404)
    const [memory] = (await admin('GET', '/personas/holder/memories')).memories
    assert.equal(memory.text, 'Slate is flat.')
    assert.deepEqual((await admin('DELETE', `/personas/holder/memories/${memory.id}`)).deleted.documents, 1)
    const reply = await post('message', { Text: 'slate granite' })
    assert.match(reply.body.ai_message, /don't know that/)
  })

  test("one persona's ids mean nothing under another", async () => {
    await service.persona('one')
    await service.persona('two')
    const key = await service.key(['one'])
    await service.call({ path: '/v1/upload-text', key, body: { DomainName: 'one', Text: 'Mine.' } })
    await service.learned()
    const [document] = (await admin('GET', '/personas/one/documents')).documents
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/retry'],
      ['POST', '/publish'],
      ['GET', '/revisions'],
    ] as const) {
      assert.equal((await refused(method, `/personas/two/documents/${document.id}${path}`)).status, 404)
    }
  })
})
