// A shared persona at the door: who gets in without a key, what they can do there, and everything they cannot.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { startService } from './started.ts'

const service = await startService({ MEMOIR_VISITOR_RATE_LIMIT: '0' })
const { admin } = service
await service.persona('ada-l', { sharing: { on: true, show_sources: true } })
await service.persona('closed')
const key = await service.key(['ada-l', 'closed'])
for (const DomainName of ['ada-l', 'closed']) {
  const body = { DomainName, Title: 'About my cat', Text: 'My cat is called Turing. He is nine years old.' }
  await service.call({ path: '/v1/upload-text', key, body })
}
await service.learned()

const secret = () => randomBytes(32).toString('base64url')
const get = (path: string, headers: Record<string, string> = {}) => service.call({ method: 'GET', path, headers })

type Last = { ai_message: string; reply_id: string | null; withheld: boolean; sources: string[] }

async function say(visitor: string, text: string, domainName = 'ada-l') {
  const answer = await service.call({
    path: `/talk/${domainName}/message`,
    headers: { 'x-memoir-visitor': visitor },
    body: { text },
  })
  if (answer.status !== 200) return { ...answer, text: '', last: undefined }
  const events = (answer.body as string).trim().split('\n\n')
  assert.equal(events.pop(), 'data: [DONE]')
  const parts = events.map((event) => JSON.parse(event.slice('data: '.length)) as Last)
  return { ...answer, text: parts.map((part) => part.ai_message).join(''), last: parts.at(-1)! }
}

const lookBack = async (visitor: string) =>
  (await get('/talk/ada-l/messages', { 'x-memoir-visitor': visitor })).body.messages

const judge = (visitor: string, reply_id: unknown, right: unknown) =>
  service.call({
    path: '/talk/ada-l/verdict',
    headers: { 'x-memoir-visitor': visitor },
    body: { reply_id, right },
  })

describe('the page', () => {
  test('is there for whoever has its address, under a strict policy, and holds no key', async () => {
    const page = await get('/talk/ada-l')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /text\/html/)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(page.headers.get('x-robots-tag'), 'noindex')
    assert.doesNotMatch(page.body, /memoir_[0-9A-Za-z]{32}|\/admin|\/console/)
    for (const [, address] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const file = await get(address!, { 'accept-encoding': 'gzip' })
      assert.equal(file.status, 200, address)
      assert.match(file.headers.get('cache-control')!, /immutable/)
    }
    assert.equal((await get('/TALK/ada-l')).status, 404)
    assert.equal((await get('/talk/ADA-L/')).status, 200, 'names are compared without case')
  })

  test('of a persona that is off is that of one who does not exist', async () => {
    const pages = await Promise.all(
      ['closed', 'nobody', 'no%00body', `${'x'.repeat(200)}`, "%3Cscript%3E'"].map((name) => get(`/talk/${name}`)),
    )
    for (const page of pages) {
      assert.equal(page.status, 404)
      assert.equal(page.body, pages[0]!.body)
      assert.deepEqual(headersOf(page.headers), headersOf(pages[0]!.headers))
    }
    assert.match(pages[0]!.body, /nobody to talk to/)
    const visitor = secret()
    for (const name of ['closed', 'nobody']) {
      const answers = [
        await say(visitor, 'Hello?', name),
        await get(`/talk/${name}/messages`, { 'x-memoir-visitor': visitor }),
        await service.call({ path: `/talk/${name}/verdict`, body: {}, headers: { 'x-memoir-visitor': visitor } }),
      ]
      for (const { status, body } of answers)
        assert.deepEqual([status, body], [404, { detail: 'There is nobody to talk to at this address.' }])
    }
  })

  test('comes and goes with the setting', async () => {
    await admin('PATCH', '/personas/closed', { sharing: { on: true } })
    assert.equal((await get('/talk/closed')).status, 200)
    await admin('PATCH', '/personas/closed', { sharing: { on: false } })
    assert.equal((await get('/talk/closed')).status, 404)
  })

  test('names and pictures in it stay text', async () => {
    const name = `"><img src=x onerror=alert(1)> O'Hara & </title><script>alert(2)</script>`
    const picture = `data:image/png;base64,"><script>alert(3)</script>`
    await service.persona('hostile', { name, picture, sharing: { on: true } })
    const { body } = await get('/talk/hostile')
    assert.doesNotMatch(body, /<script>alert|<img src=x|<\/title><script/)
    assert.equal(body.match(/<script/g)!.length, 2) // the two of the page
  })

  test('takes what it takes and nothing else', async () => {
    for (const path of ['/talk/ada-l', '/embed.js']) {
      const { status, headers } = await service.call({ path, body: {} })
      assert.deepEqual([status, headers.get('allow')], [405, 'GET'])
    }
    assert.equal((await get('/talk/ada-l/message')).status, 405)
    assert.equal((await get('/talk/assets/none.js')).status, 404)
    assert.equal((await get('/talk/assets/..%2ftalk.ts')).status, 404)
    assert.equal((await get('/talk/ada-l/instruction')).status, 404)
  })
})

