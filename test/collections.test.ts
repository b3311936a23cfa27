// The exports of other programs through the front: taken apart, asked about, brought in again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { boxed, withFiles } from '../src/extract/collections/test-mails.ts'
import * as samples from '../src/extract/collections/test-samples.ts'
import { kill, launch } from './launched.ts'
import { ADMIN_KEY, startService, storedIn, temporaryFolder } from './started.ts'

const service = await startService()
await service.persona('ada-l', { name: 'Ada', owner: { name: 'Ada' } })
const key = await service.key(['ada-l'])

const bring = async (content: string | Uint8Array, name: string, more = '') =>
  service.call({
    path: `/admin/personas/ada-l/learn?file_name=${encodeURIComponent(name)}${more}`,
    key: ADMIN_KEY,
    body: Buffer.from(content),
    headers: { 'content-type': 'application/octet-stream' },
  })
const learn = async (content: string | Uint8Array, name: string, more = '') => {
  const { status, body } = await bring(content, name, more)
  assert.equal(status, 200, JSON.stringify(body))
  await service.learned()
  return service.admin('GET', `/personas/ada-l/documents/${body.id}`)
}
const ask = async (Text: string): Promise<string> =>
  (await service.call({ path: '/v1/message', key, body: { DomainName: 'ada-l', Text } })).body.ai_message
const listed = async (query = '') =>
  (await service.admin('GET', `/personas/ada-l/documents?limit=200${query}`)).documents

test('an export becomes documents, and says what came in and what did not', async () => {
  const collection = await learn(samples.chatgptSample(), 'conversations.json', '&tags=mine')
  assert.equal(collection.kind, 'collection')
  assert.equal(collection.state, 'ready')
  assert.deepEqual(collection.unpacked, {
    formats: ['ChatGPT'],
    added: 1,
    changed: 0,
    unchanged: 0,
    contents: { messages: 3 },
    left_out: { 'answers in which the assistant did not know or declined': 1, 'entries without text': 1 },
  })
  assert.match(collection.text, /^ChatGPT: 1 document is new/)
  assert.equal(collection.file_bytes, 0)
  const [document] = await listed(`&request_id=${collection.id}`)
  assert.equal(document.title, 'ChatGPT: Cakes')
  assert.equal(document.source_name, 'ChatGPT')
  assert.deepEqual(document.tags, ['mine'])
  assert.equal(document.start_time_utc, '2024-05-03T14:22:01.500Z')
})

test('who said it stays who said it: the owner’s words are the persona’s, the assistant’s are the assistant’s', async () => {
  assert.match(await ask('What are you allergic to?'), /hazelnuts/)
  const { memories } = await service.admin('GET', '/personas/ada-l/memories?limit=10')
  const speakers = memories.map((memory: { speaker: string; text: string }) => [memory.speaker, memory.text])
  assert.ok(speakers.some(([speaker, text]: string[]) => speaker === 'ChatGPT' && text!.includes('lemon cake')))
  const answer = await ask('Do you know my blood type?')
  assert.ok(!answer.includes('sorry'), answer)
})

test('the same again changes nothing; what grew is replaced, with the old text as a revision', async () => {
  const again = await learn(samples.chatgptSample(), 'conversations.json')
  assert.deepEqual([again.unpacked.added, again.unpacked.changed, again.unpacked.unchanged], [0, 0, 1])
  const [before] = await listed('&source=ChatGPT&kind=text')
  const later = await learn(samples.chatgptSample([samples.laterQuestion]), 'conversations.json')
  assert.deepEqual([later.unpacked.added, later.unpacked.changed, later.unpacked.unchanged], [0, 1, 0])
  const [after, ...others] = await listed('&source=ChatGPT&kind=text')
  assert.deepEqual(others, [])
  assert.equal(after.id, before.id)
  const { revisions } = await service.admin('GET', `/personas/ada-l/documents/${after.id}/revisions`)
  assert.equal(revisions.length, 1)
  assert.match(await ask('What is your bicycle called?'), /Rosinante/)
  // An export that begins later does not take away what was known.
  const shorter = await learn(samples.chatgptSample(), 'conversations.json')
  assert.deepEqual([shorter.unpacked.changed, shorter.unpacked.unchanged], [0, 1])
})

test('of a chat one can ask who said what, and when', async () => {
  await learn(samples.whatsappSample, 'WhatsApp Chat with Family.txt')
  assert.match(await ask('What did Ana Silva say about the cat?'), /Bruno/)
  assert.match(await ask('When did Ana say what the cat is called?'), /14 June 2024/)
  assert.match(await ask('Where does Ana move to?'), /Ana Silva.*Lisbon/)
  const slack = await learn(await samples.slackSample(), 'slack.zip')
  assert.deepEqual(slack.unpacked.contents, { messages: 4 })
  assert.match(await ask('Who said that the projector is broken?'), /Ben Kahn/)
})

