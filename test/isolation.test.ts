// The isolation walk: every route that the server has, of every door, by everybody who may not. Nothing of the persona
// is readable in any answer, and nothing of it is changed.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { consoleOperations } from '../src/contract/console-api.ts'
import { mcpDoor } from '../src/contract/doors.ts'
import { type Operation, withStreamed } from '../src/contract/operation.ts'
import { publicOperations } from '../src/contract/public-api.ts'
import { scopes } from '../src/domain/access.ts'
import { documentTools } from '../src/mcp/document-tools.ts'
import { talkTools } from '../src/mcp/talk-tools.ts'
import * as lines from './isolation/lines.ts'
import { rowsOf } from './isolation/rows.ts'
import { makeThings, OTHER, OWNED, SECRET, SHARED } from './isolation/secrets.ts'
import { ADMIN_KEY, type Answer, startService } from './started.ts'

// Fastify tells of each route it is given: a route that is in no table of ours is seen as well.
const served = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    for (const one of [method].flat()) if (one !== 'HEAD') served.add(`${one} ${path}`)
  })
})

// Behind a proxy, so that every request comes from an address of its own: wrong keys are throttled by address.
const service = await startService({
  MEMOIR_READER: '0',
  MEMOIR_BEHIND_PROXY: '1',
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
  MEMOIR_INVITES: '1',
  MEMOIR_VISITOR_RATE_LIMIT: '0',
})
const things = await makeThings(service)
const [publicLines, adminLines] = [lines.publicLines(things), lines.adminLines(things)]
const talkLines = lines.talkLines(things)

type Request = lines.Line & { method: string; path: string; key?: string | null }
let asked = 0

async function send(request: Request): Promise<Answer & { text: string }> {
  const { method, path, id = '', query, key, body, form } = request
  const url = path.replaceAll('{id}', encodeURIComponent(id)).replaceAll(/\{(domain_name|model)\}/g, OWNED)
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const headers = { 'x-forwarded-for': `10.0.${asked >> 8}.${asked++ & 255}`, ...request.headers }
  const given = form ? formOf(body as object) : body
  const answer = await service.call({ method, path: url + search, headers, body: given, key: key ?? null })
  return { ...answer, text: JSON.stringify([answer.body, [...answer.headers]]) }
}

const requestOf = (name: string, line: lines.Line): Request => {
  const [method, path] = name.split(' ') as [string, string]
  return { ...line, method, path }
}

// The same request about the other persona, still with the ids of the first.
const aboutOther = (request: Request): Request => {
  if (request.body instanceof Uint8Array) return request
  const other = JSON.parse(JSON.stringify(request).replaceAll(OWNED, OTHER)) as Request
  return { ...other, path: other.path.replaceAll(/\{(domain_name|model)\}/g, OTHER) }
}

const tellsNothing = ({ text }: { text: string }, who: string) =>
  assert.ok(!text.includes(SECRET), `${who} read of the persona: ${text.slice(0, 500)}`)

const signedIn = await fetch(`${service.url}/console/session`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: service.url },
  body: JSON.stringify({ key: ADMIN_KEY }),
})
const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1)[0]!
const { tab } = (await signedIn.json()) as { tab: string }

const grace = await service.key([OTHER])
const revoked = await service.admin('POST', '/keys', { personas: [OWNED] })
await service.admin('DELETE', `/keys/${revoked.id}`)
const strangers: Record<string, Partial<Request>> = {
  'nobody, without a key,': {},
  'a wrong key': { key: 'memoir_wrong' },
  'a revoked key': { key: revoked.key },
  'an expired key': { key: await service.key([OWNED], { expires_at: '2020-01-01T00:00:00Z' }) },
  'the cookie of the console alone': { headers: { cookie } },
  'the tab of the console alone': { headers: { 'x-memoir-tab': tab } },
  'a tab of another cookie': { headers: { 'x-memoir-tab': tab, cookie: cookie.replace(/=.*/, '=guessed') } },
}
const before = await rowsOf(service, OWNED)
const by = (request: Request, who: Partial<Request>): Request => ({
  ...request,
  ...who,
  headers: { ...request.headers, ...who.headers },
})

const publicRoutes = Object.values(publicOperations as Record<string, Operation>)
  .flatMap(withStreamed)
  .flatMap((operation) => [operation.path, ...(operation.aliases ?? [])].map((path) => ({ operation, path })))

