// An encrypted data folder tells nothing of what it holds, answers as a plain one does, and notices when it was changed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { writeWhole } from '../src/app/backups/backup-file.ts'
import { backUpStore } from '../src/back-up.ts'
import { readConfig } from '../src/config.ts'
import { readOwnerKey } from '../src/encryption-key.ts'
import { digest, tableNames } from '../src/store/rows.ts'
import { howOf } from '../src/store/sqlite/sealed/columns.ts'
import { sqliteSnapshot } from '../src/store/sqlite/snapshot.ts'
import { encryptStore, openStore, restoreStore, rotateStoreKey } from '../src/stores.ts'
import { startService, temporaryFolder } from './started.ts'

const keys = temporaryFolder()
function newKey(name: string): string {
  const file = join(keys, name)
  writeFileSync(file, `${randomBytes(32).toString('base64')}\n`)
  return file
}
const MEMOIR_ENCRYPTION_KEY_FILE = newKey('owner.key')
const configOf = (folder: string, env: Record<string, string> = { MEMOIR_ENCRYPTION_KEY_FILE }) =>
  readConfig({ MEMOIR_DATA: folder, MEMOIR_LOG: 'silent', ...env })
const databaseIn = (folder: string) => join(folder, 'memoir.db')

// None of these words is one of Memoir's own.
const DomainName = 'zephyrine-q'
const words = [
  ...['zephyrine', 'quillfeather', 'marzipan', 'lighthousekeeper', 'umbrellastand', 'gooseberry', 'tortoiseshell'],
  ...['wheelbarrow', 'hollyhock', 'candlewick', 'periwinkle', 'saxophonist', 'peppercorn', 'thimblerig', 'dandelion'],
]

type Service = Awaited<ReturnType<typeof startService>>

async function teach(service: Service): Promise<void> {
  await service.persona(DomainName, { name: 'Zephyrine Quillfeather', instructions: 'Mention marzipan.' })
  const trigger = { name: 'periwinkle', on: ['reply.sent'], deliver: { url: 'http://127.0.0.1:59999/hollyhock' } }
  await service.admin('POST', `/personas/${DomainName}/triggers`, trigger)
  const key = await service.key([DomainName], { name: 'peppercorn' })
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = body instanceof FormData ? body : { DomainName, ...body }
    const { status } = await service.call({ path: `/v1/${path}`, key, body: sent, headers })
    assert.ok([200, 503].includes(status), `${path}: ${status}`)
  }
  const named = { 'idempotency-key': 'thimblerig' }
  await post('memory', { Text: 'The lighthousekeeper sleeps at noon.', SourceName: 'umbrellastand' }, named)
  await post('upload-text', {
    Title: 'Gooseberry',
    Text: 'The tortoiseshell cat of Zephyrine is called Candlewick.',
    Tags: ['wheelbarrow'],
  })
  const form = new FormData()
  form.set('file', new Blob(['The hollyhock grows behind the mill.']), 'periwinkle.txt')
  form.set('message_request', JSON.stringify({ DomainName, Title: 'A file' }))
  await post('upload-file', form)
  await service.learned()
  await post('message', { Text: 'When does the lighthousekeeper sleep?', SessionId: 's', UserName: 'Saxophonist' })
  await post('message', { Text: 'Who is the dandelion of nowhere?', SessionId: 's', is_draft: true })
  await service.admin('POST', '/people', {
    email: 'dandelion@hollyhock.example',
    role: 'owner',
    personas: [DomainName],
  })
}

// The forms that a word may have in a file.
const forms = words.flatMap((word) => {
  const big = Buffer.from(word, 'utf16le').swap16()
  const inBase64 = [0, 1, 2].map((at) => Buffer.from(word.slice(at)).toString('base64').slice(0, -4))
  // Four letters come up by chance.
  const telling = inBase64.filter((form) => form.length >= 8)
  return [word, Buffer.from(word, 'utf16le').toString('latin1'), big.toString('latin1'), ...telling]
})

function found(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return files
    .filter((file) => statSync(file).isFile())
    .flatMap((file) => {
      const bytes = readFileSync(file, 'latin1')
      const lower = bytes.toLowerCase()
      return forms.filter((form) => bytes.includes(form) || lower.includes(form)).map((form) => `${file}: ${form}`)
    })
}

const SUMS = ['documents', 'memories', 'drafts', 'messages', 'revisions', 'file_pieces'].map((table) => `${table}_sums`)

