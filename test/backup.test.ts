// A backup while the service goes on, brought back onto either engine; and files that are cut, damaged, foreign or newer.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeWhole } from '../src/app/backups/backup-file.ts'
import { type Config, databaseFile, readConfig } from '../src/config.ts'
import { makeTextPdf } from '../src/extract/test-files.ts'
import { FORMAT, writeHeader } from '../src/store/keep/header.ts'
import { migrations as postgresMigrations } from '../src/store/postgres/migrate.ts'
import { postgresSnapshot } from '../src/store/postgres/snapshot.ts'
import { digest, tableNames } from '../src/store/rows.ts'
import { connect } from '../src/store/sqlite/connection.ts'
import { migrations as sqliteMigrations } from '../src/store/sqlite/migrate.ts'
import { sqliteSnapshot } from '../src/store/sqlite/snapshot.ts'
import { checkBackup, restoreStore } from '../src/stores.ts'
import { newDatabase } from './postgres-server.ts'
import { ADMIN_KEY, isOnPostgres, startService, storedIn, temporaryFolder } from './started.ts'

const DomainName = 'ada-l'
const folder = temporaryFolder()
const service = await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
await service.persona(DomainName, { threshold: 1.5, instructions: 'Speak softly. 🕯️' })
const key = await service.key([DomainName])
const post = async (path: string, body: object) => {
  const { status } = await service.call({
    path: `/v1/${path}`,
    key,
    body: body instanceof FormData ? body : { DomainName, ...body },
  })
  assert.equal(status, 200)
}
const remember = (Text: string) => post('memory', { Text, SourceName: 'x' })

// Some of everything. The file cannot be read nor compressed: there is a middle to be killed in.
await post('upload-text', { Title: 'Ünïcode', Text: `The ferry leaves at noon. 🚢\n\n${'More of it. '.repeat(500)}` })
const form = new FormData()
form.set('file', new Blob([randomBytes(3_000_000)]), 'noise.bin')
form.set('message_request', JSON.stringify({ DomainName, Title: 'File' }))
await post('upload-file', form)
const paged = new FormData()
const drawings = ['The kiln is old.', 'The roof is new.'].map((line) => `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`)
paged.set('file', new Blob([makeTextPdf(drawings) as Uint8Array<ArrayBuffer>]), 'house.pdf')
paged.set('message_request', JSON.stringify({ DomainName, Title: 'House' }))
await post('upload-file', paged)
for (let n = 0; n < 40; n++) await remember(`The lamp ${n} hangs in room ${n * 7}.`)
await post('message', { Text: 'When does the ferry leave?', SessionId: 's' })
await post('message', { Text: 'Who is the king of nowhere at all?', SessionId: 's', is_draft: true })
await service.learned()

const configOf = (env: Record<string, string>) => readConfig({ MEMOIR_LOG: 'silent', ...env })
const source = configOf(await storedIn(folder))
const folderTarget = () => configOf({ MEMOIR_DATA: temporaryFolder() })
const databaseTarget = async () =>
  configOf({ MEMOIR_DATA: temporaryFolder(), MEMOIR_DATABASE_URL: await newDatabase() })

async function rowsOf(config: Config) {
  const { databaseUrl } = config
  const snapshot = await (databaseUrl === undefined
    ? sqliteSnapshot(databaseFile(config))
    : postgresSnapshot(databaseUrl))
  const rows: Record<string, Awaited<ReturnType<typeof digest>>> = {}
  for (const table of tableNames) rows[table] = await digest(snapshot.db, table)
  await snapshot.close()
  return rows
}

// A small one, by a Memoir that did not count the characters of documents yet.
const older = join(import.meta.dirname, 'files/store-7.backup')

