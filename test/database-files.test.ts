// The files of the embedded store, deleted, replaced or damaged, while it is served and before: noticed, named, not served.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ADMIN_KEY, isOnPostgres, startService, temporaryFolder } from './started.ts'

const onFolder = { skip: isOnPostgres && 'about the data folder' }

async function served() {
  const service = await startService({ MEMOIR_READER: '0' })
  await service.persona('ada-l')
  const key = await service.key(['ada-l'])
  const file = join(service.folder, 'memoir.db')
  const post = (path: string, fields: object) => service.call({ path, key, body: { DomainName: 'ada-l', ...fields } })
  const remember = (Text: string) => post('/v1/memory', { Text, SourceName: 'test' })
  const ready = () => service.call({ method: 'GET', path: '/readyz' })
  assert.equal((await remember('The harbour froze in 1871.')).status, 200)
  assert.equal((await ready()).status, 200)
  return { service, file, post, remember, ready }
}

for (const [name, harm, says] of [
  ['deleted', (file: string) => rmSync(file), /was deleted or moved while the service ran/],
  ['moved', (file: string) => renameSync(file, `${file}.away`), /was deleted or moved while the service ran/],
  [
    'replaced by a copy of itself',
    (file: string) => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
    /was replaced while the service ran/,
  ],
  ['left without its log', (file: string) => rmSync(`${file}-wal`), /was deleted or moved while the service ran/],
] as const) {
  test(`a database that is ${name} while it is served: nothing is acknowledged any more`, onFolder, async () => {
    const { file, post, remember, ready } = await served()
    harm(file)
    for (const answer of [
      await remember('This would be lost.'),
      await post('/v1/document?size=9', {}),
      await ready(),
    ]) {
      assert.equal(answer.status, 503)
      assert.match(answer.body.detail, says)
    }
  })
}

test('a database that was there before and is missing at the start is not made anew', onFolder, async () => {
  const { service, file } = await served()
  await service.close()
  rmSync(file)
  const { code, said } = await serve(service.folder)
  assert.equal(code, 1)
  assert.match(said, /memoir\.db is missing, though it was there before/)
  assert.equal(existsSync(file), false)
})

test('a file that is no database ends the start with a sentence', onFolder, async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'memoir.db'), 'not a database, whatever its name says '.repeat(200))
  const { code, said } = await serve(folder)
  assert.equal(code, 1)
  assert.match(said, /memoir\.db is damaged \(.+\)/)
})

test('a damaged page that nobody asks for is found soon after the start', onFolder, async () => {
  const { service: first, file, post } = await served()
  for (let n = 0; n < 4; n++)
    await post('/v1/upload-text', { Title: `text ${n}`, Text: `${n} harbours froze over. `.repeat(150) })
  await first.learned()
  await first.close()
  damage(file, 'memories')

  const again = await startService({ MEMOIR_DATA: first.folder, MEMOIR_READER: '0' })
  const ready = () => again.call({ method: 'GET', path: '/readyz' })
  assert.equal((await ready()).status, 200)
  const giveUpAt = Date.now() + 20_000
  while ((await ready()).status === 200 && Date.now() < giveUpAt) await new Promise((next) => setTimeout(next, 100))
  const { status, body } = await ready()
  assert.equal(status, 503)
  assert.match(body.detail, /The database is damaged \(.+\)/)
  const asked = await again.call({ method: 'GET', path: '/admin/personas', key: ADMIN_KEY })
  assert.equal(asked.status, 503)
  assert.equal(asked.body.detail, body.detail)
})

// Overwrites the last page of a table that fills several.
function damage(file: string, table: string): void {
  const db = new DatabaseSync(file)
  const { page_size: size } = db.prepare('pragma page_size').get() as { page_size: number }
  const { rootpage } = db.prepare('select rootpage from sqlite_schema where name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  const at = (rootpage - 1) * size
  const bytes = readFileSync(file)
  assert.ok([2, 5].includes(bytes[at]!), 'the root of the table is an inner page')
  const rightmost = bytes.readUInt32BE(at + 8)
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(size, 0x5a), 0, size, (rightmost - 1) * size)
  closeSync(opened)
}

function serve(folder: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
    env: { ...process.env, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_DATA: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, said })))
}
