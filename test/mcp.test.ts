// Agents: the protocol's own client over both transports and in both of its versions, and requests no client sends.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request as rawRequest } from 'node:http'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { scopes } from '../src/domain/access.ts'
import { ADMIN_KEY, startService, storedIn, temporaryFolder } from './started.ts'

const service = await startService({ MEMOIR_READER: '0' })
await service.persona('ada-l')
await service.persona('grace-h', { name: 'Grace' })
const adaKey = await service.key(['ada-l'])

const folder = await storedIn(temporaryFolder())
const memoir = (args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], { env: { ...process.env, ...env } })
await memoir(['persona', 'create', 'ada-l', '--name', 'Ada'], folder)

const MODES = { 'of 2025': 'legacy', 'of 2026': { pin: '2026-07-28' } } as const
type Mode = (typeof MODES)[keyof typeof MODES]

async function connected(mode: Mode, transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  after(() => client.close())
  return client
}
const overHttp = (mode: Mode, headers: Record<string, string>) =>
  connected(mode, new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit: { headers } }))
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const overStdio = (mode: Mode, env: Record<string, string>) =>
  connected(
    mode,
    new StdioClientTransport({
      command: process.execPath,
      args: ['src/cli/main.ts', 'mcp'],
      env: { ...(process.env as Record<string, string>), MEMOIR_READER: '0', ...env },
    }),
  )

const ways: Record<string, (mode: Mode) => Promise<Client>> = {
  'HTTP with a bearer token': (mode) => overHttp(mode, bearer(adaKey)),
  'HTTP with x-api-key': (mode) => overHttp(mode, { 'x-api-key': adaKey }),
  'stdio on the data folder': (mode) => overStdio(mode, folder),
  'stdio on a service': (mode) => overStdio(mode, { MEMOIR_URL: service.url, MEMOIR_KEY: adaKey }),
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Result = { text: string; content: any; isError: boolean }
async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Result> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
  return { text: (content as { text: string }[])[0]!.text, content: structuredContent, isError: isError === true }
}

for (const [way, connect] of Object.entries(ways)) {
  for (const [version, mode] of Object.entries(MODES)) {
    test(`an agent ${version} remembers, asks, learns, lists and reads over ${way}`, async () => {
      const client = await connect(mode)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          ...['list_personas', 'ask', 'recall', 'read_history'],
          ...['remember', 'learn_text', 'learn_url', 'list_documents', 'read_document'],
        ],
      )
      assert.match(client.getInstructions()!, /confidence/)

      const kept = await call(client, 'remember', { text: 'The cat Turing sleeps on the radiator.', tags: 'cats, ' })
      assert.equal(kept.content.remembered, 'The cat Turing sleeps on the radiator.')
      const known = async () => (await call(client, 'recall', { question: 'Turing' })).content.memories.length > 0
      while (!(await known())); // the first memory of a process waits for its models to be loaded
      const reply = await call(client, 'ask', { question: 'Where does the cat Turing sleep?', persona: null })
      assert.match(reply.content.reply, /radiator/)
      assert.ok(reply.content.confidence > 0 && reply.content.confidence <= 100)
      assert.match(reply.content.sources[0].text, /radiator/)
      assert.match(reply.text, /radiator[\s\S]*% sure[\s\S]*Sources:/)

      const { session } = reply.content
      await call(client, 'ask', { question: 'Who is that?', session })
      const said = await call(client, 'read_history', { session, persona: 'ada-l' })
      assert.deepEqual(
        said.content.entries.map(({ role }: { role: string }) => role),
        ['user', 'ai', 'user', 'ai'],
      )
      assert.equal((await call(client, 'read_history', { session, last: 1 })).content.entries.length, 1)

      const found = await call(client, 'recall', { question: 'Where does Turing sleep?', size: 3 })
      assert.match(found.content.memories[0].text, /radiator/)

      await call(client, 'learn_text', { title: 'Dogs', text: 'The dog Babbage sleeps in the hall.' })
      const listed = await call(client, 'list_documents', { limit: 1 })
      assert.equal(listed.content.documents[0].title, 'Dogs')
      const { id } = listed.content.documents[0]
      assert.match((await call(client, 'read_document', { id })).content.text, /Babbage/)

      const { resources } = await client.listResources()
      assert.equal(resources[0]!.uri, `memoir://ada-l/documents/${id}`)
      const { contents } = await client.readResource({ uri: resources[0]!.uri })
      assert.match((contents[0] as { text: string }).text, /Babbage/)

      const { prompts } = await client.listPrompts()
      assert.deepEqual(
        prompts.map(({ name, title }) => [name, title]),
        [['ada-l', 'Ask Ada']],
      )
      const prompt = await client.getPrompt({ name: 'ada-l', arguments: { question: 'Where is the cat?' } })
      assert.match((prompt.messages[0]!.content as { text: string }).text, /Where is the cat\?/)
    })
  }
}