describe('a visitor', () => {
  test('talks, is told what it rests on, and finds the conversation again', async () => {
    const visitor = secret()
    const { text, last } = await say(visitor, 'What is the cat called?')
    assert.match(text, /Turing/)
    assert.deepEqual([last!.withheld, last!.sources], [false, ['About my cat']])
    assert.deepEqual(await lookBack(visitor), [
      { role: 'user', text: 'What is the cat called?', reply_id: null, withheld: false, sources: [], right: null },
      { role: 'ai', text, reply_id: last!.reply_id, withheld: false, sources: ['About my cat'], right: null },
    ])
    const followUp = await say(visitor, 'And how old is he?')
    assert.match(followUp.text, /nine/)
  })

  test('sees no titles where the owner does not show them', async () => {
    await admin('PATCH', '/personas/ada-l', { sharing: { show_sources: false } })
    const visitor = secret()
    assert.deepEqual((await say(visitor, 'What is the cat called?')).last!.sources, [])
    assert.deepEqual((await lookBack(visitor))[1].sources, [])
    await admin('PATCH', '/personas/ada-l', { sharing: { show_sources: true } })
  })

  test('is apart from every other', async () => {
    const [one, other] = [secret(), secret()]
    const { last } = await say(one, 'What is the cat called?')
    assert.deepEqual(await lookBack(other), [])
    assert.equal((await judge(other, last!.reply_id, false)).status, 404)
    assert.equal((await judge(one, last!.reply_id, false)).status, 200)
    const { sessions } = await admin('GET', '/personas/ada-l/sessions?limit=200')
    for (const { id } of sessions) assert.match(id, /^visitor-[0-9a-f]{64}$/)
    assert.ok(!JSON.stringify(sessions).includes(one), 'the store holds no secret')
    // Nor does the name of a session open it.
    const named = await get('/talk/ada-l/messages', { 'x-memoir-visitor': sessions[0].id })
    assert.equal(named.status, 400)
  })

  test('judges replies for the owner to see; the score learns nothing from it', async () => {
    const visitor = secret()
    const { last } = await say(visitor, 'How old is the cat?')
    assert.deepEqual((await judge(visitor, last!.reply_id, true)).body, { right: true })
    assert.equal((await lookBack(visitor))[1].right, true)
    assert.deepEqual((await judge(visitor, last!.reply_id, false)).body, { right: false })
    const reply = await admin('GET', `/personas/ada-l/replies/${last!.reply_id}`)
    assert.deepEqual([reply.label, reply.visitor_label], [null, 'wrong'])
    const { replies } = await admin('GET', '/personas/ada-l/replies?visitor_label=wrong')
    assert.ok(replies.some(({ id }: { id: string }) => id === last!.reply_id))
    assert.ok(replies.every((one: { visitor_label: string }) => one.visitor_label === 'wrong'))
    assert.equal((await admin('GET', '/personas/ada-l/confidence')).labels, 0)
    assert.deepEqual((await judge(visitor, last!.reply_id, null)).body, { right: null })
    for (const [id, right] of [
      ['nothing', true],
      [last!.reply_id, 'yes'],
      [7, true],
      [undefined, true],
    ] as const) {
      const { status, body } = await judge(visitor, id, right)
      assert.ok(status === 400 || status === 404, `${status} ${body.detail}`)
    }
  })

  test("reads the owner's words where a reply is withheld, and the reply once it is approved", async () => {
    await admin('PATCH', '/personas/ada-l', { threshold: 100, sharing: { default_message: 'Ask me at tea time.' } })
    const visitor = secret()
    const { text, last } = await say(visitor, 'What is the cat called?')
    assert.deepEqual([text, last!.withheld, last!.reply_id, last!.sources], ['Ask me at tea time.', true, null, []])
    const [, shown] = await lookBack(visitor)
    assert.deepEqual([shown.text, shown.withheld, shown.reply_id], ['Ask me at tea time.', true, null])
    const { drafts } = await admin('GET', '/personas/ada-l/drafts')
    assert.equal((await judge(visitor, drafts[0].id, true)).status, 404, 'what was withheld is not judged')
    await admin('POST', `/personas/ada-l/drafts/${drafts[0].id}/approve`, { text: 'Turing, of course.', learn: false })
    assert.equal((await lookBack(visitor)).at(-1).text, 'Turing, of course.')
    const changed = await admin('PATCH', '/personas/ada-l', { threshold: 0, sharing: { default_message: ' ' } })
    assert.match(changed.sharing.default_message, /not sure enough/)
  })
})

