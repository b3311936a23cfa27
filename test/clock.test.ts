// A clock that jumps, ahead and back, while the service runs and between two starts: nothing is lost, nothing sticks, and the
// order stays as it was told.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { kill, type Launched, launch } from './launched.ts'
import { storedIn, temporaryFolder } from './started.ts'

const ADMIN_KEY = 'admin-key-of-the-clock-tests'
const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR

const folder = temporaryFolder()
const backups = join(folder, 'backups')
const settings = {
  ...(await storedIn(folder)),
  MEMOIR_ADMIN_KEY: ADMIN_KEY,
  MEMOIR_READER: '0',
  MEMOIR_BACKUP_DIR: backups,
  MEMOIR_BACKUP_KEEP: '1',
}
let running: Launched | undefined
let key = ''
after(() => running && kill(running))

async function start(aheadMs: number, role = 'both'): Promise<void> {
  if (running) await kill(running)
  const env = { ...settings, MEMOIR_ROLE: role, CLOCK_AHEAD_MS: String(aheadMs) }
  running = await launch(env, 'inherit', { nodeOptions: ['--import', './test/moved-clock.ts'] })
}

const move = (aheadMs: number) =>
  new Promise((resolve) => {
    running!.child.once('message', resolve)
    running!.child.send(aheadMs)
  })

async function call(method: string, path: string, body?: object, as = key) {
  const headers = { 'x-api-key': as, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(running!.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: answer.status, body: (await answer.json()) as any }
}
const admin = (method: string, path: string, body?: object) => call(method, `/admin${path}`, body, ADMIN_KEY)
const remember = async (Text: string) =>
  assert.equal((await call('POST', '/v1/upload-text', { DomainName: 'ada-l', Text, Title: 'A lamp' })).status, 200)

async function learnWithin(ms: number): Promise<void> {
  const until = performance.now() + ms
  while ((await admin('GET', '/work')).body.pending > 0) {
    assert.ok(performance.now() < until, 'what was accepted is not learned')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
// Until the folder holds one whole backup, and that is of this year.
async function backedUpIn(time: Date): Promise<void> {
  const until = performance.now() + 20_000
  const isThere = () => {
    const names = readdirSync(backups).filter((name) => name.endsWith('.backup'))
    return names.length === 1 && names[0]!.startsWith(`memoir-${time.getUTCFullYear()}`)
  }
  while (!isThere()) {
    assert.ok(performance.now() < until, readdirSync(backups).join(', '))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
// Newest first, as they are listed.
const listed = async (): Promise<string[]> =>
  (await call('POST', '/v1/document?size=20', { DomainName: 'ada-l' })).body.map(({ text }: { text: string }) => text)

test('a year ahead and an hour back, while it runs', async () => {
  await start(0)
  await admin('POST', '/personas', { domain_name: 'ada-l', name: 'Ada' })
  key = (await admin('POST', '/keys', { personas: ['ada-l'] })).body.key
  await remember('The first lamp was lit.')
  await move(YEAR)
  await remember('The second lamp was lit.')
  assert.equal((await call('GET', '/v1/personas', undefined, 'memoir_wrong')).status, 403)
  await move(-HOUR)
  await remember('The third lamp was lit.')
  // Neither the key nor the address has to wait for what the clock took back.
  assert.equal((await call('GET', '/v1/personas', undefined, 'memoir_wrong')).status, 403)
  assert.equal((await call('POST', '/v1/message', { DomainName: 'ada-l', Text: 'Which lamp was lit?' })).status, 200)
  await learnWithin(30_000)
  assert.deepEqual(await listed(), ['The third lamp was lit.', 'The second lamp was lit.', 'The first lamp was lit.'])
  await kill(running!, 'SIGTERM')
})

test('what came while the clock was a year ahead is learned after a restart, and what comes then is newer', async () => {
  await start(YEAR, 'serve')
  await remember('The fourth lamp was lit.')
  await backedUpIn(new Date(Date.now() + YEAR))
  await kill(running!, 'SIGTERM')
  await start(0)
  await learnWithin(30_000)
  await remember('The fifth lamp was lit.')
  assert.deepEqual((await listed()).slice(0, 2), ['The fifth lamp was lit.', 'The fourth lamp was lit.'])
})

test('a backup of a time to come does not stand for today’s', () => backedUpIn(new Date()))