test('every route has its line, and every line its route', () => {
  const known = [
    ...publicRoutes.map(({ operation, path }) => `${operation.method} ${path}`),
    ...consoleOperations.map(({ method, path }) => `${method} ${path}`),
    `${mcpDoor.method} ${mcpDoor.path}`,
    ...Object.keys({ ...adminLines, ...lines.openAiLines, ...talkLines, ...lines.openPaths }),
  ]
  const named = Object.keys(publicLines)
  const rows = publicRoutes.filter(({ operation, path }) => operation.path === path)
  assert.deepEqual(named.sort(), rows.map(({ operation, path }) => `${operation.method} ${path}`).sort())
  assert.deepEqual([...served].sort(), known.sort())
  const tools = [...talkTools, ...documentTools].map(({ name }) => name)
  assert.deepEqual(Object.keys(lines.mcpTools(things)).sort(), tools.sort())
})

describe('the public interface', () => {
  for (const { operation, path } of publicRoutes) {
    const request = {
      ...requestOf(`${operation.method} ${operation.path}`, {}),
      ...publicLines[`${operation.method} ${operation.path}`],
      path,
    }
    const refuses = async (who: string, as: Partial<Request>) => {
      const answer = await send(by(request, as))
      const { status, sentence } = operation.unauthorized!
      const isConsole = as.headers !== undefined
      if (isConsole) assert.ok([401, 403, status].includes(answer.status), `${who}: ${answer.status}`)
      else assert.deepEqual([answer.status, answer.body], [status, { detail: sentence }], who)
      tellsNothing(answer, who)
    }
    test(`${operation.method} ${path}`, async () => {
      for (const [who, as] of Object.entries(strangers)) await refuses(who, as)
      await refuses('the admin key', { key: ADMIN_KEY })
      if (operation.scope) {
        await refuses('another persona’s key', { key: grace })
        const others = scopes.filter((scope) => scope !== operation.scope)
        await refuses(`a key without ${operation.scope}`, { key: await service.key([OWNED], { scopes: others }) })
      }
      tellsNothing(await send({ ...aboutOther(request), key: grace }), 'another persona’s key, with ids of this one,')
    })
  }
})

describe('the owner’s interface', () => {
  for (const [name, line] of Object.entries(adminLines)) {
    test(name, async () => {
      const request = requestOf(name, line)
      const callers = { ...strangers, 'a key for everything': { key: await service.key('*') } }
      for (const [who, as] of Object.entries(callers)) {
        const answer = await send(by(request, as))
        assert.ok([401, 403].includes(answer.status), `${who}: ${answer.status}`)
        tellsNothing(answer, who)
      }
      if (line.id === undefined || !name.includes('{domain_name}')) return
      const answer = await send({ ...aboutOther(request), key: ADMIN_KEY })
      assert.equal(answer.status, 404, 'the owner, with an id of another persona')
      tellsNothing(answer, 'the owner, asking about another persona,')
    })
  }
})

describe('/openai', () => {
  for (const [name, line] of Object.entries(lines.openAiLines)) {
    test(name, async () => {
      const request = requestOf(name, line)
      for (const [who, as] of Object.entries({ ...strangers, 'the admin key': { key: ADMIN_KEY } })) {
        const answer = await send(by(request, as))
        assert.equal(answer.status, 401, who)
        tellsNothing(answer, who)
      }
      tellsNothing(await send({ ...request, key: grace }), 'another persona’s key')
      if (line.body === undefined) return
      assert.equal((await send({ ...request, key: grace })).status, 403)
      const others = scopes.filter((scope) => scope !== 'message')
      assert.equal((await send({ ...request, key: await service.key([OWNED], { scopes: others }) })).status, 403)
    })
  }
})

const agent = { accept: 'application/json, text/event-stream' }
const rpc = async (method: string, params: object, as: Partial<Request>) => {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const answer = await send(by({ method: 'POST', path: '/mcp', headers: agent, body }, as))
  const [, event] = /^data: (.*)$/m.exec(String(answer.body)) ?? []
  return event ? { ...answer, body: JSON.parse(event) } : answer
}
const mcpTools = Object.fromEntries([...talkTools, ...documentTools].map((tool) => [tool.name, tool]))
const mcpRequests = [
  ...Object.entries(lines.mcpRequests(things)).map(([method, params]) => ({ method, params, scope: undefined })),
  ...Object.entries(lines.mcpTools(things)).map(([name, args]) => ({
    method: 'tools/call',
    params: { name, arguments: args },
    scope: mcpTools[name]?.scope,
  })),
]