describe('a visitor cannot', () => {
  test('reach memory, documents, instructions or another session by sending more fields', async () => {
    const before = (await admin('GET', '/personas/ada-l/memories')).memories.length
    const visitor = secret()
    const answer = await service.call({
      path: '/talk/ada-l/message',
      headers: { 'x-memoir-visitor': visitor },
      body: {
        text: 'My dog is called Rex.',
        Text: 'x',
        is_stack: true,
        is_draft: true,
        Events: 'About my cat',
        SessionId: 'mine',
        DomainName: 'closed',
        Context: 'Say hooray.',
        Metadata: { a: 1 },
        is_message: false,
        domain_name: 'closed',
      },
    })
    assert.equal(answer.status, 200)
    await service.learned()
    assert.equal((await admin('GET', '/personas/ada-l/memories')).memories.length, before)
    assert.equal((await admin('GET', '/personas/ada-l/drafts')).drafts.length, 0)
    assert.equal((await admin('GET', '/personas/closed/sessions')).sessions.length, 0)
    const messages = await lookBack(visitor)
    assert.equal(messages[0].text, 'My dog is called Rex.')
    const session = (await admin('GET', '/personas/ada-l/sessions')).sessions[0]
    const { messages: kept } = await admin('GET', `/personas/ada-l/sessions/${session.id}`)
    assert.deepEqual([kept[0].metadata, kept[0].source_app], [{}, 'talk'])
  })

  test('use the secret as a key anywhere', async () => {
    const visitor = secret()
    for (const path of [
      '/v1/message',
      '/v1/memory',
      '/v1/instruction?cmd=search',
      '/v1/conversation',
      '/v1/upload-text',
    ])
      for (const name of ['x-api-key', 'x-memoir-visitor'])
        assert.equal(
          (await service.call({ path, body: { DomainName: 'ada-l', Text: 'x' }, headers: { [name]: visitor } })).status,
          403,
        )
    assert.equal((await get('/admin/personas', { 'x-memoir-visitor': visitor })).status, 401)
  })

  const wrong: [string, object | string, Record<string, string>, number][] = [
    ['no secret', { text: 'Hello' }, { 'x-memoir-visitor': '' }, 400],
    ['a short secret', { text: 'Hello' }, { 'x-memoir-visitor': 'abc' }, 400],
    ['a secret of other letters', { text: 'Hello' }, { 'x-memoir-visitor': `${'a'.repeat(42)}/` }, 400],
    ['no text', {}, {}, 400],
    ['a blank text', { text: ' \n' }, {}, 400],
    ['a text that is none', { text: ['Hello'] }, {}, 400],
    ['a long text', { text: 'x'.repeat(4_001) }, {}, 400],
    ['a large body', { text: 'x'.repeat(40_000) }, {}, 413],
    ['no JSON', '{', {}, 400],
    ['a list', '[]', {}, 400],
    ['a form', 'text=Hello', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ]
  for (const [name, body, headers, status] of wrong)
    test(`send ${name}`, async () => {
      const answer = await service.call({
        path: '/talk/ada-l/message',
        body,
        headers: { 'x-memoir-visitor': secret(), ...headers },
      })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.equal(typeof answer.body.detail, 'string')
    })

  test('be spoken for by a page of another site', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-headers': 'x-memoir-visitor' }
    const preflight = await service.call({ method: 'OPTIONS', path: '/talk/ada-l/message', headers })
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    const { headers: answered } = await get('/talk/ada-l/messages', { ...headers, 'x-memoir-visitor': secret() })
    assert.equal(answered.get('access-control-allow-origin'), null)
  })
})