const settings = { MEMOIR_READER: '0', MEMOIR_ALLOW_PRIVATE_URLS: '1' }
const plain = await startService(settings)
const service = await startService({ ...settings, MEMOIR_ENCRYPTION_KEY_FILE })
for (const one of [plain, service]) await teach(one)

test('every text column of every table is sealed, or known to tell nothing', () => {
  const db = new DatabaseSync(databaseIn(service.folder), { readOnly: true })
  const rows = db
    .prepare(
      `select tables.name as "table", columns.name as "column" from sqlite_schema as tables
       join pragma_table_info(tables.name) as columns
       where tables.type = 'table' and lower(columns.type) in ('text', 'blob', '')`,
    )
    .all() as { table: string; column: string }[]
  const sums = SUMS.flatMap((table) => db.prepare(`select sum from ${table}`).all())
  db.close()
  const open = rows
    .filter(({ table, column }) => !howOf(table, column))
    .map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(open.sort(), Object.values(TELLING_NOTHING).flat().sort())
  assert.deepEqual(sums, [], 'a checksum tells whether a text is the one that was guessed')
})

// A migration that adds a column has to seal it (columns.ts) or to say here why not. SECURITY.md lists them for people.
const TELLING_NOTHING = {
  'made by Memoir or by a caller to tell rows apart': [
    ...['keys.id', 'keys.personas', 'documents.id', 'documents.request_id', 'documents.lease'],
    ...['file_pieces.document_id', 'revisions.document_id', 'requests.document_id', 'requests.lease'],
    ...['memories.id', 'memories.document_id', 'traces.document_id', 'changes.document_id', 'sessions.id'],
    ...['messages.session_id', 'messages.id', 'drafts.id', 'drafts.session_id', 'replies.id'],
    ...['replies.session_id', 'triggers.id', 'deliveries.id', 'deliveries.trigger_id', 'deliveries.lease'],
    ...['deliveries.way', 'delivery_attempts.delivery_id', 'sources.id', 'sources.lease'],
    ...['source_pages.source_id', 'source_pages.document_id', 'accounts.id', 'accounts.personas'],
    ...['invitations.id', 'invitations.personas', 'invitations.account_id', 'sign_ins.id', 'sign_ins.who'],
    ...['passkeys.id', 'passkeys.account_id', 'challenges.who', 'notice_ways.id', 'notice_ways.account_id'],
    ...['identities.account_id', ...SUMS.map((table) => `${table}.id`)],
  ],
  'one of a few words, or the name of a model, an event or a time zone': [
    ...['personas.wanted_events', 'keys.scopes', 'documents.kind', 'documents.media_type', 'documents.state'],
    ...['vectors.embedder', 'messages.role', 'drafts.reason', 'replies.decision', 'replies.answered_by'],
    ...['replies.label', 'replies.visitor_label', 'replies.currency', 'triggers.events', 'deliveries.type'],
    ...['deliveries.state', 'sources.kind', 'accounts.role', 'invitations.role', 'passkeys.transports'],
    ...['notice_ways.kind', 'notice_ways.language', 'notice_ways.time_zone', 'secrets.name'],
  ],
  'the hash of a random secret': [
    ...['keys.hash', 'invitations.hash', 'sign_ins.key_hash', 'sign_ins.cookie_hash', 'sign_ins.tab_hash'],
    ...['challenges.hash'],
  ],
  'on the web for everybody': [
    ...['source_pages.url', 'source_pages.outcome', 'source_pages.reason', 'source_pages.version'],
    ...['source_pages.hash', 'source_pages.etag', 'source_pages.last_modified'],
  ],
  "an issuer's own name for somebody": [...['identities.issuer', 'identities.subject']],
  'numbers of pages and characters, as the columns beside it': ['memories.page_starts'],
  'encrypted itself': ['data_keys.wrapped'],
}

test('no byte of it tells a word, while it runs or later', async () => {
  const told = found(plain.folder).map((line) => line.split(': ').at(-1))
  const untold = words.filter((word) => !told.includes(word))
  assert.deepEqual(untold, [], 'a plain folder tells them all')
  assert.deepEqual(found(service.folder), [])
})