test('memoir mcp ends with its input', async () => {
  const running = memoir(['mcp'], { MEMOIR_URL: service.url, MEMOIR_KEY: adaKey })
  running.child.stdin!.end()
  assert.equal((await running).stdout, '')
})

describe('what a key may not do', () => {
  const needs: Record<string, [scope: string, given: Record<string, unknown>]> = {
    ask: ['message', { question: 'x' }],
    recall: ['read', { question: 'x' }],
    read_history: ['read', { session: 's' }],
    remember: ['memory', { text: 'x' }],
    learn_text: ['upload', { text: 'x' }],
    learn_url: ['upload', { url: 'http://127.0.0.1/' }],
    list_documents: ['read', {}],
    read_document: ['read', { id: 'x' }],
  }

  for (const [name, [scope, given]] of Object.entries(needs)) {
    test(`${name} is not listed to a key without ${scope}, and refused to it and to another persona's alike`, async () => {
      const without = await service.key(['ada-l'], { scopes: scopes.filter((other) => other !== scope) })
      const client = await overHttp(MODES['of 2026'], bearer(without))
      assert.ok(!(await client.listTools()).tools.some((tool) => tool.name === name))
      const refused = await call(client, name, { ...given, persona: 'ada-l' })
      assert.ok(refused.isError)
      assert.match(refused.text, new RegExp(`unauthorized\\. The key lacks the scope ${scope}, or the persona`))

      const other = await overHttp(MODES['of 2025'], bearer(await service.key(['grace-h'])))
      assert.deepEqual(await call(other, name, { ...given, persona: 'ada-l' }), refused)
      assert.deepEqual(await call(other, name, { ...given, persona: 'nobody' }), refused)
    })
  }

  test("another persona's key sees none of its documents, prompts or names", async () => {
    const client = await overHttp(MODES['of 2026'], bearer(await service.key(['grace-h'])))
    assert.deepEqual((await call(client, 'list_personas')).content.personas, [
      { persona: 'grace-h', name: 'Grace', is_default: false },
    ])
    assert.deepEqual(
      (await client.listPrompts()).prompts.map(({ name }) => name),
      ['grace-h'],
    )
    assert.deepEqual((await client.listResources()).resources, [])
    const { documents } = await service.admin('GET', '/personas/ada-l/documents')
    const own = `memoir://ada-l/documents/${documents[0].id}`
    await assert.rejects(client.readResource({ uri: own }), /AI document api unauthorized\./)
    const stolen = `memoir://grace-h/documents/${documents[0].id}`
    await assert.rejects(client.readResource({ uri: stolen }), /no document with that DocumentId/)
    await assert.rejects(client.getPrompt({ name: 'ada-l', arguments: { question: 'x' } }), /no such prompt/)
  })

  test("what was said under another key's session is not read, and not gone on from", async () => {
    const own = await overHttp(MODES['of 2026'], bearer(await service.key(['ada-l'])))
    await call(own, 'ask', { question: 'Where does the cat Turing sleep?', session: 'ours' })
    const few = ['message', 'read']
    const other = await overHttp(MODES['of 2026'], bearer(await service.key(['ada-l'], { scopes: few })))
    assert.match((await call(other, 'read_history', { session: 'ours' })).text, /no conversation with that SessionId/)
    assert.match((await call(other, 'recall', { question: 'And he?', session: 'ours' })).text, /no session/)
  })

  test('a key that may not read has no resources, one that may not talk no prompts', async () => {
    const silent = await overHttp(MODES['of 2026'], bearer(await service.key(['ada-l'], { scopes: ['memory'] })))
    assert.deepEqual((await silent.listResources()).resources, [])
    assert.deepEqual((await silent.listPrompts()).prompts, [])
  })

  test('no key, a wrong one and the admin key do not get in', async () => {
    for (const headers of [{}, bearer('memoir_wrong'), bearer(ADMIN_KEY), { 'x-api-key': ADMIN_KEY }]) {
      const answer = await post({ body: PING, headers })
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.match(answer.body.error.message, /^Send a persona's key/)
      await assert.rejects(overHttp(MODES['of 2025'], headers as Record<string, string>))
    }
  })
})

test('a withheld reply is told as such, and a persona that must be named is asked for', async () => {
  await service.persona('careful', { threshold: 100 })
  const client = await overHttp(MODES['of 2026'], bearer(await service.key(['careful', 'grace-h'])))
  const withheld = await call(client, 'ask', { question: 'Who won the regatta of 1990?', persona: 'careful' })
  assert.ok(withheld.isError)
  assert.match(withheld.text, /not sure enough to reply/)
  const unnamed = await call(client, 'ask', { question: 'Hello' })
  assert.equal(unnamed.text, 'persona is missing; list_personas tells which there are.')
  const both = { personas: ['careful', 'grace-h'], default_persona: 'grace-h' }
  const { key } = await service.admin('POST', '/keys', both)
  const withDefault = await overHttp(MODES['of 2026'], bearer(key))
  assert.equal((await call(withDefault, 'ask', { question: 'Hello' })).content.persona, 'Grace')
})

test('resources of many documents and personas come in pages, each once', async () => {
  await service.persona('aaa-first')
  await service.persona('zzz-last')
  const key = await service.key(['aaa-first', 'zzz-last', 'grace-h'])
  const client = await overHttp(MODES['of 2026'], bearer(key))
  const texts = Array.from({ length: 101 }, (_, number) => `Number ${number}.`)
  const learn = (Text: string) =>
    service.call({ path: '/v1/upload-text', key, body: { DomainName: 'aaa-first', Text } })
  await Promise.all(texts.map(learn))
  await call(client, 'learn_text', { persona: 'zzz-last', text: 'The last one.' })
  const uris: string[] = []
  let cursor: string | undefined
  do {
    const page = await post({ key, body: { ...RPC, method: 'resources/list', params: { cursor } } })
    uris.push(...page.body.result.resources.map(({ uri }: { uri: string }) => uri))
    cursor = page.body.result.nextCursor
  } while (cursor !== undefined)
  assert.equal(new Set(uris).size, 102)
  assert.equal(uris.length, 102)
})

const RPC = { jsonrpc: '2.0', id: 1 }
const PING = { ...RPC, method: 'ping' }

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Posted = { status: number; body: any; headers: Headers }
async function post(given: { body?: unknown; key?: string; headers?: Record<string, string> }): Promise<Posted> {
  const answer = await service.call({
    path: '/mcp',
    body: given.body,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(given.key && bearer(given.key)),
      ...given.headers,
    },
  })
  const event = typeof answer.body === 'string' ? /^data: (\{.*)$/m.exec(answer.body)?.[1] : undefined
  return { ...answer, body: event ? JSON.parse(event) : answer.body }
}

describe('requests no client sends', () => {
  const call = (params: object) => ({ ...RPC, method: 'tools/call', params })
  const rows: [name: string, body: unknown, status: number, says: RegExp][] = [
    ['no JSON', '{ this is none', 400, /JSON/],
    ['no object', '"ping"', 400, /./],
    ['an empty body', '', 400, /./],
    ['no JSON-RPC', { method: 'ping' }, 400, /./],
    ['a batch', [PING, PING], 400, /Batches are not taken/],
    ['an unknown method', { ...RPC, method: 'tools/steal' }, 200, /not found/i],
    ['an unknown tool', call({ name: 'constructor' }), 200, /no such tool/],
    ['arguments that are no object', call({ name: 'ask', arguments: 'x' }), 200, /./],
    ['a question that is missing', call({ name: 'ask', arguments: {} }), 200, /question is missing\./],
    ['a question that is blank', call({ name: 'ask', arguments: { question: ' ' } }), 200, /question is empty\./],
    ['a question that is no text', call({ name: 'ask', arguments: { question: {} } }), 200, /must be a string/],
    ['a persona that is a path', call({ name: 'ask', arguments: { question: 'x', persona: '../x' } }), 200, /may hold/],
    ['more than may be recalled', call({ name: 'recall', arguments: { question: 'x', size: 1e9 } }), 200, /1 to 100/],
    ['a private address', call({ name: 'learn_url', arguments: { url: 'http://127.0.0.1/' } }), 200, /private|address/],
    ['a resource elsewhere', { ...RPC, method: 'resources/read', params: { uri: 'file:///etc/passwd' } }, 200, /named/],
    [
      'a resource out of its persona',
      { ...RPC, method: 'resources/read', params: { uri: 'memoir://ada-l/documents/%2e%2e%2f%ff' } },
      200,
      /named|no document/,
    ],
    ['a cursor of their own', { ...RPC, method: 'resources/list', params: { cursor: 'ada-l/%00' } }, 200, /./],
    ['a subscription', { ...RPC, method: 'subscriptions/listen', params: { notifications: {} } }, 200, /not found/i],
  ]
  for (const [name, body, status, says] of rows)
    test(name, async () => {
      const answer = await post({ key: adaKey, body })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(JSON.stringify(answer.body), says)
    })

  test('a body that is too large, too deep or of another type', async () => {
    const large = { ...RPC, method: 'ping', params: { a: 'x'.repeat(9 * 2 ** 20) } }
    assert.equal((await post({ key: adaKey, body: large })).status, 413)
    assert.equal((await post({ key: adaKey, body: '['.repeat(100_000) })).status, 400)
    const typed = await post({ key: adaKey, body: JSON.stringify(PING), headers: { 'content-type': 'text/plain' } })
    assert.equal(typed.status, 415)
    assert.equal(typed.body.jsonrpc, '2.0')
  })

  test('other methods, as there are no sessions', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await service.call({ method, path: '/mcp', headers: bearer(adaKey) })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'POST')
    }
  })
})