describe('the sites that may embed it', () => {
  test('are named in the policy as browsers name them', async () => {
    const origins = ['https://Example.com/', 'http://localhost:8080', 'https://müller.example', 'http://[::1]:3000']
    const { sharing } = await admin('PATCH', '/personas/ada-l', { sharing: { origins } })
    assert.deepEqual(sharing.origins, [
      'https://example.com',
      'http://localhost:8080',
      'https://xn--mller-kva.example',
      'http://[::1]:3000',
    ])
    const policy = (await get('/talk/ada-l')).headers.get('content-security-policy')!
    assert.ok(policy.includes(`frame-ancestors ${sharing.origins.join(' ')};`), policy)
    const nobody = (await get('/talk/nobody')).headers.get('content-security-policy')!
    assert.match(nobody, /frame-ancestors 'none'/)
    await admin('PATCH', '/personas/ada-l', { sharing: { origins: [] } })
  })

  const refused = ['*', 'https://*', 'https://*.example.com', 'example.com', "https://a;script-src'*'", 'https://a b']
  refused.push('https://a,b', 'javascript:alert(1)', 'https://a.example/path', 'https://u:p@a.example', 'null', '')
  for (const origin of refused)
    test(`are not “${origin}”`, async () => {
      await assert.rejects(admin('PATCH', '/personas/ada-l', { sharing: { origins: [origin] } }), /400.*origin/)
    })

  test('are twenty at most, and other wrong settings change nothing', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `https://a${at}.example`)
    const wrong = [
      { origins: many },
      { origins: 'https://a.example' },
      { on: 'maybe' },
      { default_message: 'x'.repeat(1_001) },
      'on',
    ]
    for (const sharing of wrong)
      await assert.rejects(admin('PATCH', '/personas/ada-l', { sharing, name: 'Changed' }), /400.*sharing/)
    assert.equal((await admin('GET', '/personas/ada-l')).name, 'Ada')
  })

  test('get embed.js from anywhere', async () => {
    const { status, headers, body } = await get('/embed.js')
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /javascript/)
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.doesNotMatch(body, /innerHTML|eval\(|import\b/)
  })
})

test('an address that asks too much waits, and the others do not', async () => {
  const limited = await startService({ MEMOIR_VISITOR_RATE_LIMIT: '3', MEMOIR_BEHIND_PROXY: '1' })
  await limited.persona('ada-l', { sharing: { on: true } })
  const from = (address: string) =>
    limited.call({
      path: '/talk/ada-l/message',
      headers: { 'x-memoir-visitor': secret(), 'x-forwarded-for': address },
      body: { text: 'Hello' },
    })
  for (let sent = 0; sent < 3; sent++) assert.equal((await from('192.0.2.1')).status, 200)
  const refused = await from('192.0.2.1')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(refused.body.detail, /try again in \d+ s/)
  assert.equal((await from('192.0.2.2')).status, 200)
  // Of IPv6 one customer has a whole network.
  for (let sent = 0; sent < 3; sent++) assert.equal((await from(`2001:db8:1:1::${sent}`)).status, 200)
  assert.equal((await from('2001:db8:1:1::9')).status, 429)
})

test('all visitors of a persona together have no more than a key', async () => {
  const limited = await startService({ MEMOIR_RATE_LIMIT: '2', MEMOIR_VISITOR_RATE_LIMIT: '0' })
  await limited.persona('ada-l', { sharing: { on: true } })
  const statuses: number[] = []
  for (let sent = 0; sent < 4; sent++)
    statuses.push(
      (
        await limited.call({
          path: '/talk/ada-l/message',
          headers: { 'x-memoir-visitor': secret() },
          body: { text: 'Hello' },
        })
      ).status,
    )
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join())
})

const headersOf = (headers: Headers): object => {
  const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(headers)
  return rest
}
