// Recordings are written down by another service: with times, tried again, and without holding up anybody else's files.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { openRooms } from '../src/start.ts'
import { startService, temporaryFolder } from './started.ts'

type Script = { status: number; answer: unknown; until?: Promise<void> }

// A transcription endpoint that answers by what a recording's bytes say.
const scripts = new Map<string, Script[]>()
const asked: { name: string; fields: Record<string, string>; authorization: string | undefined }[] = []
const server = createServer(async (request, answer) => {
  const body = Buffer.concat(await Array.fromAsync(request))
  const headers = { 'content-type': request.headers['content-type']! }
  const form = await new Response(body, { headers }).formData()
  const file = form.get('file') as File
  const name = Buffer.from(await file.arrayBuffer())
    .subarray(16)
    .toString()
    .replaceAll('\0', '')
  const fields = Object.fromEntries([...form].map(([key, value]) => [key, value instanceof File ? value.name : value]))
  asked.push({ name, fields: fields as Record<string, string>, authorization: request.headers.authorization })
  const { status, answer: says, until } = scripts.get(name)!.shift()!
  await until
  answer.writeHead(status).end(typeof says === 'string' ? says : JSON.stringify(says))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})

const service = await startService({
  MEMOIR_READER: '0',
  MEMOIR_GUIDE: '0',
  MEMOIR_TRANSCRIPTION_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
  MEMOIR_TRANSCRIPTION_MODEL: 'whisper-1',
  MEMOIR_TRANSCRIPTION_KEY: 'its-key',
})
await Promise.all(['ada', 'ben', 'cem'].map((name) => service.persona(name)))
const key = await service.key('*')

const recording = (name: string) => Buffer.from(`RIFF\x24\0\0\0WAVEfmt ${name}`)

async function upload(persona: string, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('DomainName', persona)
  form.set('file', new Blob([bytes]), `${name}.bin`)
  const { status, body } = await service.call({ path: '/v1/upload-file', key, body: form })
  assert.equal(status, 200, JSON.stringify(body))
}
async function learn(persona: string, name: string, ...script: Script[]) {
  scripts.set(name, script)
  await upload(persona, name, recording(name))
}
const documentOf = async (persona: string, name: string) =>
  (await service.admin('GET', `/personas/${persona}/documents`)).documents.find(
    (document: { title: string }) => document.title === `${name}.bin`,
  )
async function ended(persona: string, name: string) {
  for (;;) {
    const document = await documentOf(persona, name)
    if (document.state === 'ready' || document.state === 'failed') return document
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const recalled = async (persona: string, question: string): Promise<string> =>
  (await service.admin('POST', `/personas/${persona}/recall`, { question })).recollections[0].text

test('a recording is remembered with its times; an endpoint that is busy is asked again', async () => {
  const segments = [
    { start: 0, end: 2.5, text: ' Welcome to the club.' },
    { start: 751.2, end: 755, text: ' The ferry leaves at seven.' },
  ]
  await learn('ada', 'talk', { status: 503, answer: 'busy' }, { status: 200, answer: { text: '', segments } })
  assert.equal((await ended('ada', 'talk')).state, 'ready')
  assert.match(await recalled('ada', 'When does the ferry leave?'), /\[12:31\] The ferry leaves at seven\./)
  const [first, second] = asked.filter(({ name }) => name === 'talk')
  assert.deepEqual(first, second)
  assert.equal(first!.authorization, 'Bearer its-key')
  assert.deepEqual(first!.fields, {
    file: 'recording.wav',
    model: 'whisper-1',
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'segment',
  })
})

test('a model that knows no times is asked for the text alone', async () => {
  const refused = { error: { message: "response_format 'verbose_json' is not compatible with model" } }
  await learn('ada', 'untimed', { status: 400, answer: refused }, { status: 200, answer: { text: 'Owls hunt mice.' } })
  assert.equal((await ended('ada', 'untimed')).state, 'ready')
  assert.equal(await recalled('ada', 'What do owls hunt?'), 'Owls hunt mice.')
})

test('what the endpoint refuses fails with a sentence', async () => {
  await learn('ada', 'secret', { status: 401, answer: 'no' })
  await learn('ada', 'page', { status: 200, answer: '<html>' })
  await learn('ada', 'silence', { status: 200, answer: { text: '', segments: [] } })
  const errors = await Promise.all(['secret', 'page', 'silence'].map(async (name) => (await ended('ada', name)).error))
  assert.deepEqual(errors, [
    'The transcription endpoint refuses MEMOIR_TRANSCRIPTION_KEY: correct it.',
    'The transcription endpoint answers something else: check its address.',
    'Nothing is said in the recording.',
  ])
})

test('recordings that take long hold up nobody, not even files of their own persona', async () => {
  let letThrough = () => {}
  const until = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const slow = { status: 200, answer: { text: 'At last.' }, until }
  for (const persona of ['ada', 'ben', 'cem'])
    for (const name of ['one', 'two']) await learn(persona, `${persona}-${name}`, slow)
  // Long enough for the lane of long documents, with little to embed.
  const long = Buffer.from(`The lighthouse has a red door.${' '.repeat(70_000)}`)
  for (const persona of ['ben', 'cem']) await upload(persona, 'long', long)
  assert.equal((await ended('cem', 'long')).state, 'ready')
  assert.equal((await ended('ben', 'long')).state, 'ready')
  assert.equal((await documentOf('ada', 'ada-one')).state, 'reading')
  letThrough()
  await service.learned()
  assert.equal((await documentOf('cem', 'cem-two')).state, 'ready')
})

test('a language whose data is not installed is named at the start, with what to run', async () => {
  const env = { MEMOIR_DATA: temporaryFolder(), MEMOIR_LOG: 'silent', MEMOIR_OCR_LANGUAGES: 'eng+tlh' }
  const sentence = /MEMOIR_OCR_LANGUAGES names tlh, .* Run: npm install @tesseract\.js-data\/tlh$/
  await assert.rejects(openRooms(readConfig(env)), { message: sentence })
  assert.throws(() => readConfig({ MEMOIR_OCR_LANGUAGES: 'English' }), /must look like eng\+deu/)
  assert.throws(() => readConfig({ MEMOIR_TRANSCRIPTION_URL: 'http://a' }), /_URL and MEMOIR_TRANSCRIPTION_MODEL go/)
})
