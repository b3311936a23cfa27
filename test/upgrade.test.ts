// Data folders as every earlier version of the store wrote them: each opens, answers, and was copied before the change.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { migrations } from '../src/store/sqlite/migrate.ts'
import { startService, temporaryFolder } from './started.ts'

// Written by the last commit of each version (test/write-data-folder.ts): a memory, a document, and a message in the
// session "first".
const written = new URL('./files/data-folders/', import.meta.url)
const files = readdirSync(written).sort()

function dataFolder(file: string): string {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'memoir.db'), gunzipSync(readFileSync(new URL(file, written))))
  return folder
}

function lookInto<T>(path: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}
const versionOf = (path: string) =>
  lookInto(path, (db) => (db.prepare('pragma user_version').get() as { user_version: number }).user_version)
const textsOf = (path: string) =>
  lookInto(path, (db) => db.prepare('select text from messages order by id').all() as { text: string }[])

test('no version is left out', () => {
  const versions = files.map((file) => Number.parseInt(file, 10))
  assert.deepEqual(
    versions,
    versions.map((_, at) => at + 1),
  )
  assert.ok(versions.length >= 14 && versions.length <= migrations.length)
})

describe('a data folder of version', { concurrency: 2 }, () => {
  for (const file of files) {
    const version = Number.parseInt(file, 10)
    test(`${version} opens and answers, and a copy of it is left`, async () => {
      const folder = dataFolder(file)
      const path = join(folder, 'memoir.db')
      const said = textsOf(path)
      const service = await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
      const key = await service.key(['ada-l'])
      const post = (call: string, body: object) =>
        service.call({ path: `/v1/${call}`, key, body: { DomainName: 'ada-l', ...body } })
      await service.learned()
      for (const [Text, expected] of [
        ['Where is the ladder?', /stands in the shed/],
        ['Where is the spare key?', /under the blue pot/],
      ] as const)
        assert.match((await post('message', { Text, SessionId: 'now' })).body.ai_message, expected)
      const sessions = await service.admin('GET', '/personas/ada-l/sessions')
      assert.ok(sessions.sessions.some(({ id }: { id: string }) => id === 'first'))
      assert.equal((await post('document?size=9', {})).body.length, 1)
      await post('memory', { Text: 'The saw hangs behind the door.', SourceName: 'notes' })
      await service.learned()
      assert.match((await post('message', { Text: 'Where is the saw?' })).body.ai_message, /behind the door/)
      await service.close()
      assert.equal(versionOf(path), migrations.length)
      if (version === migrations.length) return
      const copy = join(folder, `memoir-schema-${version}.db`)
      assert.deepEqual([versionOf(copy), textsOf(copy)], [version, said])
      assert.equal(statSync(copy).mode & 0o777, 0o600)
    })
  }
})

test('a passage learned before it knew its further pages is cited with its first one', async () => {
  const folder = dataFolder('23.db.gz')
  const db = new DatabaseSync(join(folder, 'memoir.db'))
  db.exec('update memories set page = 12')
  db.close()
  const service = await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
  const key = await service.key(['ada-l'])
  const body = { DomainName: 'ada-l', Text: 'Where is the spare key?' }
  const { headers } = await service.call({ path: '/v1/message', key, body })
  const why = await service.admin('GET', `/personas/ada-l/replies/${headers.get('x-memoir-reply-id')}`)
  assert.equal(why.sources[0].page, 12)
})

test('of the copies the last two are kept, and a start that changes nothing makes none', async () => {
  const folder = dataFolder('13.db.gz')
  for (const version of [3, 11]) writeFileSync(join(folder, `memoir-schema-${version}.db`), 'older')
  writeFileSync(join(folder, 'memoir-schema-old.db'), 'of somebody else')
  const copies = () => readdirSync(folder).filter((name) => name.startsWith('memoir-schema-'))
  await (await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })).close()
  const newest = 'memoir-schema-13.db'
  assert.deepEqual(copies().sort(), ['memoir-schema-11.db', newest, 'memoir-schema-old.db'].sort())
  const { mtimeMs } = statSync(join(folder, newest))
  await (await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })).close()
  assert.equal(statSync(join(folder, newest)).mtimeMs, mtimeMs)
})

test('without room for the copy nothing is changed', async () => {
  const folder = dataFolder('13.db.gz')
  const path = join(folder, 'memoir.db')
  const { bavail, bsize } = statfsSync(folder)
  // Of no bytes on disk, and no log of SQLite's: it counts with its length.
  writeFileSync(`${path}-wal`, '')
  truncateSync(`${path}-wal`, bavail * bsize)
  await assert.rejects(startService({ MEMOIR_DATA: folder }), /no room to copy it first: \d+ MiB are needed/)
  rmSync(`${path}-wal`, { force: true })
  assert.equal(versionOf(path), 13)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('schema')),
    [],
  )
})

test('a folder that a newer version wrote is refused with a sentence, and left as it is', async () => {
  const folder = dataFolder(files.at(-1)!)
  const path = join(folder, 'memoir.db')
  const db = new DatabaseSync(path)
  db.exec('pragma user_version = 999')
  db.close()
  const before = readFileSync(path)
  await assert.rejects(
    startService({ MEMOIR_DATA: folder }),
    /written by a newer Memoir \(version 999 of the store, this one knows \d+\)\. Start the newer Memoir/,
  )
  assert.deepEqual(readFileSync(path), before)
  assert.ok(!existsSync(join(folder, 'memoir-schema-999.db')))
})
