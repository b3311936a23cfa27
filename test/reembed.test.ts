// Another embedder is noticed at the start: memories are embedded anew while the old vectors serve.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Started, startService, storedIn, temporaryFolder } from './started.ts'

const MEMORIES = ['The ladder stands in the shed.', 'Parsnips taste best with honey.', 'The train leaves at seven.']
const DIMENSIONS = 64

// An embedding endpoint for which texts are alike that share words. Memories wait until they are let through.
let letThrough = () => {}
const open = new Promise<void>((resolve) => {
  letThrough = resolve
})
let refusals = 1
const server = createServer(async (request, answer) => {
  const { input } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as { input: string[] }
  if (input.some((text) => MEMORIES.includes(text))) {
    if (refusals-- > 0) return void answer.writeHead(404).end('not yet')
    await open
  }
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }))
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})

function vectorOf(text: string): number[] {
  const vector: number[] = Array(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/\w+/g) ?? [])
    vector[[...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DIMENSIONS, 7)]! += 1
  return vector
}

const folder = temporaryFolder()
const stored = await storedIn(folder)
const ENDPOINT = {
  MEMOIR_EMBED_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  MEMOIR_EMBED_MODEL: 'words',
}
const started = (env: Record<string, string> = {}) => startService({ ...stored, MEMOIR_READER: '0', ...env })

// Shares no word with the memory that answers it.
const QUESTION = 'What could I climb up with?'
const recall = async ({ admin }: Started) => {
  const { recollections } = await admin('POST', '/personas/ada-l/recall', { question: QUESTION })
  const ladder = recollections.find(({ text }: { text: string }) => text === MEMORIES[0])
  return { first: recollections[0].text, meaning: ladder.parts.meaning as number }
}
const leftToEmbed = async ({ call }: Started): Promise<number> =>
  (await call({ method: 'GET', path: '/readyz' })).body.memories_to_embed
// Both pages tell the same, unless it changed between them.
const toEmbed = async (service: Started) => {
  const ready = await leftToEmbed(service)
  const { body } = await service.call({ method: 'GET', path: '/metrics' })
  const later = await leftToEmbed(service)
  if (later === ready) assert.match(body, new RegExp(`\nmemoir_memories_to_embed ${ready}\n`))
  return later
}
const until = async (is: () => Promise<boolean>) => {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('the old vectors serve until the new ones are made, also after a failure and a restart', async () => {
  const first = await started()
  await first.persona('ada-l')
  const key = await first.key('*')
  for (const Text of MEMORIES)
    await first.call({ path: '/v1/memory', key, body: { DomainName: 'ada-l', Text, SourceName: 'notes' } })
  await first.learned()
  const before = await recall(first)
  assert.equal(before.first, MEMORIES[0])
  assert.equal(await toEmbed(first), 0)
  await first.close()

  const second = await started(ENDPOINT)
  await until(async () => (await toEmbed(second)) === MEMORIES.length)
  const state = () => second.admin('GET', '/personas/ada-l/model')
  assert.equal((await state()).to_embed, MEMORIES.length)
  assert.deepEqual(await recall(second), before)
  const ask = { DomainName: 'ada-l', Text: 'Where is the ladder?' }
  assert.match((await second.call({ path: '/v1/message', key, body: ask })).body.ai_message, /in the shed/)
  await second.close()

  const third = await started(ENDPOINT)
  await until(async () => (await toEmbed(third)) === MEMORIES.length)
  assert.deepEqual(await recall(third), before)
  letThrough()
  await until(async () => (await toEmbed(third)) === 0)
  assert.ok((await recall(third)).meaning < before.meaning / 2, 'the new embedder sees no likeness')
  assert.match((await third.call({ path: '/v1/message', key, body: ask })).body.ai_message, /in the shed/)
  await third.close()

  const back = await started()
  assert.deepEqual(await recall(back), before)
  assert.equal(await toEmbed(back), 0)
})
