// A persona goes out as a zip of JSON Lines and comes in again, here or elsewhere; a caller's sessions go out, or go.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openZip } from '../src/extract/office/zip.ts'
import { read } from '../src/extract/read.ts'
import { ADMIN_KEY, startService, storedIn, temporaryFolder } from './started.ts'

const DomainName = 'ada-l'
const service = await startService({ MEMOIR_READER: '0' })
await service.persona(DomainName, { threshold: 12.5, instructions: 'Speak softly. 🕯️', owner: { name: 'Annabella' } })
const key = await service.key([DomainName])
const post = async (path: string, body: object) => {
  const answer = await service.call({
    path: `/v1/${path}`,
    key,
    body: body instanceof FormData ? body : { DomainName, ...body },
  })
  assert.ok(answer.status === 200 || answer.status === 503, JSON.stringify(answer.body))
}
for (let n = 0; n < 5; n++) await post('memory', { Text: `The lamp ${n} hangs in room ${n * 7}.`, SourceName: 'x' })
const form = new FormData()
form.set('file', new Blob([`The ferry to Ithaca leaves at noon. 🚢\n${' '.repeat(400_000)}`]), 'notes.txt')
form.set('message_request', JSON.stringify({ DomainName, Title: 'File' }))
await post('upload-file', form)
await service.learned()
const [document] = (await service.admin('GET', `/personas/${DomainName}/documents`)).documents
await service.call({
  method: 'PUT',
  path: `/v1/update-document?feed_id=${document.id}`,
  key,
  body: { DomainName, Text: 'The ferry to Ithaca leaves at one.' },
})
await post('message', { Text: 'When does the ferry leave?', SessionId: 's1', UserName: 'Odysseus' })
await post('message', { Text: 'Where is lamp 3?', SessionId: 's2', UserName: 'Odysseus' })
await post('message', { Text: 'Who is the king of nowhere?', SessionId: 's3', UserName: 'Penelope', is_draft: true })
await service.learned()
const { replies } = await service.admin('GET', `/personas/${DomainName}/replies`)
await service.admin('PUT', `/personas/${DomainName}/replies/${replies[0].id}/label`, { label: 'right' }).catch(() => {})

