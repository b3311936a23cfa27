// The page of a citation: that of the sentence that answers, also where its passage began on an earlier one.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openZip } from '../src/extract/office/zip.ts'
import { makeTextPdf, makeZip } from '../src/extract/test-files.ts'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
await service.persona('ada-l')
const onPage = (words: string) => `BT /F1 12 Tf 72 720 Td (${words}) Tj ET`
const pdf = makeTextPdf([
  onPage('The kiln in the yard was built in 1911 by the first owner of the house.'),
  onPage('The roof was mended in the spring of 2019 by Osman Farrell and his two sons.'),
  onPage('The well behind the barn is forty metres deep.'),
])
const form = new FormData()
form.set('file', new Blob([pdf as Uint8Array<ArrayBuffer>]), 'house.pdf')
await service.call({ path: '/v1/upload-file?DomainName=ada-l', key: await service.key(['ada-l']), body: form })
await service.learned()

const asked = [
  ['When was the kiln built?', 1],
  ['Who mended the roof?', 2],
  ['How deep is the well?', 3],
] as const

async function reply(persona: string, Text: string) {
  const key = await service.key([persona])
  const { headers } = await service.call({ path: '/v1/message', key, body: { DomainName: persona, Text } })
  return headers.get('x-memoir-reply-id')!
}

async function sourceOf(persona: string, question: string) {
  const why = await service.admin('GET', `/personas/${persona}/replies/${await reply(persona, question)}`)
  return why.sources[0]
}

async function pagesOf(persona: string): Promise<number[]> {
  const pages = []
  for (const [question] of asked) pages.push((await sourceOf(persona, question)).page)
  return pages
}

test('three pages are one passage, and each sentence is cited with its own', async () => {
  const { memories } = await service.admin('GET', '/personas/ada-l/memories')
  assert.deepEqual(
    memories.map(({ page }: { page: number }) => page),
    [1],
  )
  const { text, page, sentences } = await sourceOf('ada-l', 'Who mended the roof?')
  assert.match(text.slice(sentences[0].start, sentences[0].end), /^The roof was mended/)
  assert.equal(page, 2)
  assert.deepEqual(
    await pagesOf('ada-l'),
    asked.map(([, expected]) => expected),
  )
})

test('on the command line, too', async () => {
  const id = await reply('ada-l', 'How deep is the well?')
  const explain = ['src/cli/main.ts', 'explain', 'ada-l', id]
  const env = { ...process.env, MEMOIR_URL: service.url, MEMOIR_ADMIN_KEY: ADMIN_KEY }
  const { stdout } = await promisify(execFile)(process.execPath, explain, { env })
  assert.match(stdout, /^from A small book, page 3, /m)
})

async function exported(persona: string): Promise<Record<string, Uint8Array>> {
  const answer = await fetch(`${service.url}/admin/personas/${persona}/export`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: '{}',
  })
  const archive = openZip(Buffer.from(await answer.arrayBuffer()))
  return Object.fromEntries(archive.names.map((name) => [name, archive.read(name)!]))
}

function brought(files: Record<string, Uint8Array>, as: string) {
  const path = `/admin/import?as=${as}`
  return service.call({ path, key: ADMIN_KEY, body: makeZip(files), headers: { 'content-type': 'application/zip' } })
}

test('an export takes the pages along; of an older one, or of none that is right, nothing is made up', async () => {
  const files = await exported('ada-l')
  const memory = JSON.parse(Buffer.from(files['memories.jsonl']!).toString())
  assert.deepEqual(
    memory.page_starts.map(({ start, page }: { start: number; page: number }) => [memory.text.slice(start)[4], page]),
    [
      ['r', 2],
      ['w', 3],
    ],
  )
  assert.equal((await brought(files, 'twin')).status, 200)
  assert.deepEqual(await pagesOf('twin'), [1, 2, 3])
  assert.deepEqual((await exported('twin'))['memories.jsonl'], files['memories.jsonl'])

  const withStarts = (page_starts: unknown) => ({
    ...files,
    'memories.jsonl': Buffer.from(`${JSON.stringify({ ...memory, page_starts })}\n`),
  })
  assert.equal((await brought(withStarts(undefined), 'older')).status, 200)
  assert.deepEqual(await pagesOf('older'), [1, 1, 1])
  for (const wrong of [7, 'all', [null], [{ start: 4 }], [{ start: 'x', page: 2 }]]) {
    const { status, body } = await brought(withStarts(wrong), 'wrong')
    assert.equal(status, 422, JSON.stringify(wrong))
    assert.match(body.detail, /Line 1 of memories\.jsonl: page_starts must be a list of start and page/)
  }
})