test('a document attached to a mail is learned from its own bytes, once', async () => {
  const mail = await learn(boxed(withFiles), 'papers')
  const [file] = await listed(`&request_id=${mail.id}&kind=file`)
  assert.equal(file.file_name, 'boat.txt')
  assert.equal(file.file_bytes, 51)
  const { text } = await service.admin('GET', `/personas/ada-l/documents/${file.id}`)
  assert.equal(text, 'The boat is called Marguerite and lies in berth 41.')
  assert.equal((await learn(boxed(withFiles), 'papers')).unpacked.unchanged, 2)
})

test('what is no export is learned as the document it is', async () => {
  const note = await learn('The spare key lies under the blue pot.', 'note.txt')
  assert.equal(note.kind, 'file')
  assert.equal(note.unpacked, null)
  assert.match(await ask('Where is the spare key?'), /blue pot/)
})

test('a file that is damaged fails with a sentence, and others are refused at the door', async () => {
  const broken = await learn(samples.chatgptSample().slice(0, -60), 'conversations.json')
  assert.equal(broken.state, 'failed')
  assert.match(broken.error, /cut short/)
  assert.equal((await bring('', 'empty.txt')).status, 400)
  assert.equal((await service.call({ path: '/admin/personas/ada-l/learn?file_name=x', key, body: 'x' })).status, 403)
  const unknown = { path: '/admin/personas/nobody/learn?file_name=x', key: ADMIN_KEY, body: Buffer.from('x') }
  const headers = { 'content-type': 'application/octet-stream' }
  assert.equal((await service.call({ ...unknown, headers })).status, 404)
  const message = await service.call({ path: '/v1/message', key, body: Buffer.from('{}'), headers })
  assert.equal(message.status, 415)
})

test('the command line learns exports and says what came in', async () => {
  const folder = temporaryFolder()
  const data = await storedIn(join(folder, 'data'))
  const env = { ...process.env, ...data }
  const memoir = async (...given: string[]) =>
    (await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...given], { env })).stdout
  await memoir('persona', 'create', 'ben', '--name', 'Ben')
  writeFileSync(join(folder, 'chat.txt'), samples.whatsappSample)
  const said = await memoir('learn', 'ben', join(folder, 'chat.txt'))
  assert.match(said, /WhatsApp: 2 documents are new, 0 have changed, 0 were there already\./)
  assert.match(said, /In the file: 4 messages\./)
  assert.match(said, /Left out: notices of the program, such as who joined \(1\), pictures/)
  mkdirSync(join(folder, 'exports'))
  writeFileSync(join(folder, 'exports', 'claude.json'), samples.claudeSample)
  writeFileSync(join(folder, 'exports', 'chatgpt.json'), samples.chatgptSample())
  const both = JSON.parse(await memoir('learn', 'ben', join(folder, 'exports'), '--json'))
  assert.deepEqual(both.unpacked.formats.sort(), ['ChatGPT', 'Claude'])
  assert.match(await memoir('documents', 'ben'), /Claude: Garden/)
  // A folder that is no export is learned file by file.
  mkdirSync(join(folder, 'papers'))
  writeFileSync(join(folder, 'papers', 'one.csv'), 'name,price\nbolt,3\nnut,2\nwasher,1\n')
  writeFileSync(join(folder, 'papers', 'two.html'), '<html><body><h1>Two</h1><p>A page.</p></body></html>')
  assert.equal((await memoir('learn', 'ben', join(folder, 'papers'))).match(/^Learned /gm)?.length, 2)
})

test('an acknowledged export outlives a kill in the middle', async () => {
  const folder = temporaryFolder()
  const env = { ...(await storedIn(folder)), MEMOIR_ADMIN_KEY: ADMIN_KEY, MEMOIR_READER: '0' }
  const lines = Array.from(
    { length: 3_000 },
    (_, n) => `${new Date(Date.UTC(2015, 0, 1 + n)).toISOString().slice(0, 10)}, 09:00 - Ana: Day ${n} was quiet`,
  )
  let running = await launch(env)
  const admin = async (method: string, path: string, body?: object | Buffer) => {
    const isFile = body instanceof Buffer
    const answer = await fetch(`${running.url}/admin/personas${path}`, {
      method,
      headers: {
        'x-api-key': ADMIN_KEY,
        ...(body && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    assert.equal(answer.status, 200)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return (await answer.json()) as any
  }
  await admin('POST', '', { domain_name: 'ana', name: 'Ana' })
  const { id } = await admin('POST', '/ana/learn?file_name=chat.txt', Buffer.from(lines.join('\n')))
  await kill(running)
  running = await launch(env)
  for (;;) {
    const { state, unpacked } = await admin('GET', `/ana/documents/${id}`)
    if (state === 'ready') {
      assert.equal(unpacked.added, 99) // months
      assert.equal(unpacked.contents.messages, 3_000)
      break
    }
    assert.notEqual(state, 'failed')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await kill(running)
})