async function taken(path: string, body: object, of = service): Promise<Buffer> {
  const answer = await fetch(`${of.url}/admin/personas/${DomainName}/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, answer.ok ? '' : await answer.text())
  return Buffer.from(await answer.arrayBuffer())
}

const brought = (bytes: Uint8Array, query = '', of = service) =>
  of.call({
    path: `/admin/import${query}`,
    key: ADMIN_KEY,
    body: bytes,
    headers: { 'content-type': 'application/zip' },
  })

// Every line of every file; what an import may change is left out.
function linesIn(zip: Uint8Array): Record<string, unknown[]> {
  const archive = openZip(zip)
  const files = archive.names.filter((name) => name !== 'memoir.json')
  return Object.fromEntries(
    files.map((name) => {
      const text = Buffer.from(archive.read(name)!).toString()
      if (!name.endsWith('.jsonl')) return [name, [name.endsWith('.json') ? JSON.parse(text) : text]]
      const lines = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      return [name, lines.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
    }),
  )
}

test('an export holds everything, and comes in equal line by line under another name; twice is once', async () => {
  const whole = await taken('export', { vectors: true })
  const lines = linesIn(whole)
  assert.equal(lines['documents.jsonl']!.length, 6)
  assert.equal(lines['memories.jsonl']!.length, lines['vectors.jsonl']!.length)
  assert.equal(lines['revisions.jsonl']!.length, 1)
  assert.equal(lines['messages.jsonl']!.length, 5)
  assert.equal(lines['replies.jsonl']!.length, 3)
  assert.equal(lines['drafts.jsonl']!.length, 1)
  assert.match(lines[`originals/${document.id}`]![0] as string, /^The ferry to Ithaca leaves at noon\. 🚢/)
  const first = await brought(whole, '?as=Twin')
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.deepEqual([first.body.is_new, first.body.embedded, first.body.added.documents], [true, 0, 6])
  const again = await brought(whole, '?as=twin')
  assert.equal(again.body.is_new, false)
  assert.deepEqual(
    Object.values(again.body.added).filter((count) => count !== 0),
    [],
  )
  const { 'persona.json': settings, ...rest } = linesIn(
    await fetch(`${service.url}/admin/personas/twin/export`, {
      method: 'POST',
      headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
      body: '{"vectors":true}',
    }).then(async (answer) => Buffer.from(await answer.arrayBuffer())),
  )
  const { 'persona.json': before, ...expected } = lines
  assert.deepEqual(rest, expected)
  assert.deepEqual(settings, [{ ...(before![0] as object), domain_name: 'Twin' }])
  const twin = await service.key(['twin'])
  const reply = await service.call({
    path: '/v1/message',
    key: twin,
    body: { DomainName: 'twin', Text: 'When does the ferry to Ithaca leave?' },
  })
  assert.match(reply.body.ai_message ?? '', /at one/)
})

test('on the command line, without vectors, into another store', async () => {
  const file = join(temporaryFolder(), 'ada.zip')
  const folder = temporaryFolder()
  const memoir = (args: string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], { env: { ...process.env, ...env } })
  await memoir(['export', DomainName, file], { MEMOIR_URL: service.url, MEMOIR_ADMIN_KEY: ADMIN_KEY })
  const { stdout } = await memoir(['import', file, '--json'], { ...(await storedIn(folder)), MEMOIR_READER: '0' })
  const imported = JSON.parse(stdout)
  assert.equal(imported.domain_name, DomainName)
  assert.equal(imported.embedded, imported.added.memories)
  const other = await startService({ MEMOIR_DATA: folder, MEMOIR_READER: '0' })
  const [here, there] = [linesIn(await taken('export', {})), linesIn(await taken('export', {}, other))]
  assert.deepEqual(there, here)
  const { recollections } = await other.admin('POST', `/personas/${DomainName}/recall`, {
    question: 'Which room has lamp 3?',
    size: 1,
  })
  assert.match(recollections[0].text, /lamp 3/)
  await other.close()
})

test('what is no document is named as what it is, and how it comes back', async () => {
  const bytes = await taken('export', {})
  for (const [content, why] of [
    [bytes, /the export of a persona: `memoir import`/],
    [
      Buffer.concat([Buffer.from('MEMOIR BACKUP\r\n\x1a'), Buffer.alloc(100, 0x91), Buffer.alloc(100)]),
      /a backup of Memoir: `memoir restore`/,
    ],
  ] as const)
    await assert.rejects(read({ bytes: content, name: null, mediaType: null }), why)
})

test('a file that is no export, damaged or newer is refused, and nothing is stored', async () => {
  const whole = await taken('export', {})
  const count = async () => (await service.admin('GET', '/personas')).personas.length
  const before = await count()
  const damaged = Buffer.from(whole)
  damaged[Math.floor(whole.length / 3)]! ^= 1
  for (const [bytes, why] of [
    [Buffer.from('nothing of the kind'), /no zip archive, or it is damaged/],
    [whole.subarray(0, whole.length - 30), /no zip archive, or it is damaged/],
    [damaged, /damaged|no JSON|not as an export/],
    [await taken('callers/export', { session_id: 's1' }), /a caller's sessions, no persona/],
  ] as const) {
    const { status, body } = await brought(bytes, '?as=nobody')
    assert.equal(status, 422, JSON.stringify(body))
    assert.match(body.detail, why)
  }
  assert.equal((await brought(whole, '?as=no/name')).status, 400)
  assert.equal(await count(), before)
  const refused = await service.call({
    path: '/admin/import',
    key,
    body: whole,
    headers: { 'content-type': 'application/zip' },
  })
  assert.equal(refused.status, 403)
})

test("a caller's sessions go out, and go for good with a receipt", async () => {
  const lines = linesIn(await taken('callers/export', { user_name: 'Odysseus' }))
  assert.deepEqual(lines['sessions.jsonl']!.map((session) => (session as { id: string }).id).sort(), ['s1', 's2'])
  assert.equal(lines['messages.jsonl']!.length, 4)
  assert.ok(!JSON.stringify(lines).includes('Penelope'))
  const neither = await service.call({ path: `/admin/personas/${DomainName}/callers/delete`, key: ADMIN_KEY, body: {} })
  assert.deepEqual(
    [neither.status, neither.body.detail],
    [400, 'Name the caller by session_id or by user_name, one of the two.'],
  )
  const { deleted, deleted_at } = await service.admin('POST', `/personas/${DomainName}/callers/delete`, {
    user_name: 'Odysseus',
  })
  assert.deepEqual(deleted, { sessions: 2, messages: 4, replies: 2, drafts: 0 })
  assert.ok(Date.parse(deleted_at) <= Date.now())
  const { sessions } = await service.admin('GET', `/personas/${DomainName}/sessions`)
  assert.deepEqual(
    sessions.map(({ id }: { id: string }) => id),
    ['s3'],
  )
  const gone = await service.call({
    path: `/admin/personas/${DomainName}/callers/delete`,
    key: ADMIN_KEY,
    body: { session_id: 's1' },
  })
  assert.equal(gone.status, 404)
})