test('it recalls, replies and lists as a plain one does', async () => {
  for (const one of [plain, service]) await one.store.compact()
  const seen = async (one: Service) => {
    const key = await one.key([DomainName])
    const ask = async (Text: string) =>
      (await one.call({ path: '/v1/message', key, body: { DomainName, Text, SessionId: 'equal' } })).body
    const of = `/personas/${DomainName}`
    const { documents } = await one.admin('GET', `${of}/documents?sort=title&text=goose&tag=wheelbarrow`)
    const { memories } = await one.admin('GET', `${of}/timeline`)
    const { messages } = await one.admin('GET', `${of}/messages?text=${encodeURIComponent('LIGHTHOUSE')}`)
    const { ai_message, ai_score } = await ask('What is the tortoiseshell cat called?')
    return {
      ai_message,
      ai_score,
      titles: documents.map(({ title }: { title: string }) => title),
      memories: memories.map((memory: { text: string }) => memory.text).sort(),
      said: messages.map((message: { text: string }) => message.text),
    }
  }
  const [expected, given] = [await seen(plain), await seen(service)]
  assert.deepEqual(given, expected)
  assert.deepEqual(given.titles, ['Gooseberry'])
  assert.equal(given.said.length, 2) // the question, and what was quoted
})

test('a missing, wrong or malformed key stops the start with one sentence, and so does a plain folder', async () => {
  const refused = (folder: string, env: Record<string, string>, sentence: RegExp) =>
    assert.rejects(async () => openStore(configOf(folder, env)), sentence)
  await refused(service.folder, {}, /is encrypted: name its key with MEMOIR_ENCRYPTION_KEY_FILE or/)
  const other = newKey('other.key')
  await refused(service.folder, { MEMOIR_ENCRYPTION_KEY_FILE: other }, /encrypted with another key than the one/)
  await refused(plain.folder, { MEMOIR_ENCRYPTION_KEY_FILE }, /is not encrypted yet: .* `memoir encrypt` once/)
  await refused(service.folder, { MEMOIR_ENCRYPTION_KEY_FILE: '/nowhere' }, /KEY_FILE cannot be used: ENOENT/)
  writeFileSync(other, 'no key at all')
  await refused(service.folder, { MEMOIR_ENCRYPTION_KEY_FILE: other }, /must give 32 random bytes in base64/)
  const failing = { MEMOIR_ENCRYPTION_KEY_COMMAND: 'cat /nowhere' }
  await refused(service.folder, failing, /KEY_COMMAND cannot be used: its command failed \(exit 1\)/)
  const both = { MEMOIR_ENCRYPTION_KEY_FILE, ...failing }
  assert.throws(() => configOf(plain.folder, both), /two ways: set one/)
  const onPostgres = { MEMOIR_ENCRYPTION_KEY_FILE, MEMOIR_DATABASE_URL: 'postgres://u:p@h/d' }
  assert.throws(() => configOf(plain.folder, onPostgres), /encrypts a data folder, not PostgreSQL/)
})

test('a backup is encrypted with the same key, and comes back with it alone', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'whole.backup')
  await writeWhole(file, backUpStore(configOf(service.folder)))
  assert.deepEqual(found(folder), [])
  const target = temporaryFolder()
  await assert.rejects(restoreStore(configOf(target, {}), file, {}), /is encrypted: name the file with the key of then/)
  const other = { MEMOIR_ENCRYPTION_KEY_FILE: newKey('third.key') }
  await assert.rejects(restoreStore(configOf(target, other), file, {}), /was encrypted with another key/)
  await restoreStore(configOf(target, other), file, { keyFile: MEMOIR_ENCRYPTION_KEY_FILE })
  assert.deepEqual(found(target), [])
  const store = await openStore(configOf(target, other))
  assert.equal((await store.personas.byDomainName(DomainName))?.name, 'Zephyrine Quillfeather')
  await store.close()
})

// Both services are stopped from here on: their folders are the subject.
const stopped = async () => {
  await service.close()
  await plain.close()
  return {
    copyOf(of: Service): string {
      const folder = temporaryFolder()
      cpSync(of.folder, folder, { recursive: true })
      return folder
    },
  }
}

