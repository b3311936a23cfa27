// The shipped embedder on its real weights.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { after, test } from 'node:test'
import { createEmbedder } from './embedder.ts'

const embedder = createEmbedder({ threads: 1 })
after(() => embedder.close())

const dot = (one: Float32Array, two: Float32Array) => one.reduce((sum, value, at) => sum + value * two[at]!, 0)

test('the weights are the ones the card names', () => {
  const folder = new URL('../../weights/all-MiniLM-L6-v2/', import.meta.url)
  for (const line of readFileSync(new URL('SHA256SUMS', folder), 'utf8').trim().split('\n')) {
    const [hash, name] = line.split(/\s+/)
    const bytes = readFileSync(new URL(name!, folder))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), hash, name)
  }
})

test('texts of one meaning lie closer than texts of another', async () => {
  const [dog, puppy, tax] = await embedder.embed(
    ['My dog loves the park.', 'Our puppy enjoys running outside.', 'The tax return is due in April.'],
    'memory',
  )
  assert.ok(dot(dog!, puppy!) > dot(dog!, tax!) + 0.3)
})

test('vectors have unit length, whatever the text', async () => {
  for (const text of ['', ' ', 'a', '漢字', 'word '.repeat(5_000), '\u0000\ud800']) {
    const [vector] = await embedder.embed([text], 'memory')
    assert.equal(vector!.length, embedder.dimensions)
    assert.ok(Math.abs(dot(vector!, vector!) - 1) < 1e-4, JSON.stringify(text.slice(0, 10)))
  }
})

test('many calls at once get each their own vectors back', async () => {
  const texts = Array.from({ length: 100 }, (_, at) => `Note ${at}: ${'more '.repeat(at % 7)}about subject ${at * 31}`)
  const alone = await embedder.embed([texts[42]!], 'question')
  const together = await Promise.all(texts.map((text) => embedder.embed([text], 'memory')))
  assert.ok(dot(alone[0]!, together[42]![0]!) > 0.98)
  assert.ok(dot(alone[0]!, together[41]![0]!) < 0.98)
})

test('threads that embed memories yield to the others', { skip: process.platform !== 'linux' }, async () => {
  // The fields behind the name of the thread, which may hold spaces: the seventeenth is its niceness.
  const nicenessOf = (task: string) =>
    Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16])
  await embedder.embed(['A note.'], 'memory')
  await embedder.embed(['A question?'], 'question')
  const nicenesses = readdirSync('/proc/self/task').map(nicenessOf)
  const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5)
  assert.deepEqual([...new Set(nicenesses)].sort(), [getPriority(), lower].sort())
})
