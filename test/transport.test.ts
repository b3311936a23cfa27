// How requests travel: browsers, TLS, limits, identifiers, logs, and a start that is refused.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'
import { ADMIN_KEY, startService, temporaryFolder } from './started.ts'

const service = await startService()
await service.persona('ada-l')
const key = await service.key(['ada-l'])

describe('browsers', () => {
  test('a preflight needs no key', async () => {
    const answer = await service.call({
      method: 'OPTIONS',
      path: '/v1/message',
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key,content-type',
      },
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.match(answer.headers.get('access-control-allow-headers')!, /x-api-key.*content-type/)
    assert.match(answer.headers.get('access-control-allow-methods')!, /POST.*PUT/)
  })

  test('answers and errors carry the header, uploads too; /admin never', async () => {
    const origin = { origin: 'https://example.com' }
    const cases = [
      { path: '/v1/message', key, body: { DomainName: 'ada-l', Text: 'x' } },
      { path: '/v1/message', body: {} },
      { path: '/v1/nothing', body: {} },
      { path: '/v1/message', key, body: 'x', headers: { 'content-type': 'text/plain' } },
      { path: '/v1/upload-file', key, body: new FormData() },
    ]
    for (const one of cases) {
      const answer = await service.call({ ...one, headers: { ...origin, ...one.headers } })
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', `${one.path} ${answer.status}`)
    }
    const admin = await service.call({ method: 'GET', path: '/admin/personas', headers: origin })
    assert.equal(admin.headers.get('access-control-allow-origin'), null)
  })

  test('a list of origins lets only those in', async () => {
    const strict = await startService({ MEMOIR_CORS_ORIGINS: 'https://a.example,https://b.example' })
    const from = async (origin: string) =>
      (await strict.call({ path: '/v1/message', body: {}, headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    assert.equal(await from('https://b.example'), 'https://b.example')
    assert.equal(await from('https://evil.example'), null)
  })
})

describe('limits', () => {
  test('a key gets its requests a minute, then 429 with Retry-After; another key is not held up', async () => {
    const limited = await startService({ MEMOIR_RATE_LIMIT: '5' })
    await limited.persona('ada-l')
    const [one, two] = [await limited.key(['ada-l']), await limited.key(['ada-l'])]
    const send = (with_: string) =>
      limited.call({ path: '/v1/document?size=1', key: with_, body: { DomainName: 'ada-l' } })
    for (let i = 0; i < 5; i++) assert.equal((await send(one)).status, 200)
    const refused = await send(one)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.match(refused.body.detail, /try again/)
    assert.equal((await send(two)).status, 200)
  })

  test('what is no HTTP gets the one error shape', async () => {
    const { hostname, port } = new URL(service.url)
    const said = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'))
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    assert.match(said, /^HTTP\/1\.1 400/)
    assert.match(said, /\{"detail":"This is no HTTP request\."\}$/)
  })

  test("a caller's request id is kept when harmless, else replaced", async () => {
    const id = async (given: string) =>
      (await service.call({ path: '/v1/message', body: {}, headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      )
    assert.equal(await id('my-id.7'), 'my-id.7')
    assert.notEqual(await id('a b"c'), 'a b"c')
  })
})

describe('the start', () => {
  const refused: [string, Record<string, string>, RegExp][] = [
    ['plain HTTP on a public address', { MEMOIR_HOST: '0.0.0.0' }, /MEMOIR_TLS_CERT.*MEMOIR_BEHIND_PROXY=1/],
    ['a port that is none', { MEMOIR_PORT: 'http' }, /MEMOIR_PORT must be a whole number/],
    ['half of TLS', { MEMOIR_TLS_CERT: 'x.pem' }, /go together/],
    ['a mistyped setting', { MEMOIR_PROT: '1' }, /no setting MEMOIR_PROT/],
    ['a short admin key', { MEMOIR_ADMIN_KEY: 'admin' }, /16 characters/],
    ['an origin that is none', { MEMOIR_CORS_ORIGINS: 'example.com' }, /no origin/],
    ['a log level that is none', { MEMOIR_LOG: 'loud' }, /MEMOIR_LOG must be one of/],
    ['a chat model without an address', { MEMOIR_CHAT_MODEL: 'm' }, /MEMOIR_CHAT_URL is missing/],
    ['a chat model at no address', { MEMOIR_CHAT_MODEL: 'm', MEMOIR_CHAT_URL: 'x' }, /MEMOIR_CHAT_URL must be an http/],
    ['an address without a chat model', { MEMOIR_CHAT_URL: 'http://a/v1' }, /MEMOIR_CHAT_MODEL: it is missing/],
    [
      'a vendor without a key',
      { MEMOIR_CHAT_MODEL: 'm', MEMOIR_CHAT_PROVIDER: 'google' },
      /MEMOIR_CHAT_KEY is missing/,
    ],
    [
      'an unknown vendor',
      { MEMOIR_CHAT_MODEL: 'm', MEMOIR_CHAT_PROVIDER: 'acme' },
      /MEMOIR_CHAT_PROVIDER must be one of/,
    ],
    ['too little room', { MEMOIR_CHAT_CONTEXT_TOKENS: '100' }, /MEMOIR_CHAT_CONTEXT_TOKENS must be/],
  ]

  test('is allowed with a chat model', () => {
    const local = readConfig({
      MEMOIR_CHAT_URL: 'http://127.0.0.1:11434/v1',
      MEMOIR_CHAT_MODEL: 'm',
      MEMOIR_CHAT_TIMEOUT_S: '9',
    })
    assert.deepEqual(local.chat, {
      provider: 'openai-compatible',
      url: 'http://127.0.0.1:11434/v1',
      name: 'm',
      key: null,
    })
    assert.equal(local.chatTimeoutMs, 9_000)
    const vendor = readConfig({ MEMOIR_CHAT_PROVIDER: 'anthropic', MEMOIR_CHAT_MODEL: 'm', MEMOIR_CHAT_KEY: 'k' })
    assert.deepEqual(vendor.chat, { provider: 'anthropic', url: null, name: 'm', key: 'k' })
    assert.equal(readConfig({}).chat, undefined)
  })

  for (const [name, env, sentence] of refused) {
    test(`is refused with ${name}`, () =>
      assert.throws(
        () => readConfig(env),
        (error) => error instanceof ConfigError && sentence.test(error.message),
      ))
  }

  test('is allowed on a public address with TLS or behind a proxy', () => {
    readConfig({ MEMOIR_HOST: '0.0.0.0', MEMOIR_BEHIND_PROXY: '1' })
    readConfig({ MEMOIR_HOST: '0.0.0.0', MEMOIR_TLS_CERT: 'a', MEMOIR_TLS_KEY: 'b' })
  })

  test('with TLS, the service speaks it', async () => {
    const folder = temporaryFolder()
    const [cert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        tlsKey,
        '-out',
        cert,
        '-days',
        '1',
        '-subj',
        '/CN=localhost',
      ],
      { stdio: 'ignore' },
    )
    const secure = await startService({ MEMOIR_TLS_CERT: cert, MEMOIR_TLS_KEY: tlsKey })
    assert.match(secure.url, /^https:/)
    const status = await new Promise((resolve, reject) => {
      httpsRequest(`${secure.url}/healthz`, { rejectUnauthorized: false }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end()
    })
    assert.equal(status, 200)
  })
})

// The service as a process of its own; resolves with what it printed when it is done.
function serve(
  env: Record<string, string>,
  during: (url: string, said: string) => Promise<void>,
): Promise<{ out: string; log: string; code: number | null }> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
    env: { ...process.env, MEMOIR_PORT: '0', ...env },
  })
  let out = ''
  let log = ''
  let begun = false
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    child.stdout.on('data', (chunk) => {
      out += chunk
      const url = /interface\s+(http:\S+)\/v1/.exec(out)?.[1]
      if (!url || begun || !out.includes('╯')) return
      begun = true
      setTimeout(() => during(url, out).then(() => child.kill('SIGTERM'), reject), 300)
    })
    child.once('exit', (code) => resolve({ out, log, code }))
  })
}

describe('the first minute', () => {
  test('a first start shows its keys once and a line that works when pasted; the log holds no secrets', async () => {
    const folder = temporaryFolder()
    let pasted = ''
    const first = await serve({ MEMOIR_DATA: folder }, async (_url, said) => {
      const line = /^curl .*$/m.exec(said)![0]
      for (let i = 0; i < 50 && !/score":(?!1,)/.test(pasted); i++) {
        pasted = execFileSync('sh', ['-c', `${line} -s`], { encoding: 'utf8' })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    assert.equal(first.code, 0)
    const adminKey = /memoir_admin_\w+/.exec(first.out)![0]
    const guideKey = /memoir_(?!admin)\w+/.exec(first.out)![0]
    assert.equal(JSON.parse(pasted).ai_name, 'Memoir Guide')
    assert.ok(JSON.parse(pasted).ai_score > 1, pasted)
    assert.match(first.log, /"operation":"message"/)
    for (const secret of [adminKey, guideKey, 'create a persona']) assert.ok(!first.log.includes(secret), secret)

    const second = await serve({ MEMOIR_DATA: folder }, async () => {})
    assert.equal(second.code, 0)
    assert.doesNotMatch(second.out, /memoir_\w{20}/)
    assert.match(second.out, /Memoir is running/)
  })

  test('it stops when the last is answered, whatever connections a browser keeps', async () => {
    let answer = ''
    const env = { MEMOIR_DATA: temporaryFolder(), MEMOIR_ADMIN_KEY: ADMIN_KEY, MEMOIR_GUIDE: '0' }
    const { code } = await serve(env, async (url) => {
      const open = () => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
      const [asking, spare] = [open(), open()]
      await Promise.all([once(asking, 'connect'), once(spare, 'connect')])
      asking.on('data', (chunk) => {
        answer += chunk
      })
      asking.write(`POST /admin/personas HTTP/1.1\r\nhost: x\r\nx-api-key: ${ADMIN_KEY}\r\ncontent-length: 2\r\n\r\n{`)
      setTimeout(() => asking.write('}'), 1_000) // when the stop has begun
    })
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.equal(code, 0)
  })
})
