// The work of learning as an owner sees it: followed live, done fairly, done once, and undone without a trace.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readTables } from './postgres-server.ts'
import { ADMIN_KEY, isOnPostgres, startService } from './started.ts'

const service = await startService()
const DomainName = 'ada-l'
await service.persona(DomainName)
const key = await service.key([DomainName])
const post = (path: string, body: object) => service.call({ path: `/v1/${path}`, key, body: { DomainName, ...body } })
const newest = async () => (await service.admin('GET', `/personas/${DomainName}/documents`)).documents[0]
const memories = async () =>
  (await service.admin('GET', `/personas/${DomainName}/memories?limit=200`)).memories as {
    id: string
    text: string
    document_id: string
  }[]

// About `words` words that no other text of these tests holds.
const paragraph = (about: string, words: number) =>
  `${Array.from({ length: words / 10 }, (_, i) => `The ${about} number ${i} was seen near the old harbour.`).join(' ')}`

test('the states of a document are streamed live to the admin, and to nobody else', async () => {
  assert.equal((await service.call({ method: 'GET', path: '/admin/events' })).status, 401)
  assert.equal((await service.call({ method: 'GET', path: '/admin/events', key })).status, 403)
  const stop = new AbortController()
  const stream = await fetch(`${service.url}/admin/events`, {
    headers: { 'x-api-key': ADMIN_KEY },
    signal: stop.signal,
  })
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/)
  await post('upload-text', { Title: 'Followed', Text: paragraph('heron', 3000) })
  let said = ''
  const states = new Set<string>()
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    said += chunk
    for (const [, data] of said.matchAll(/^data: (.*)$/gm)) {
      const event = JSON.parse(data!)
      assert.equal(event.domain_name, DomainName)
      if (event.title === 'Followed') states.add(event.state)
    }
    if (states.has('ready')) break
  }
  stop.abort()
  assert.ok(states.has('ready'))
})

test('a short note is known while a book is still being learned', async () => {
  await post('upload-text', {
    Title: 'Book',
    Text: Array.from({ length: 150 }, (_, i) => paragraph(`gull of chapter ${i}`, 250))
      .join('\n\n')
      .slice(0, 990_000),
  })
  await post('memory', { Text: 'The spare key lies under the blue pot.', SourceName: 'x' })
  const states: string[] = []
  const findBook = async (): Promise<{ id: string; state: string }> =>
    (await service.admin('GET', `/personas/${DomainName}/documents`)).documents.find(
      ({ title }: { title: string }) => title === 'Book',
    )
  for (;;) {
    const found = (await memories()).some(({ text }) => text.includes('spare key'))
    const { state } = await findBook()
    states.push(state)
    if (found || state === 'ready') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.notEqual(states.at(-1), 'ready', 'the note came before the book was done')
  await service.admin('DELETE', `/personas/${DomainName}/documents/${(await findBook()).id}`)
  await service.learned()
})

test('learning a text again touches only what changed', async () => {
  const [one, two, three] = ['falcon', 'ibis', 'puffin'].map((bird) => `# About the ${bird}\n\n${paragraph(bird, 300)}`)
  await post('upload-text', { Title: 'Birds', Text: [one, two, three].join('\n\n') })
  await service.learned()
  const { id } = await newest()
  const of = async () => (await memories()).filter((memory) => memory.document_id === id)
  const before = await of()
  assert.ok(before.length >= 3)
  await service.call({
    method: 'PUT',
    path: `/v1/update-document?feed_id=${id}`,
    key,
    body: { DomainName, Text: [one, `# About the stork\n\n${paragraph('stork', 300)}`, three].join('\n\n') },
  })
  await service.learned()
  const after = await of()
  const kept = after.filter((memory) => before.some((old) => old.id === memory.id))
  assert.ok(kept.length >= 2, 'what reads the same is the same memory')
  assert.ok(kept.every(({ text }) => /falcon|puffin/.test(text)))
  assert.ok(after.some(({ text }) => /stork/.test(text)) && !after.some(({ text }) => /ibis/.test(text)))
})

const filesOf = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))

describe('forgetting', () => {
  test('no byte of a deleted document, memory or persona is left after compacting', async () => {
    const secret = (n: number) => `xylophonic${n}quartz`
    await service.persona('forgetful', { threshold: 99 })
    const other = await service.key(['forgetful'])
    const send = (path: string, body: object) =>
      service.call({ path: `/v1/${path}`, key: other, body: { DomainName: 'forgetful', ...body } })
    await send('upload-text', { Title: secret(1), Text: `The word is ${secret(2)}.` })
    const form = new FormData()
    form.set('file', new Blob([`The file says ${secret(3)}.\n`.repeat(500)]), 'notes.txt')
    form.set('message_request', JSON.stringify({ DomainName: 'forgetful', Tags: secret(4) }))
    await service.call({ path: '/v1/upload-file', key: other, body: form })
    await send('memory', { Text: `Remember ${secret(5)}.`, SourceName: secret(6), RawFeedText: secret(7) })
    await service.learned()
    const [file, text] = (await service.admin('GET', '/personas/forgetful/documents')).documents
    await service.call({
      method: 'PUT',
      path: `/v1/update-document?feed_id=${text.id}`,
      key: other,
      body: { DomainName: 'forgetful', Text: `Now it is ${secret(8)}.` },
    })
    await service.learned()
    await send('message', { Text: 'What is the word now?' }) // withheld: its draft quotes the document

    const receipts = [
      await service.admin('DELETE', `/personas/forgetful/documents/${file.id}`),
      await service.admin('DELETE', `/personas/forgetful/documents/${text.id}`),
    ]
    assert.equal(receipts[0].deleted.file_bytes, file.file_bytes)
    assert.deepEqual([receipts[1].deleted.memories, receipts[1].deleted.revisions], [1, 1])
    for (const memory of (await service.admin('GET', '/personas/forgetful/memories')).memories) {
      await service.admin('DELETE', `/personas/forgetful/memories/${memory.id}`)
    }
    for (const { id } of (await service.admin('GET', '/personas/forgetful/drafts')).drafts) {
      await service.admin('POST', `/personas/forgetful/drafts/${id}/reject`)
    }
    await service.store.compact()
    const left = isOnPostgres ? await readTables(service.databaseUrl!) : filesOf(service.folder)
    for (let n = 1; n <= 8; n++)
      assert.ok(!left.some((bytes) => bytes.includes(secret(n))), `secret ${n} is still there`)
    const reply = await send('instruction?cmd=search', { Text: secret(8) })
    assert.ok(!JSON.stringify(reply.body).includes(secret(8)))
  })
})