describe('/mcp', () => {
  for (const { method, params, scope } of mcpRequests) {
    test(`${method} ${'name' in params ? params.name : ''}`, async () => {
      for (const [who, as] of Object.entries({ ...strangers, 'the admin key': { key: ADMIN_KEY } })) {
        const answer = await rpc(method, params, as)
        assert.equal(answer.status, 401, who)
        tellsNothing(answer, who)
      }
      tellsNothing(await rpc(method, params, { key: grace }), 'another persona’s key')
      const other = JSON.parse(JSON.stringify(params).replaceAll(OWNED, OTHER))
      tellsNothing(await rpc(method, other, { key: grace }), 'another persona’s key, with ids of this one,')
      if (!scope) return
      const without = await service.key([OWNED], { scopes: scopes.filter((one) => one !== scope) })
      const answer = await rpc(method, params, { key: without })
      assert.ok(answer.body.result.isError, `a key without ${scope}`)
      tellsNothing(answer, `a key without ${scope}`)
    })
  }
})

describe('visitors', () => {
  for (const [name, line] of Object.entries(talkLines)) {
    test(name, async () => {
      const request = requestOf(name, line)
      const closed = await send(request)
      assert.equal(closed.status, 404, 'a persona that is not shared')
      tellsNothing(closed, 'a visitor')
      const shared = { ...request, path: request.path.replace('{domain_name}', SHARED) }
      assert.equal((await send({ ...shared, headers: {} })).status, 400, 'a visitor without a secret')
      const other = await send({ ...shared, headers: { 'x-memoir-visitor': randomBytes(32).toString('base64url') } })
      tellsNothing(other, 'another visitor')
      if (name.endsWith('/verdict')) assert.equal(other.status, 404)
    })
  }
  test('their replies carry no verdict but their own', async () => {
    const { replies } = await service.admin('GET', `/personas/${SHARED}/replies?visitor_label=right`)
    assert.deepEqual(replies, [])
  })
})

test('pages and figures hold nothing of it', async () => {
  for (const [name, path] of Object.entries({ ...lines.openPaths, shared: lines.sharedPage }))
    for (const as of Object.values(strangers)) {
      const answer = await send(by({ method: 'GET', path }, as))
      tellsNothing(answer, name)
      if (path === '/metrics') assert.equal(answer.status, 401)
    }
})

test('the console is opened by the admin key alone, and closed by nobody else', async () => {
  const [signIn, signOut] = consoleOperations.map(({ method, path }) => ({ method, path }))
  const origin = { origin: service.url }
  for (const key of ['', 'memoir_wrong', grace, revoked.key])
    assert.ok([400, 403].includes((await send({ ...signIn!, headers: origin, body: { key } })).status))
  for (const as of Object.values(strangers)) await send(by({ ...signOut!, headers: origin }, as))
  const headers = { cookie, 'x-memoir-tab': tab }
  assert.equal((await send({ method: 'GET', path: '/admin/personas', headers })).status, 200)
})

test('nothing of the persona was changed', async () => {
  await service.learned()
  assert.deepEqual(await rowsOf(service, OWNED), before)
})

test('sent by whoever may, each of these requests does what it says', async () => {
  const key = await service.key([OWNED])
  for (const [name, line] of Object.entries({ ...publicLines, ...lines.openAiLines }))
    assert.equal((await send({ ...requestOf(name, line), key })).status, line.status ?? 200, name)
  for (const [name, line] of Object.entries(talkLines)) {
    const request = requestOf(name, line)
    const path = request.path.replace('{domain_name}', SHARED)
    assert.equal((await send({ ...request, path })).status, 200, name)
  }
  for (const { method, params } of mcpRequests) {
    const { result } = (await rpc(method, params, { key })).body
    assert.ok(result && !result.isError, `${method}: ${JSON.stringify({ params, result })}`)
  }
  await service.learned()
  for (const [name, line] of Object.entries(adminLines)) {
    if (line.endless) continue
    const { status, text } = await send({ ...requestOf(name, line), key: ADMIN_KEY })
    assert.equal(status, line.status ?? 200, `${name}: ${text.slice(0, 300)}`)
  }
})

function formOf(fields: object): FormData {
  const form = new FormData()
  form.set('file', new Blob(['Tulips.']), 'tulips.txt')
  form.set('message_request', JSON.stringify(fields))
  return form
}
