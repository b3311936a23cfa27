// The process and its folder: one serves it, nobody else reads it, and what the machine refuses is told as it is.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { ADMIN_KEY, startAttacked } from './attacked.ts'
import { kill, launch } from './launched.ts'
import { isOnPostgres, temporaryFolder } from './started.ts'

const onFolder = { skip: isOnPostgres && 'about the data folder' }

// Runs `memoir serve` to its end.
function serve(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
    env: { ...process.env, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_GUIDE: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, said })))
}

test('a second serve on one folder is refused; when the first is killed, the next may', onFolder, async () => {
  const service = await startAttacked({ MEMOIR_READER: '0' })
  const { code, said } = await serve({ MEMOIR_DATA: service.folder })
  assert.equal(code, 1)
  assert.match(said, /another process serves this folder/)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await service.restart('SIGKILL')
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
})

test('a port that is taken ends the start with a sentence', onFolder, async () => {
  const service = await startAttacked({ MEMOIR_READER: '0' })
  const { code, said } = await serve({ MEMOIR_DATA: temporaryFolder(), MEMOIR_PORT: new URL(service.url).port })
  assert.equal(code, 1)
  assert.match(said, /Port \d+ is in use/)
})

test('stopped while it learns its documentation for the first time, it ends', onFolder, async () => {
  const env = {
    ...process.env,
    MEMOIR_PORT: '0',
    MEMOIR_LOG: 'silent',
    MEMOIR_DATA: temporaryFolder(),
    MEMOIR_GUIDE: '1',
  }
  const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  after(() => child.kill('SIGKILL'))
  await new Promise<void>((resolve) => child.stdout.on('data', (said) => `${said}`.includes('learning') && resolve()))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const ended = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  clearTimeout(late)
  assert.equal(ended, 0)
})

test('its threads allocate from two places, unless somebody set another number', {
  skip: process.platform !== 'linux' && 'glibc alone has them',
}, async () => {
  for (const [env, places] of [
    [{}, '2'],
    [{ MALLOC_ARENA_MAX: '3' }, '3'],
  ] as const) {
    const service = await launch({ MEMOIR_DATA: temporaryFolder(), MEMOIR_READER: '0', ...env })
    const held = readFileSync(`/proc/${service.child.pid}/environ`, 'utf8').split('\0')
    await kill(service, 'SIGTERM')
    assert.deepEqual(
      held.filter((one) => one.startsWith('MALLOC')),
      [`MALLOC_ARENA_MAX=${places}`],
    )
  }
})

test('files are the owner’s alone, also in a folder that others could read', onFolder, async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'memoir.db'), '', { mode: 0o644 })
  const service = await startAttacked({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
  await service.persona('ada-l')
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  assert.equal(modeOf(folder), '700')
  for (const name of ['memoir.db', 'memoir.db-wal', 'memoir.db-shm', 'serving.lock'])
    assert.equal(modeOf(join(folder, name)), '600', name)
})

test('another process that holds the write lock holds up writes, and nothing else', onFolder, async () => {
  const service = await startAttacked({ MEMOIR_READER: '0' })
  await service.persona('ada-l')
  const key = await service.key('ada-l')
  await service.learned()
  const other = new DatabaseSync(join(service.folder, 'memoir.db'))
  after(() => other.close())
  other.exec('begin immediate')
  await service.watched()
  const body = JSON.stringify({ DomainName: 'ada-l', Text: 'The harbour froze.', SourceName: 'test' })
  const writing = service.call('/v1/memory', { key, body })
  const first = await Promise.race([writing, new Promise((resolve) => setTimeout(() => resolve('waits'), 1_500))])
  assert.equal(first, 'waits')
  const list = await service.call('/v1/document?size=9', { key, body: '{"DomainName":"ada-l"}' })
  assert.equal(list.status, 200)
  const { wallMs } = await service.watched()
  assert.ok(wallMs < 1_000, `the event loop waited for ${wallMs.toFixed(0)} ms`)
  other.exec('rollback')
  assert.equal((await writing).status, 200)
})

const smallDisk = mkdtempSync(join(tmpdir(), 'memoir-disk-'))
const mounted = mount(smallDisk, '24m')
after(() => {
  if (mounted) execFileSync('umount', ['-l', smallDisk])
  rmSync(smallDisk, { recursive: true, force: true })
})

test('a full disk: told as it is, not ready, nothing lost, and by itself well again', {
  skip: isOnPostgres || !mounted ? 'takes a data folder, and the right to mount a small disk' : false,
}, async () => {
  const folder = join(smallDisk, 'data')
  const service = await startAttacked({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
  await service.persona('ada-l')
  const key = await service.key('ada-l')
  const filling = join(smallDisk, 'filling')
  execFileSync('sh', ['-c', `dd if=/dev/zero of=${filling} bs=64k 2>/dev/null || true`])

  const write = (n: number) =>
    service.call('/v1/upload-text', {
      key,
      body: JSON.stringify({
        DomainName: 'ada-l',
        Title: `text ${n}`,
        Text: `${n} ${'x'.repeat(200_000)}`,
        is_stack: false,
      }),
    })
  const acknowledged: string[] = []
  let refusal: Awaited<ReturnType<typeof write>> | undefined
  for (let n = 0; n < 60 && !refusal; n++) {
    const answer = await write(n)
    if (answer.status === 200) acknowledged.push(`text ${n}`)
    else refusal = answer
  }
  assert.equal(refusal?.status, 507, JSON.stringify(refusal?.body))
  assert.match(refusal!.body.detail, /disk of the service is full/)
  assert.ok(refusal!.headers.get('retry-after'))
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)

  rmSync(filling)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  const again = await write(99)
  assert.equal(again.status, 200)
  acknowledged.push('text 99')
  const { body } = await service.call('/v1/document?size=100', { key, body: '{"DomainName":"ada-l"}' })
  const titles = body.map(({ title }: { title: string }) => title)
  assert.deepEqual(
    acknowledged.filter((title) => !titles.includes(title)),
    [],
  )
})

test('out of descriptors: connections are dropped, and the service goes on', async () => {
  const service = await startAttacked({ MEMOIR_READER: '0' }, { descriptors: 320 })
  const { port } = new URL(service.url)
  const sockets = Array.from({ length: 600 }, (_, n) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.1.${1 + (n % 10)}` })
    return socket.on('error', () => {})
  })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await service.persona('ada-l')
})

describe('every answer', async () => {
  const service = await startAttacked({ MEMOIR_READER: '0', MEMOIR_BEHIND_PROXY: '1' })
  for (const [method, path, status] of [
    ['GET', '/healthz', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/v1/message', 405],
    ['POST', '/v1/message', 403],
    ['OPTIONS', '/v1/message', 204],
    ['GET', '/admin/personas', 401],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/metrics', 401],
    ['GET', '/console', 200],
    ['GET', '/%E0%A4%A', 400],
  ] as const) {
    test(`${method} ${path} may not be kept, guessed at or framed`, async () => {
      const { headers, status: given } = await fetch(service.url + path, { method })
      assert.equal(given, status)
      assert.match(headers.get('cache-control') ?? '', /no-store|no-cache/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    })
  }
  test('figures take the admin key, unless they are asked for on this machine', async () => {
    const get = (headers: Record<string, string>) => fetch(`${service.url}/metrics`, { headers })
    assert.equal((await get({ 'x-api-key': 'wrong' })).status, 401)
    assert.equal((await get({ 'x-api-key': ADMIN_KEY })).status, 200)
    assert.equal((await get({ authorization: `Bearer ${ADMIN_KEY}` })).status, 200)
  })
})

function mount(folder: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