async function downloaded(body: object = {}): Promise<string> {
  // The use of a key is noted once a minute, a little later: not between the backup and a look at its source.
  await service.admin('GET', '/work')
  await wait(100)
  const answer = await fetch(`${service.url}/admin/backup`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="memoir-[\dTZ-]+\.backup"$/)
  const path = join(temporaryFolder(), 'whole.backup')
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

const memoir = (args: string[], config: Config, more: Record<string, string> = {}) => {
  const env = {
    ...process.env,
    MEMOIR_DATA: config.dataFolder,
    ...(config.databaseUrl && { MEMOIR_DATABASE_URL: config.databaseUrl }),
    ...more,
  }
  return promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], { env })
}

test('what comes back is equal row by row, on either engine, from the service and from the command line', async () => {
  const before = await rowsOf(source)
  assert.ok(before.vectors!.rows > 40 && before.file_pieces!.rows > 0 && before.drafts!.rows === 1)
  const written = join(temporaryFolder(), 'by-hand.backup')
  const { stdout } = await memoir(['backup', written], source)
  assert.match(stdout, /by-hand\.backup: \d+ bytes\./)
  assert.equal(statSync(written).mode & 0o777, 0o600)
  for (const [file, target] of [
    [written, folderTarget()] as const,
    [await downloaded(), await databaseTarget()] as const,
  ]) {
    await restoreStore(target, file, {})
    assert.deepEqual(await rowsOf(target), await rowsOf(source))
  }
})

test('a backup during writes holds all that was acknowledged before it, and nothing in part', async () => {
  let isOver = false
  const load = [1, 2, 3].map(async (one) => {
    for (let n = 0; !isOver; n++)
      await (one === 3
        ? post('message', { Text: `Where is lamp ${n}?`, SessionId: 'load' })
        : remember(`During ${one}: ${n}.`))
  })
  await remember('Acknowledged right before.')
  const file = await downloaded()
  isOver = true
  await Promise.all(load)
  await service.learned()
  const target = folderTarget()
  await restoreStore(target, file, {})
  const { raw } = connect(databaseFile(target), { readOnly: true })
  const count = (sql: string) => (raw.prepare(`select count(*) as n from ${sql}`).get() as { n: number }).n
  assert.equal(count(`documents where text = 'Acknowledged right before.'`), 1)
  assert.equal(count('sessions s where messages <> (select count(*) from messages where session_id = s.id)'), 0)
  assert.equal(count('memories m where not exists (select 1 from vectors where number = m.number)'), 0)
  assert.equal(count('versions v where sequence <> (select max(sequence) from changes)'), 0)
  raw.close()
})

test('a file that is damaged, cut, foreign or newer is named as that, and nothing is touched', async () => {
  const whole = readFileSync(await downloaded())
  const path = join(temporaryFolder(), 'x.backup')
  const target = folderTarget()
  const refused = async (bytes: Uint8Array, why: RegExp) => {
    writeFileSync(path, bytes)
    await assert.rejects(restoreStore(target, path, {}), why)
    assert.deepEqual(
      readdirSync(target.dataFolder).filter((name) => name.startsWith('memoir')),
      [],
    )
  }
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole)
    bytes[at]! ^= 1
    return bytes
  }
  const head = 20 + whole.readUInt32BE(16) + 32
  for (const at of [30, head - 1, head + 5, Math.floor(whole.length / 2), whole.length - 1])
    await refused(flipped(at), /x\.backup is damaged at byte \d+/)
  await refused(Buffer.concat([whole, Buffer.from('more')]), /is damaged/)
  for (const length of [25, head, head + 3, Math.floor(whole.length / 2), whole.length - 1])
    await refused(whole.subarray(0, length), /x\.backup is cut off after \d+ bytes/)
  await refused(Buffer.from('PK\x03\x04 something else entirely'), /is no Memoir backup\. What `memoir export` wrote/)
  await refused(Buffer.alloc(0), /x\.backup is no Memoir backup/)
  const store = { sqlite: sqliteMigrations.length, postgres: postgresMigrations.length }
  const header = { format: FORMAT, made_by: '99.0.0', made_at: '', store, encryption: null } as const
  const later = { ...header, store: { ...store, sqlite: store.sqlite + 1 } }
  for (const newer of [later, { ...header, format: (FORMAT + 1) as typeof FORMAT }])
    await refused(writeHeader(newer).bytes, /made by a newer Memoir \(99\.0\.0\)/)
})

