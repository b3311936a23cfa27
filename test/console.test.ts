// The console at the door: its files, its policy, and who may sign in; no browser needed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildConsole } from '../console/build.ts'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { ADMIN_KEY, startService } from './started.ts'

await buildConsole()
const service = await startService()
await service.persona('ada-l')

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

// Both halves of a session, as a browser would send them.
async function signIn(key = ADMIN_KEY) {
  const answer = await service.call({ path: '/console/session', body: { key } })
  const cookie = answer.headers.get('set-cookie') ?? ''
  return { answer, cookie, halves: { cookie: cookie.split(';')[0]!, 'x-memoir-tab': answer.body.tab as string } }
}

describe('files', () => {
  test('every address of the console is its one page, under a strict policy', async () => {
    const page = await get('/console')
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /text\/html/)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-[^']+';/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.doesNotMatch(html, /https?:\/\/(?!www\.w3\.org)/)
    assert.equal(await (await get('/console/p/ada-l/talk')).text(), html)
    // With the form for signing in, in the language of the browser; without it where somebody is on the way in.
    assert.match(html, /<html lang="en">[\s\S]*data-ways="[^"]+"><main class="sign-in">[\s\S]*Admin key/)
    const german = await get('/console', { 'accept-language': 'fr-FR, de-DE;q=0.8, en;q=0.5' })
    assert.match(german.headers.get('vary')!, /accept-language/)
    assert.match(await german.text(), /<html lang="de">[\s\S]*Admin-Schlüssel/)
    assert.match(await (await get('/console/welcome')).text(), /<div id="root"><\/div>/)
    assert.equal((await get('/')).url, `${service.url}/console`)
    const wrong = await service.call({ path: '/console', body: {} })
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET'])
  })

  test('who is sent here by another page is separated from it; who comes by themselves does not wait for that', async () => {
    const opener = async (headers: Record<string, string>) =>
      (await get('/console', headers)).headers.get('cross-origin-opener-policy')
    for (const site of ['cross-site', 'same-site', 'same-origin'])
      assert.equal(await opener({ 'sec-fetch-site': site }), 'same-origin', site)
    assert.equal(await opener({}), 'same-origin')
    assert.equal(await opener({ 'sec-fetch-site': 'none' }), null)
  })

  test('the first page weighs less than 250 kB, fonts included', async () => {
    const html = await (await get('/console')).text()
    const named = [...html.matchAll(/(?:href|content)="(\/console\/assets\/[^"]+)"/g)].map((match) => match[1]!)
    const assets = named.filter((asset) => !asset.includes('/inside-')) // fetched when the form is there
    assert.equal(assets.filter((asset) => asset.endsWith('.js')).length, 4)
    const fonts = [...html.matchAll(/url\(([^)]+\.woff2)\)/g)].map((match) => match[1]!)
    assert.equal(fonts.length, 2)
    let bytes = gzipSync(html).length
    for (const asset of [...assets, ...fonts]) {
      const answer = await get(asset, { 'accept-encoding': 'gzip' })
      assert.equal(answer.status, 200, asset)
      assert.match(answer.headers.get('cache-control')!, /immutable/)
      const body = Buffer.from(await answer.arrayBuffer())
      bytes += asset.endsWith('.woff2') ? body.length : gzipSync(body).length
      if (!asset.endsWith('.woff2')) assert.equal(answer.headers.get('content-encoding'), 'gzip')
    }
    assert.ok(bytes < 250_000, `${bytes} bytes`)
  })

  test('nothing outside the built files is served', async () => {
    for (const path of ['/console/assets/none.js', '/console/assets/..%2f..%2fpackage.json']) {
      assert.equal((await get(path)).status, 404, path)
    }
  })
})

describe('a session', () => {
  test('opens with the admin key alone', async () => {
    const persona = await service.key(['ada-l'])
    for (const key of ['wrong', persona]) {
      const { answer, cookie } = await signIn(key)
      assert.deepEqual([answer.status, answer.body.detail, cookie], [403, 'This is not the admin key.', ''])
    }
    assert.equal((await service.call({ path: '/console/session', body: {} })).status, 400)
    const { answer, cookie } = await signIn()
    assert.equal(answer.status, 200)
    assert.match(cookie, /^memoir_[\w-]+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.ok(!cookie.includes(answer.body.tab.split('.')[1]))
  })

  test('needs both halves, on /admin and on /v1', async () => {
    const { halves } = await signIn()
    const other = await signIn()
    const tries: [string, Record<string, string>, number][] = [
      ['both', halves, 200],
      ['the cookie alone, as another site would send it', { cookie: halves.cookie }, 401],
      ["the tab's half alone", { 'x-memoir-tab': halves['x-memoir-tab'] }, 401],
      ["another session's cookie", { ...halves, cookie: other.halves.cookie }, 401],
      ['a mistyped half', { ...halves, 'x-memoir-tab': `${halves['x-memoir-tab']}x` }, 401],
    ]
    for (const [name, headers, status] of tries) {
      assert.equal((await get('/admin/personas', headers)).status, status, name)
    }
    const say = (headers: Record<string, string>) =>
      service.call({ path: '/v1/message', body: { DomainName: 'ada-l', Text: 'Hello?' }, headers })
    assert.equal((await say(halves)).status, 200)
    assert.equal((await say({ cookie: halves.cookie })).status, 403)
    assert.equal(
      (await service.call({ path: '/v1/message', key: ADMIN_KEY, body: { DomainName: 'ada-l', Text: 'x' } })).status,
      403,
    )
  })

  test('is refused to other origins by the browser: its header is not allowed across them', async () => {
    const preflight = await service.call({
      method: 'OPTIONS',
      path: '/v1/message',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-memoir-tab' },
    })
    assert.doesNotMatch(preflight.headers.get('access-control-allow-headers')!, /x-memoir-tab/)
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  })

  test('ends when its owner signs out, and only that one', async () => {
    const [mine, other] = [await signIn(), await signIn()]
    const out = await service.call({ method: 'DELETE', path: '/console/session', headers: mine.halves })
    assert.deepEqual(out.body, { signed_out: true })
    assert.match(out.headers.get('set-cookie')!, /Max-Age=0/)
    assert.equal((await get('/admin/personas', mine.halves)).status, 401)
    assert.equal((await get('/admin/personas', other.halves)).status, 200)
    assert.deepEqual((await service.call({ method: 'DELETE', path: '/console/session' })).body, { signed_out: false })
  })

  test('ends when the admin key is replaced', async () => {
    const { halves } = await signIn()
    await setAdminKey(service.store, 'another-admin-key-entirely')
    assert.equal((await get('/admin/personas', halves)).status, 401)
    await setAdminKey(service.store, ADMIN_KEY)
    assert.equal((await get('/admin/personas', halves)).status, 401)
  })
})
