// What an owner keeps in order from the command line: memories, sessions, documents; with the admin key alone.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADMIN_KEY, startService, storedIn, temporaryFolder } from './started.ts'

type Ran = { out: string; err: string; code: number }

const folder = temporaryFolder()
const remote = await startService()
await remote.persona('ada-l')

function runIn(env: Record<string, string>, args: string[], input?: string): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/cli/main.ts', ...args],
      { env: { ...process.env, ...env } },
      (error, out, err) => resolve({ out, err, code: error ? Number(error.code) : 0 }),
    )
    child.stdin?.end(input)
  })
}
const run = (args: string[], input?: string) => runIn({ MEMOIR_URL: remote.url, MEMOIR_KEY: ADMIN_KEY }, args, input)
const json = async (...args: string[]) => {
  const { out, err } = await run([...args, '--json'])
  assert.equal(err, '')
  return JSON.parse(out)
}

test('a memory is given, used, listed and deleted', async () => {
  const given = await run(['remember', 'ada-l', 'The cat Turing is nine.', '--time', '2024-03-01', '--tags', 'cats'])
  const id = /^Remembered as (\S+)\. To forget it: memoir document delete ada-l \1\n$/.exec(given.out)?.[1]
  assert.ok(id, given.err)
  const reply = await json('ask', 'ada-l', 'How old is the cat Turing?', '--session', 's')
  assert.match(reply.ai_message, /nine/)
  assert.match((await run(['memories', 'ada-l', '--tag', 'cats'])).out, /2024-03-01 +command line +The cat Turing/)
  const { memories } = await json('memories', 'ada-l', '--plain', '--since', '2024-01-01')
  assert.equal((await json('memory', 'delete', 'ada-l', memories[0].id)).memories, 1)
  assert.match((await run(['memories', 'ada-l'])).out, /^No memories\. Give it one: memoir remember ada-l/)
})

test('sessions are listed, searched, named and deleted', async () => {
  assert.match((await run(['sessions', 'ada-l'])).out, /s +\S+ \S+ +2 +command line +How old is/)
  assert.match((await run(['sessions', 'ada-l', '--search', 'turing'])).out, /s +user +How old is the cat/)
  assert.match((await run(['session', 'rename', 'ada-l', 's', 'The cat'])).out, /title +The cat/)
  assert.equal((await json('session', 'delete', 'ada-l', 's')).messages, 2)
  assert.match((await run(['sessions', 'ada-l'])).out, /^Nobody has talked to ada-l yet\. Be the first/)
})

test('a document is shown, replaced, published, saved and deleted', async () => {
  const file = join(folder, 'harbour.md')
  writeFileSync(file, '# Harbour\n\nThe harbour freezes in January.')
  const { id } = await json('learn', 'ada-l', file, '--draft')
  assert.match((await run(['document', 'show', 'ada-l', id])).out, /is draft +true[\s\S]*freezes in January/)
  assert.match((await run(['document', 'publish', 'ada-l', id])).out, /^Published: Harbour/)
  const saved = join(folder, 'saved.md')
  await run(['document', 'file', 'ada-l', id, saved])
  assert.equal(readFileSync(saved, 'utf8'), readFileSync(file, 'utf8'))
  assert.match((await run(['document', 'replace', 'ada-l', id, '-'], 'It never freezes.')).out, /^Replaced/)
  assert.equal((await run(['document', 'show', 'ada-l', id, '--text'])).out, 'It never freezes.\n')
  assert.match((await run(['document', 'replace', 'ada-l', id, 'nowhere'])).err, /Name a file with the new text/)
  assert.equal((await json('document', 'delete', 'ada-l', id)).documents, 1)
  const gone = await run(['document', 'show', 'ada-l', id])
  assert.deepEqual([gone.code, gone.err.trim()], [1, 'This persona has no document with that id.'])
})

test('what waits is listed with the command for each, and settled by it', async () => {
  assert.equal((await run(['waiting'])).out, 'Nothing waits.\n')
  const broken = join(folder, 'broken.pdf')
  writeFileSync(broken, '%PDF-1.7 broken')
  await run(['learn', 'ada-l', broken])
  const asked = { DomainName: 'ada-l', Text: 'Where is the key?', SessionId: 'w', is_draft: true }
  await remote.call({ path: '/v1/message', key: await remote.key(['ada-l']), body: asked })
  const { out } = await run(['waiting'])
  assert.match(out, /^waits +persona +since +says +to settle it\n/)
  assert.match(out, /^1 draft +ada-l +\S+ \S+ +– +memoir drafts ada-l$/m)
  assert.match(out, /^1 document was not learned +ada-l +.*memoir documents ada-l --state failed$/m)
  const { documents } = await json('documents', 'ada-l', '--state', 'failed')
  assert.deepEqual(
    documents.map((one: { file_name: string }) => one.file_name),
    ['broken.pdf'],
  )
  await run(['document', 'delete', 'ada-l', documents[0].id])
  const { count, waiting } = await json('waiting')
  assert.deepEqual([count, waiting[0].kind], [1, 'drafts'])
})

test('the same on a data folder', async () => {
  const env = await storedIn(temporaryFolder())
  await runIn(env, ['persona', 'create', 'ada-l'])
  const given = await runIn(env, ['remember', 'ada-l', '-', '--json'], 'The dog Babbage sleeps in the hall.\n')
  const { document_id } = JSON.parse(given.out)
  const shown = await runIn(env, ['document', 'show', 'ada-l', document_id, '--text'])
  assert.equal(shown.out, 'The dog Babbage sleeps in the hall.\n')
})

test("a persona's key does what it may; the rest says which key to take", async () => {
  const env = { MEMOIR_URL: remote.url, MEMOIR_KEY: await remote.key(['ada-l']) }
  assert.match((await runIn(env, ['remember', 'ada-l', 'It', 'rains.'])).out, /^Remembered as \S+\./)
  const refused = await runIn(env, ['memories', 'ada-l'])
  assert.match(refused.err, /not an admin key\.\n[\s\S]*The admin key is one for every command/)
  assert.equal((await runIn({ MEMOIR_URL: remote.url }, ['memories', 'ada-l'])).code, 1)
})