test('an encrypted one needs its passphrase, and holds nothing that can be read', async () => {
  const file = await downloaded({ passphrase: 'correct horse battery' })
  assert.ok(!readFileSync(file).includes('ferry'))
  const keyFile = join(temporaryFolder(), 'passphrase')
  const reading = (passphrase: string) => {
    writeFileSync(keyFile, passphrase)
    return checkBackup(configOf({ MEMOIR_BACKUP_PASSPHRASE_FILE: keyFile }), file)
  }
  assert.ok((await reading('correct horse battery\n')).rows.memories! > 40)
  await assert.rejects(reading('correct horse batterz'), /encrypted with another passphrase/)
  await assert.rejects(reading('short'), /has 8 to 1024 characters/)
  await assert.rejects(checkBackup(configOf({}), file), /is encrypted: name the file with its passphrase/)
  const bytes = readFileSync(file)
  bytes[bytes.length - 30]! ^= 1
  writeFileSync(file, bytes)
  await assert.rejects(reading('correct horse battery'), /is damaged/)
  const answer = await service.call({ path: '/admin/backup', key: ADMIN_KEY, body: { passphrase: 'short' } })
  assert.deepEqual([answer.status, answer.body.detail], [400, 'passphrase has fewer than 8 characters.'])
  assert.equal((await service.call({ path: '/admin/backup', key, body: {} })).status, 403)
})

test('a store that holds something is replaced only when asked for, and is kept', async () => {
  const file = await downloaded()
  for (const target of [folderTarget(), await databaseTarget()]) {
    await restoreStore(target, older, {})
    const held = await rowsOf(target)
    await assert.rejects(restoreStore(target, file, {}), /is not empty\. With --replace/)
    assert.deepEqual(await rowsOf(target), held)
    const saved = join(temporaryFolder(), 'saved.backup')
    await restoreStore(target, file, { save: (parts) => writeWhole(saved, parts) })
    assert.deepEqual(await rowsOf(target), await rowsOf(source))
    const undone = folderTarget()
    await restoreStore(undone, saved, {})
    assert.deepEqual(await rowsOf(undone), held)
  }
})

test('a store that is served is not replaced', async () => {
  const file = await downloaded()
  const save = async () => assert.fail('nothing is saved')
  await assert.rejects(restoreStore(source, file, { save }), /A service runs on .+: stop it first/)
})

test('a place that takes no backup is named as what it is, and nothing is left there', async () => {
  const place = temporaryFolder()
  const said = (args: string[]) =>
    memoir(args, source).then(
      () => assert.fail('it went on'),
      ({ stderr }) => stderr as string,
    )
  assert.equal(await said(['backup', place]), `${place} is a folder: name a file in it.\n`)
  assert.equal(await said(['backup', join(place, 'no/x')]), `There is no folder ${join(place, 'no')}: make it first.\n`)
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const parts = async function* () {
    yield Buffer.from('a beginning')
    throw full
  }
  await assert.rejects(writeWhole(join(place, 'x'), parts()), /has no room for x: nothing is kept of it/)
  assert.deepEqual(readdirSync(place), [])
})