describe('the site a request comes from', () => {
  // fetch does not let a program set these.
  const send = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const url = new URL('/mcp', service.url)
      const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
      const sent = rawRequest(url, { method: 'POST', headers: { ...all, ...bearer(adaKey) } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!))
      })
      sent.on('error', reject).end(JSON.stringify(PING))
    })
  const rows: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ host: 'localhost:8787' }, 200],
    [{ host: '127.0.0.1' }, 200],
    [{ host: '[::1]:8787' }, 200],
    [{ host: 'rebound.example:8787' }, 403],
    [{ host: 'localhost.rebound.example' }, 403],
    [{ host: 'rebound.example', origin: 'http://rebound.example' }, 403],
    [{ origin: 'http://localhost:3000' }, 200],
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1.elsewhere.example' }, 403],
  ]
  for (const [headers, status] of rows)
    test(`${JSON.stringify(headers)}: ${status}`, async () => assert.equal(await send(headers), status))
})

test('an origin that the settings name may call, with what a browser asks first', async () => {
  const named = await startService({ MEMOIR_CORS_ORIGINS: 'https://app.example', MEMOIR_READER: '0' })
  await named.persona('ada-l')
  const headers = { origin: 'https://app.example', accept: 'application/json, text/event-stream' }
  const asked = await named.call({ method: 'OPTIONS', path: '/mcp', headers })
  assert.equal(asked.headers.get('access-control-allow-origin'), 'https://app.example')
  assert.match(asked.headers.get('access-control-allow-headers')!, /authorization.*mcp-protocol-version/)
  const key = await named.key(['ada-l'])
  const answer = await named.call({ path: '/mcp', body: PING, headers: { ...headers, ...bearer(key) } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
})

test('requests are counted as those of /v1 are', async () => {
  const strict = await startService({ MEMOIR_RATE_LIMIT: '2', MEMOIR_READER: '0' })
  await strict.persona('ada-l')
  const key = await strict.key(['ada-l'])
  const headers = { accept: 'application/json, text/event-stream', ...bearer(key) }
  const answers = []
  for (let count = 0; count < 3; count++) answers.push(await strict.call({ path: '/mcp', body: PING, headers }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  )
  assert.ok(Number(answers[2]!.headers.get('retry-after')) > 0)
  assert.match(answers[2]!.body.error.message, /2 requests a minute/)
})
