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
import { examine } from '../src/doctor/doctor.ts'
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
  await until(async () => (await ready()).status !== 200)
  const { status, body } = await ready()
  assert.equal(status, 503)
  assert.match(body.detail, /The database is damaged \(.+\)/)
  const asked = await again.call({ method: 'GET', path: '/admin/personas', key: ADMIN_KEY })
  assert.equal(asked.status, 503)
  assert.equal(asked.body.detail, body.detail)
})

// One letter of the file becomes another: its pages stay sound.
function changeLetters(file: string, from: string, to: string): void {
  const bytes = readFileSync(file)
  assert.ok(bytes.includes(from), `${from} is in the file`)
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
  writeFileSync(file, bytes)
}

const told = (service: Awaited<ReturnType<typeof startService>>) => ({
  ready: async () => (await service.call({ method: 'GET', path: '/readyz' })).body.damaged_texts as number,
  waiting: async () => (await service.admin('GET', '/waiting')).waiting.map((one: { kind: string }) => one.kind),
})

test('a text that changed in the file is not quoted, and named until it is replaced', onFolder, async () => {
  const { service: first, file, post } = await served()
  await post('/v1/upload-text', { Title: 'Log', Text: 'The lighthouse keeper was called Brandt.' })
  await first.learned()
  await first.close()
  changeLetters(file, 'called Brandt', 'called Brundt') // in the document and in its passage: nothing is left of it

  const env = { MEMOIR_DATA: first.folder, MEMOIR_READER: '0' }
  const doctor = await Array.fromAsync(examine({ ...env, MEMOIR_PORT: '0' }, temporaryFolder()))
  assert.match(doctor.find(({ about }) => about === 'store')!.says, /2 of its values were changed from outside/)
  const again = await startService(env)
  const key = await again.key(['ada-l'])
  const ask = async (Text: string) => {
    const { body } = await again.call({ path: '/v1/message', key, body: { DomainName: 'ada-l', Text } })
    return JSON.stringify(body)
  }
  assert.doesNotMatch(await ask('Who was the lighthouse keeper?'), /Br.ndt/)
  assert.match(await ask('When did the harbour freeze?'), /1871/)
  const { ready, waiting } = told(again)
  await until(async () => (await ready()) === 2) // the document is found by looking through the file
  assert.deepEqual(await waiting(), ['damage'])
  const { documents } = await again.admin('GET', '/personas/ada-l/documents')
  const whole = await again.admin('GET', `/personas/ada-l/documents/${documents[0].id}`)
  assert.equal(whole.text, 'This text was damaged on the disk and is not shown.')
  const listed = await again.admin('GET', '/personas/ada-l/memories?limit=10')
  assert.doesNotMatch(JSON.stringify(listed), /Br.ndt/)
  assert.equal(listed.memories.length, 2)

  const Text = 'The lighthouse keeper was called Brandt.'
  const replaced = { DomainName: 'ada-l', DocumentId: documents[0].id, Text }
  assert.equal((await again.call({ method: 'PUT', path: '/v1/update-document', key, body: replaced })).status, 200)
  await again.learned()
  assert.match(await ask('Who was the lighthouse keeper?'), /Brandt/)
  assert.deepEqual([await ready(), await waiting()], [0, []])
})

test('a passage that changed in the file is learned again from its document, the others stay', onFolder, async () => {
  const { service: first, file, post } = await served()
  const Text = ['The lighthouse keeper was called Brandt.', 'The pilot was called Sund.']
    .map((line) => `${line} ${'The tide came and went as ever. '.repeat(40)}`)
    .join('\n\n')
  await post('/v1/upload-text', { Title: 'Log', Text })
  await first.learned()
  const before: Listed = await first.admin('GET', '/personas/ada-l/memories?limit=10')
  await first.close()
  const passage = before.memories.find(({ text }) => text.includes('Brandt'))!
  const db = new DatabaseSync(file)
  db.prepare('update memories set text = ? where id = ?').run(passage.text.replace('Brandt', 'Brundt'), passage.id)
  db.close()

  const again = await startService({ MEMOIR_DATA: first.folder, MEMOIR_READER: '0' })
  const listed = async (): Promise<Listed> => again.admin('GET', '/personas/ada-l/memories?limit=10')
  await until(async () => (await listed()).memories.some(({ text }) => text.includes('Brandt')))
  const after = await listed()
  const ids = ({ memories }: Listed) => memories.map(({ id }) => id)
  assert.equal(after.memories.length, before.memories.length)
  assert.deepEqual(ids(after).filter((id) => ids(before).includes(id)).length, ids(before).length - 1)
  assert.equal(await told(again).ready(), 0)
})