test('kill -9 in the middle leaves no half backup and no half store', async () => {
  const killed = async (args: string[], config: Config, isUnderWay: () => boolean) => {
    const env = {
      ...process.env,
      MEMOIR_DATA: config.dataFolder,
      ...(config.databaseUrl && { MEMOIR_DATABASE_URL: config.databaseUrl }),
    }
    const child = spawn(process.execPath, ['src/cli/main.ts', ...args], { env, stdio: 'ignore' })
    const gone = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    while (!isUnderWay() && child.exitCode === null) await wait(1)
    child.kill('SIGKILL')
    assert.equal(await gone, 'SIGKILL', 'it ended before it could be killed')
  }
  const place = join(temporaryFolder(), 'killed.backup')
  const beginnings = () => readdirSync(dirname(place)).filter((name) => name.endsWith('.partial'))
  await killed(['backup', place], source, () => beginnings().length > 0)
  assert.ok(!existsSync(place))
  assert.equal(statSync(join(dirname(place), beginnings()[0]!)).mode & 0o777, 0o600)

  const file = await downloaded()
  const target = folderTarget()
  await restoreStore(target, older, {})
  const held = await rowsOf(target)
  const restoring = `${databaseFile(target)}.restoring`
  await killed(['restore', file, '--replace'], target, () => existsSync(restoring))
  assert.deepEqual(await rowsOf(target), held)
  assert.equal(statSync(restoring).mode & 0o777, 0o600)
  const { stdout } = await memoir(['restore', file, '--replace'], target)
  assert.match(stdout, /What was there before is in \S+\/before-restore-[\dTZ-]+\.backup\./)
  assert.ok(!existsSync(restoring))
  assert.deepEqual(await rowsOf(target), await rowsOf(source))
})

test('a backup of an older Memoir comes back, and is brought up', async () => {
  const [here, there] = [folderTarget(), await databaseTarget()]
  for (const target of [here, there]) await restoreStore(target, older, {})
  assert.deepEqual(await rowsOf(here), await rowsOf(there))
  const restored = connect(databaseFile(here), { readOnly: true })
  assert.deepEqual({ ...restored.raw.prepare('select characters from documents').get() }, { characters: 12 })
  restored.raw.close()
})

test('on a schedule: made at the start, so many kept, seen by the owner and by monitors', async () => {
  const backups = temporaryFolder()
  for (const day of ['01', '02', '03']) writeFileSync(join(backups, `memoir-2026-01-${day}T00-00-00Z.backup`), 'old')
  writeFileSync(join(backups, 'of-someone-else'), 'stays')
  const scheduled = await startService({ MEMOIR_BACKUP_DIR: backups, MEMOIR_BACKUP_KEEP: '2', MEMOIR_READER: '0' })
  const look = () => scheduled.admin('GET', '/backups')
  while ((await look()).schedule.is_running || (await look()).files.length > 2) await wait(20)
  const { schedule, files } = await look()
  assert.deepEqual(schedule, {
    every_s: 86_400,
    keep: 2,
    is_encrypted: false,
    is_running: false,
    failures: 0,
    failure: null,
  })
  assert.deepEqual(readdirSync(backups).sort(), [files[1].name, files[0].name, 'of-someone-else'].sort())
  assert.equal(files[1].name, 'memoir-2026-01-03T00-00-00Z.backup')
  assert.equal(statSync(join(backups, files[0].name)).mode & 0o777, 0o600)
  assert.equal((await checkBackup(configOf({}), join(backups, files[0].name))).rows.personas, 0)
  const ready = (await scheduled.call({ method: 'GET', path: '/readyz' })).body
  assert.equal(ready.last_backup, files[0].made_at)
  const figures: string = (await scheduled.call({ method: 'GET', path: '/metrics' })).body
  assert.match(figures, /\nmemoir_backup_age_seconds \d/)
  assert.ok(figures.includes(`\nmemoir_backup_bytes ${files[0].bytes}\n`))
  assert.match(figures, /\nmemoir_backup_failures_total 0\n/)
  await scheduled.close()
  const unscheduled: string = (await service.call({ method: 'GET', path: '/metrics' })).body
  assert.doesNotMatch(unscheduled, /\nmemoir_backup_age_seconds/)
  const encryption = isOnPostgres ? 'elsewhere' : 'off'
  assert.deepEqual(await service.admin('GET', '/backups'), { encryption, schedule: null, files: [] })
})

test('settings that cannot be meant are refused', () => {
  assert.throws(() => configOf({ MEMOIR_BACKUP_EVERY: 'daily' }), /must look like 30m, 24h or 7d; it is "daily"/)
  assert.throws(() => configOf({ MEMOIR_BACKUP_KEEP: '0' }), /from 1 to 1000/)
})
