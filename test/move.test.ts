// `memoir move`: everything from a data folder to PostgreSQL and back, also when it is broken off on the way.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../src/config.ts'
import { makeTextPdf } from '../src/extract/test-files.ts'
import { moveStore } from '../src/stores.ts'
import { newDatabase } from './postgres-server.ts'
import { startReceiver } from './receiver.ts'
import { startService, temporaryFolder } from './started.ts'

const config = (env: Record<string, string>) => readConfig({ MEMOIR_LOG: 'silent', ...env })
const folder = temporaryFolder()
const DomainName = 'ada-l'

// Some of everything, with what is hard to carry: long titles, bytes, emoji, a vector for each passage.
// Without the reader, which looks at as many as it has time for.
const begin = (env: Record<string, string>) =>
  startService({ MEMOIR_READER: '0', MEMOIR_ALLOW_PRIVATE_URLS: '1', ...env })
const source = await begin({ MEMOIR_DATA: folder })
await source.persona(DomainName, { threshold: 12.5, instructions: 'Speak softly. 🕯️' })
const key = await source.key([DomainName])
const post = (service: typeof source, path: string, body: object) =>
  service.call({ path: `/v1/${path}`, key, body: body instanceof FormData ? body : { DomainName, ...body } })
await post(source, 'upload-text', { Title: `Ünïcode ${'long '.repeat(180)}`, Text: 'The ferry leaves at noon. 🚢' })
for (let n = 0; n < 520; n++)
  await post(source, 'memory', { Text: `The lamp ${n} hangs in room ${n * 7}.`, SourceName: 'x' })
const form = new FormData()
form.set('file', new Blob([Buffer.from(`A file\nwith bytes of its own.\n${' '.repeat(600_000)}`)]), 'notes.txt')
form.set('message_request', JSON.stringify({ DomainName, Title: 'File' }))
await post(source, 'upload-file', form)
const pdf = makeTextPdf(
  ['The kiln was built in 1911.', 'The roof was mended by Osman.'].map(
    (line) => `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`,
  ),
)
const paged = new FormData()
paged.set('file', new Blob([pdf as Uint8Array<ArrayBuffer>]), 'house.pdf')
paged.set('message_request', JSON.stringify({ DomainName, Title: 'House' }))
await post(source, 'upload-file', paged)
await source.learned()
const { documents } = await source.admin('GET', `/personas/${DomainName}/documents`)
const document = documents.find(({ title }: { title: string }) => title === 'File')
await source.call({
  method: 'PUT',
  path: `/v1/update-document?feed_id=${document.id}`,
  key,
  body: { DomainName, Text: 'Only this is left of the file.' },
})
await post(source, 'message', { Text: 'When does the ferry leave?', SessionId: 's' })
await post(source, 'message', { Text: 'Who is the king of nowhere at all?', SessionId: 's', is_draft: true })
await source.learned()
const receiver = await startReceiver()
const trigger = await source.admin('POST', `/personas/${DomainName}/triggers`, {
  name: 'Ünïcode 🚢',
  on: ['document.failed'],
  deliver: { url: `${receiver.url}/hook` },
})
const tested = await source.admin('POST', `/personas/${DomainName}/triggers/${trigger.id}/test`)
const delivery = (service: typeof source) => service.admin('GET', `/personas/${DomainName}/deliveries/${tested.id}`)
while ((await delivery(source)).state !== 'sent') await new Promise((resolve) => setTimeout(resolve, 20))

async function citedPage(service: typeof source): Promise<number> {
  const { headers } = await post(service, 'message', { Text: 'Who mended the roof?' })
  const id = headers.get('x-memoir-reply-id')
  return (await service.admin('GET', `/personas/${DomainName}/replies/${id}`)).sources[0].page
}

// What an owner and a caller see.
async function seen(service: typeof source) {
  const of = (path: string) => service.admin('GET', `/personas/${DomainName}${path}`)
  return {
    persona: await of(''),
    documents: await of('/documents'),
    memories: await of('/memories?limit=200'),
    drafts: await of('/drafts'),
    triggers: await of('/triggers'),
    delivery: await delivery(service),
    history: (await post(service, 'conversation', { SessionId: 's' })).body,
    // In the same order. The figures may differ in the fourth place: what was replaced counts a little among the words until the index is loaded anew.
    recalled: (
      await service.admin('POST', `/personas/${DomainName}/recall`, { question: 'Which room has lamp 33?', size: 3 })
    ).recollections.map(({ text }: { text: string }) => text),
  }
}
const before = await seen(source)
assert.equal(await citedPage(source), 2)
await source.close()

const databaseUrl = await newDatabase()
const here = config({ MEMOIR_DATA: folder })
const there = config({ MEMOIR_DATABASE_URL: databaseUrl })

test('a move that is broken off leaves a target that does not start, and goes on where it was', async () => {
  let rows = 0
  const broken = moveStore(here, there, ({ step, table, done }) => {
    if (step === 'copying' && table === 'memories') rows = done
    if (rows >= 500) throw new Error('the power failed')
  })
  await assert.rejects(broken, /power failed/)
  await assert.rejects(begin({ MEMOIR_DATABASE_URL: databaseUrl }), /broken off/)
  const again: number[] = []
  const moved = await moveStore(here, there, ({ step, table, done }) => {
    if (step === 'copying' && table === 'memories') again.push(done)
  })
  assert.ok(again[0]! > 500, `it began at ${again[0]}`)
  const count = (table: string) => moved.find((one) => one.table === table)!.rows
  assert.ok(count('memories') > 520)
  assert.equal(count('vectors'), count('memories'))
  assert.equal(count('revisions'), 1)
})

test('the service is the same on the other engine, and goes on learning there', async () => {
  const service = await begin({ MEMOIR_DATABASE_URL: databaseUrl })
  assert.deepEqual(await seen(service), before)
  assert.equal(await citedPage(service), 2)
  assert.equal(
    (await post(service, 'memory', { Text: 'The new lamp hangs in the attic.', SourceName: 'x' })).status,
    200,
  )
  await service.learned()
  assert.match(JSON.stringify((await seen(service)).memories), /attic/)
  await service.close()
})

test('back again, on the command line', async () => {
  const target = temporaryFolder()
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'move', '--to', target], {
    env: { ...process.env, MEMOIR_DATABASE_URL: databaseUrl },
  })
  assert.match(stdout, /comparing vectors: \d+ rows/)
  assert.match(stdout, /memories +5\d\d +[0-9a-f]{16}/)
  assert.ok(!stdout.includes('memoir@'), 'a database address may hold a password: it is not repeated')
  const service = await begin({ MEMOIR_DATA: target })
  const after = await seen(service)
  assert.deepEqual(after.documents, before.documents)
  assert.match(JSON.stringify(after.memories), /attic/)
  assert.equal(await citedPage(service), 2)
  await service.close()
})

test('a target that holds something is refused, and keeps it', async () => {
  await assert.rejects(
    moveStore(here, there, () => {}),
    { code: 'conflict', message: /not empty/ },
  )
  const service = await begin({ MEMOIR_DATABASE_URL: databaseUrl })
  assert.equal((await seen(service)).persona.domain_name, DomainName)
})
