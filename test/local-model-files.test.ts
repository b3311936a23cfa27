// The files of models: from a file, from an address, resumed, checked, refused with a sentence.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { modelsIn } from './local-llama.ts'
import { startService, storedIn, temporaryFolder } from './started.ts'
import { writeTinyModel } from './tiny-gguf.ts'

const files = temporaryFolder()
const tiny = join(files, 'tiny.gguf')
writeTinyModel(tiny)
const bytes = readFileSync(tiny)
const sha256 = createHash('sha256').update(bytes).digest('hex')

// Sends `most` bytes of the file a request, then breaks off.
let most = Number.POSITIVE_INFINITY
const asked: (string | undefined)[] = []
const server = createServer((request, answer) => {
  asked.push(request.headers.range)
  if (request.url === '/moved/tiny.gguf')
    return answer.writeHead(302, { location: '/tiny.gguf', 'x-linked-etag': `"${sha256}"` }).end()
  if (request.url === '/wrong/tiny.gguf')
    return answer.writeHead(302, { location: '/tiny.gguf', 'x-linked-etag': `"${'0'.repeat(64)}"` }).end()
  if (request.url === '/letter.gguf') return answer.end('Dear Ada, this is no model at all.')
  if (request.url === '/huge.gguf') return answer.writeHead(200, { 'content-length': String(2 ** 50) }).flushHeaders()
  if (request.url !== '/tiny.gguf') return answer.writeHead(404).end()
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  answer.writeHead(from > 0 ? 206 : 200, {
    etag: '"v1"',
    'content-length': String(bytes.length - from),
    ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  })
  const part = bytes.subarray(from, Math.min(bytes.length, from + most))
  answer.write(part, () => (from + part.length < bytes.length ? setTimeout(() => answer.destroy(), 200) : answer.end()))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const folder = temporaryFolder()
const service = await startService({ MEMOIR_DATA: folder, MEMOIR_ALLOW_PRIVATE_URLS: '1' })
const call = (method: string, path: string, body?: object) =>
  service.call({ method, path: `/admin${path}`, body, key: null, headers: { 'x-api-key': 'admin-key-of-the-tests' } })
const get = (from: string, more: object = {}) => call('POST', '/models', { from, ...more })
const list = async () => (await call('GET', '/models')).body
const settled = async (name: string) => {
  for (;;) {
    const one = (await list()).models.find((model: { name: string }) => model.name === name)
    if (one?.state !== 'fetching') return one
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('without what runs them the list says how to install it', async () => {
  const { missing, models } = await list()
  assert.deepEqual(models, [])
  assert.match(missing, /^The package node-llama-cpp 3 is not installed\. npm install --prefix ".+" .+ installs it\.$/)
})

test('an address: redirected, whole, its hash the one that the server named', async () => {
  assert.deepEqual((await get(`${url}/moved/tiny.gguf`)).body, { name: 'tiny' })
  const one = await settled('tiny')
  assert.deepEqual(
    [one.state, one.sha256, one.bytes, one.architecture, one.context_tokens, one.wrong],
    ['ready', sha256, bytes.length, 'llama', 32_768, null],
  )
  const again = await get(`${url}/tiny.gguf`)
  assert.equal(again.status, 409)
  assert.match(again.body.detail, /There is a model tiny already/)
  assert.deepEqual((await call('DELETE', '/models/tiny')).body, { removed: 'tiny' })
  assert.equal((await call('DELETE', '/models/tiny')).status, 404)
})

test('what broke off is resumed, and its hash is that of the whole', async () => {
  most = 10_000
  await get(`${url}/tiny.gguf`)
  const broken = await settled('tiny')
  assert.equal(broken.state, 'broken')
  assert.match(broken.wrong, /broke off/)
  most = Number.POSITIVE_INFINITY
  asked.length = 0
  await get(`${url}/tiny.gguf`, { sha256 })
  assert.equal((await settled('tiny')).sha256, sha256)
  assert.match(asked[0]!, /^bytes=\d+-$/)
  await call('DELETE', '/models/tiny')
})

test('what was broken off at another address begins anew', async () => {
  most = 10_000
  await get(`${url}/moved/tiny.gguf`)
  await settled('tiny')
  most = Number.POSITIVE_INFINITY
  asked.length = 0
  await get(`${url}/tiny.gguf`)
  assert.equal((await settled('tiny')).state, 'ready')
  assert.deepEqual(asked, [undefined])
  await call('DELETE', '/models/tiny')
})

test('another hash, or no model at all: said, and nothing is kept', async () => {
  await get(`${url}/wrong/tiny.gguf`)
  assert.match(
    (await settled('tiny')).wrong,
    new RegExp(`^tiny has the SHA-256 ${sha256}, not 0{64}: it was deleted\\.$`),
  )
  await get(`${url}/letter.gguf`)
  assert.match((await settled('letter')).wrong, /^letter is no GGUF file\.$/)
  for (const name of ['tiny', 'letter'])
    for (const end of ['.gguf', '.gguf.part', '.json', '.part.json'])
      assert.ok(!existsSync(join(modelsIn(folder), name + end)), name + end)
})

const refused: [string, number, RegExp][] = [
  ['tiny', 400, /^A model comes from an address/],
  ['ftp://127.0.0.1/tiny.gguf', 400, /^A model comes from an address/],
  ['https://example.com/model.bin', 400, /ends in \.gguf/],
  ['https://example.com/a%2F..%2Fb.gguf', 400, /has a name of Latin letters/],
  ['%URL%/nowhere.gguf', 400, /status 404/],
  ['%URL%/huge.gguf', 413, /bytes/],
]
for (const [from, status, says] of refused) {
  test(`refused: ${from}`, async () => {
    const answer = await get(from.replace('%URL%', url))
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(answer.body.detail, says)
  })
}

test('a private address is refused as that of a page is', async () => {
  const guarded = await startService()
  for (const from of [`${url}/tiny.gguf`, 'http://169.254.169.254/tiny.gguf', 'http://[::1]/tiny.gguf']) {
    const answer = await guarded.call({
      path: '/admin/models',
      key: null,
      headers: { 'x-api-key': 'admin-key-of-the-tests' },
      body: { from },
    })
    assert.equal(answer.status, 400, from)
    assert.match(answer.body.detail, /not on the public internet/)
  }
})

test('the command: a file without a network, listed, removed; what is no model is refused', async () => {
  const data = temporaryFolder()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...(await storedIn(data)) }
  const memoir = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) =>
      execFile(process.execPath, ['src/cli/main.ts', 'model', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, out: stdout + stderr }),
      ),
    )
  const got = await memoir('get', tiny, '--sha256', sha256)
  assert.match(got.out, /tiny is there\. Try it: memoir model try tiny/)
  assert.match(got.out, /npm install --prefix/)
  assert.match((await memoir('list')).out, /tiny\s+ready/)
  const letter = join(files, 'letter.gguf')
  writeFileSync(letter, 'Dear Ada, this is no model at all, only a letter.')
  assert.deepEqual(await memoir('get', letter), { code: 1, out: 'letter.gguf is no GGUF file.\n' })
  assert.match((await memoir('remove', 'tiny')).out, /tiny is removed/)
  assert.match((await memoir('try', 'tiny')).out, /is not installed|there is no model tiny/)
})