test('`memoir encrypt` leaves no word of a plain folder', async () => {
  const folder = (await stopped()).copyOf(plain)
  const { MEMOIR_DATA: _, ...env } = process.env
  const run = promisify(execFile)(process.execPath, ['src/cli/main.ts', 'encrypt', '--json'], {
    env: { ...env, MEMOIR_DATA: folder, MEMOIR_ENCRYPTION_KEY_COMMAND: `cat ${MEMOIR_ENCRYPTION_KEY_FILE}` },
  })
  const { rows, plain_copies } = JSON.parse((await run).stdout)
  assert.equal(rows.personas, 1)
  assert.deepEqual(plain_copies, [])
  assert.deepEqual(found(folder), [])
  await assert.rejects(encryptStore(configOf(folder)), /encrypted already/)
  const store = await openStore(configOf(folder))
  const persona = await store.personas.byDomainName(DomainName)
  assert.equal((await store.documents.list(persona!.id, { limit: 9, text: 'goose' }))[0]?.title, 'Gooseberry')
  await store.close()
})

test('a value that was exchanged or changed is noticed', async () => {
  const { copyOf } = await stopped()
  const tampered = [
    `update memories set text = (select text from memories order by number desc limit 1)`,
    `update messages set text = (select question from replies limit 1)`,
    `update messages set text = 'a plain text'`,
    `update memories set headings = text`,
    `update vectors set bytes = zeroblob(length(bytes))`,
  ]
  const folder = copyOf(service)
  for (const change of tampered) {
    const db = new DatabaseSync(databaseIn(folder))
    db.exec(`begin; ${change}`)
    db.exec('commit')
    db.close()
    const store = await openStore(configOf(folder))
    const persona = await store.personas.byDomainName(DomainName)
    const table = change.split(' ')[1]
    const read = {
      memories: () => store.memories.list(persona!.id, { limit: 9 }),
      messages: () => store.conversations.tail(persona!.id, 's', 9),
      vectors: () => store.traces.page(persona!.id, embedderOf(folder), { after: 0, limit: 9 }),
    }[table as 'memories']
    await assert.rejects(read, /was changed from outside/, change)
    await store.close()
  }
})

const embedderOf = (folder: string): string => {
  const db = new DatabaseSync(databaseIn(folder), { readOnly: true })
  const { embedder } = db.prepare('select embedder from vectors').get() as { embedder: string }
  db.close()
  return embedder
}

test('a rotation that is killed half-way ends with the next start, and the old key opens nothing', async () => {
  const folder = (await stopped()).copyOf(service)
  const newFile = newKey('new.key')
  const renewed = configOf(folder, { MEMOIR_ENCRYPTION_KEY_FILE: newFile })
  rotateStoreKey(configOf(folder), { setting: '--new-key-file', file: newFile })
  await assert.rejects(openStore(configOf(folder)), /encrypted with another key/)
  const dataKeys = () => {
    const db = new DatabaseSync(databaseIn(folder), { readOnly: true })
    const rows = db.prepare('select number from data_keys order by number').all()
    db.close()
    return rows.map(({ number }) => number)
  }
  assert.deepEqual(dataKeys(), [1, 2])
  for (const table of ['memories', 'replies']) {
    await assert.rejects(
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', killedAt(table, folder, newFile)]),
      { signal: 'SIGKILL' },
    )
    assert.deepEqual(dataKeys(), [1, 2])
  }
  const before = await everything(renewed)
  const done = Promise.withResolvers<void>()
  const resealing = { onProgress() {}, onDone: done.resolve, onTrouble: done.reject }
  const store = await openStore(renewed, { resealing })
  await done.promise
  await store.close()
  assert.deepEqual(dataKeys(), [2])
  assert.deepEqual(await everything(renewed), before)
  const db = new DatabaseSync(databaseIn(folder))
  assert.throws(() => db.exec(`update audit set who = ''`), /the audit record only grows/)
  db.close()
})

const killedAt = (table: string, folder: string, keyFile: string): string => `
  import { openStore } from './src/stores.ts'
  import { readConfig } from './src/config.ts'
  const config = readConfig({ MEMOIR_DATA: ${JSON.stringify(folder)}, MEMOIR_ENCRYPTION_KEY_FILE: ${JSON.stringify(keyFile)} })
  const onProgress = (table) => table === '${table}' && process.kill(process.pid, 'SIGKILL')
  await openStore(config, { resealing: { onProgress, onDone() {}, onTrouble() {} } })
  setTimeout(() => {}, 20_000)`

async function everything(config: Parameters<typeof openStore>[0]) {
  const snapshot = await sqliteSnapshot(join(config.dataFolder, 'memoir.db'), readOwnerKey(config.encryption))
  const rows: Record<string, unknown> = {}
  for (const table of tableNames) rows[table] = await digest(snapshot.db, table)
  await snapshot.close()
  return rows
}
