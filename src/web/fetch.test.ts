// Fetching: what is public comes whole, what is not is never connected to.

import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { AppError } from '../domain/errors.ts'
import { isPublicAddress } from './addresses.ts'
import { createFetcher, type FetcherOptions } from './fetch.ts'

let connections = 0
const page = '<html><body><p>Good morning, världen.</p></body></html>'
const routes: Record<string, RequestListener> = {
  '/page': (_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
  '/gzip': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(page)),
  '/br': (_request, response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync(page)),
  '/zstd': (_request, response) => response.setHeader('content-encoding', 'zstd').end(zstdCompressSync(page)),
  '/raw': (_request, response) => response.setHeader('content-encoding', 'deflate').end(deflateRawSync(page)),
  '/twice': (_request, response) =>
    response.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipSync(page))),
  '/bomb': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(40 * 1024 * 1024))),
  '/endless': (_request, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 1)
    response.on('close', () => clearInterval(timer))
  },
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/lying': (_request, response) => response.setHeader('content-encoding', 'gzip').end('not gzip'),
  '/slow': () => {},
  '/missing': (_request, response) => response.writeHead(404).end('gone'),
  '/hop': (_request, response) => response.writeHead(302, { location: '/page' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/away': (request, response) =>
    response.writeHead(302, { location: new URL(request.url!, 'http://x').searchParams.get('to')! }).end(),
  '/nowhere': (_request, response) => response.writeHead(302).end(),
}
const server = createServer((request, response) => {
  const route = routes[request.url!.split('?')[0]!]
  if (route) route(request, response)
  else response.writeHead(500).end()
})
server.on('connection', () => connections++)
await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
const { port } = server.address() as AddressInfo
const local = `http://127.0.0.1:${port}`
after(() => {
  server.closeAllConnections()
  server.close()
})

function fetching(url: string, options: FetcherOptions = {}) {
  return createFetcher({ allowPrivate: true, ...options }).fetch(url)
}
async function refusal(url: string, options: FetcherOptions = {}): Promise<string> {
  const error = await fetching(url, options).then(
    () => assert.fail(`${url} was fetched`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, 'unreachable')
  return error.message
}

test('a page comes with its type, name and final address', async () => {
  const found = await fetching(`${local}/hop#part`)
  assert.equal(Buffer.from(found.bytes).toString(), page)
  assert.equal(found.mediaType, 'text/html; charset=utf-8')
  assert.equal(found.name, 'page')
  assert.equal(found.url, `${local}/page`)
})

for (const path of ['/gzip', '/br', '/zstd', '/raw', '/twice'])
  test(`a body compressed as ${path.slice(1)} is unpacked`, async () => {
    assert.equal(Buffer.from((await fetching(local + path)).bytes).toString(), page)
  })

test('limits: bytes produced, bytes sent, time, redirects', async () => {
  assert.match(await refusal(`${local}/bomb`), /larger than 20 MiB/)
  assert.match(await refusal(`${local}/endless`, { bytes: 1024 * 1024 }), /larger than 1 MiB/)
  assert.match(await refusal(`${local}/slow`, { timeoutMs: 200 }), /in time/)
  assert.match(await refusal(`${local}/drip`, { timeoutMs: 300 }), /in time/)
  assert.match(await refusal(`${local}/loop`), /more than 5 times/)
})

test('failures are sentences', async () => {
  assert.match(await refusal(`${local}/missing`), /status 404/)
  assert.match(await refusal(`${local}/nowhere`), /nowhere/)
  assert.match(await refusal(`${local}/lying`), /not compressed/)
  assert.match(await refusal('ftp://example.com/'), /http and https/)
  assert.match(await refusal('nonsense'), /valid URL/)
  assert.match(await refusal('http://user:word@example.com/'), /password/)
  assert.match(await refusal('http://example.com:25/'), /Port 25/)
  assert.match(await refusal(`http://host.invalid:${port}/`, { resolve: async () => [] }), /no address/)
})

test('no form of an inner address is connected to', async () => {
  const before = connections
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '①②⑦.⓪.⓪.①',
    'localhost',
  ])
    assert.match(await refusal(`http://${host}:${port}/page`, { allowPrivate: false }), /public internet/, host)
  assert.equal(connections, before)
})

test('a name that resolves to an inner address is not connected to, nor one of several', async () => {
  const before = connections
  for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1']]) {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    assert.match(
      await refusal(`http://rebound.example:${port}/page`, { allowPrivate: false, resolve }),
      /public internet/,
    )
  }
  assert.equal(connections, before)
})

test('a name that changes its address between question and connection changes nothing', async () => {
  let asked = 0
  const resolve = async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
  const before = connections
  await refusal(`http://rebound.example:${port}/page`, { allowPrivate: false, resolve, timeoutMs: 500 })
  assert.equal(connections, before)
  assert.equal(asked, 1)
})

test('a redirect is checked like the address itself', async () => {
  const inner = createFetcher({
    allowPrivate: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  assert.equal((await inner.fetch(`http://any.example:${port}/away?to=/page`)).url, `http://any.example:${port}/page`)
  // From an address that may be reached to those that may not.
  const before = connections
  const resolve = async (host: string) => [{ address: host === 'out.example' ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  const strict = createFetcher({ allowAddresses: ['127.0.0.1'], resolve })
  for (const to of [`http://127.0.0.2:${port}/page`, `http://in.example:${port}/page`, `http://[::1]:${port}/page`])
    await assert.rejects(
      strict.fetch(`http://out.example:${port}/away?to=${encodeURIComponent(to)}`),
      /public internet/,
    )
  assert.equal(connections, before + 3)
  for (const to of ['file:///etc/passwd', 'http://a:b@example.com/', 'gopher://127.0.0.1/'])
    await refusal(`${local}/away?to=${encodeURIComponent(to)}`)
})

test('what is public and what is not', () => {
  for (const address of ['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07::1', '64:ff9b::808:808'])
    assert.ok(isPublicAddress(address), address)
  for (const address of ['64:ff9b::a00:1', '2001::1', '2001:db8::1', '3fff::1', 'fec0::1', '::', 'fe80::1%eth0', 'x'])
    assert.ok(!isPublicAddress(address), address)
})