test(
  'messages, drafts, revisions and files that changed in the file are not handed out, and named',
  onFolder,
  async () => {
    const { service: first, file, post } = await served()
    const said = { SessionId: 'monday' }
    await post('/v1/message', { ...said, Text: 'When did the harbour freeze, asked Quillon?' })
    await post('/v1/message', { ...said, Text: 'And who asked that, Perrault?', is_draft: true })
    const key = await first.key(['ada-l'])
    const form = new FormData()
    form.set('file', new Blob(['The ferry was called Zephyrine.']), 'ferry.txt')
    await first.call({ path: '/v1/upload-file?DomainName=ada-l', key, body: form })
    await post('/v1/upload-text', { Title: 'Pier', Text: 'The pier was built by Ottokar.' })
    await first.learned()
    const documentOf = async (service: typeof first, title: string): Promise<string> => {
      const { documents } = await service.admin('GET', '/personas/ada-l/documents')
      return documents.find((one: { title: string }) => one.title.startsWith(title)).id
    }
    const pier = { DomainName: 'ada-l', DocumentId: await documentOf(first, 'Pier'), Text: 'The pier is gone.' }
    assert.equal((await first.call({ method: 'PUT', path: '/v1/update-document', key, body: pier })).status, 200)
    await first.learned()
    await first.close()
    const db = new DatabaseSync(file)
    for (const [table, column, from] of [
      ['messages', 'text', 'Quillon'],
      ['drafts', 'question', 'Perrault'],
      ['revisions', 'text', 'Ottokar'],
      ['file_pieces', 'bytes', 'Zephyrine'],
    ] as const) {
      const isBlob = column === 'bytes'
      const value = isBlob ? `cast(replace(cast(bytes as text), ?, ?) as blob)` : `replace(${column}, ?, ?)`
      db.prepare(`update ${table} set ${column} = ${value}`).run(from, from.replace(/.$/, 'X'))
    }
    db.close()

    const again = await startService({ MEMOIR_DATA: first.folder, MEMOIR_READER: '0' })
    const { ready, waiting } = told(again)
    const [withheld, changed] = [
      /This text was damaged on the disk and is not shown\./,
      /QuilloX|PerraulX|OttokaX|ZephyrinX/,
    ]
    const shown = (answer: unknown) => {
      assert.match(JSON.stringify(answer), withheld)
      assert.doesNotMatch(JSON.stringify(answer), changed)
    }
    const kept = async (path: string) => shown(await again.admin('GET', `/personas/ada-l${path}`))
    await kept('/sessions')
    await kept('/sessions/monday')
    await kept('/drafts')
    await kept(`/documents/${await documentOf(again, 'Pier')}/revisions`)
    const body = { DomainName: 'ada-l', ...said }
    shown((await again.call({ path: '/v1/conversation', key: await again.key(['ada-l']), body })).body)
    const ferry = `/admin/personas/ada-l/documents/${await documentOf(again, 'ferry')}/file`
    const bytes = await again.call({ method: 'GET', path: ferry, key: ADMIN_KEY })
    assert.equal(bytes.status, 422)
    assert.match(bytes.body.detail, /This file was damaged on the disk: put a backup back, or upload it again\./)
    await until(async () => (await ready()) === 4)
    assert.deepEqual(await waiting(), ['drafts', 'damage'])
  },
)

test('texts from before there were checksums get them', onFolder, async () => {
  const { service: first, file, post } = await served()
  await post('/v1/message', { Text: 'When did the harbour freeze?', SessionId: 'monday' })
  await first.learned()
  await first.close()
  const db = new DatabaseSync(file)
  const sums = () => TABLES.flatMap((table) => db.prepare(`select sum from ${table}_sums`).all())
  const kept = sums()
  assert.equal(kept.length, 4) // a memory is a document with a passage; a message and its answer
  for (const table of TABLES) db.exec(`delete from ${table}_sums`)
  const again = await startService({ MEMOIR_DATA: first.folder, MEMOIR_READER: '0' })
  await until(async () => sums().length === 4)
  assert.deepEqual(sums(), kept)
  await again.close()
  db.close()
})

const TABLES = ['documents', 'memories', 'drafts', 'messages', 'revisions', 'file_pieces']

type Listed = { memories: { id: string; text: string }[] }

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000
  while (!(await isSo())) {
    assert.ok(Date.now() < giveUpAt, 'it did not come about')
    await new Promise((next) => setTimeout(next, 100))
  }
}

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
