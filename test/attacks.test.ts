// Requests made to stop the service: none may hold its event loop, whoever sends it, and each gets a clear answer.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, assertShort, startAttacked } from './attacked.ts'

const service = await startAttacked()
await service.persona('ada-l')
await service.persona('bob')
const key = await service.key('ada-l')
const DomainName = 'ada-l'

const post = (path: string, fields: object, more: object = {}) =>
  service.call(path, { key, body: JSON.stringify({ DomainName, ...fields }), ...more })

// Everything is warm: models are loaded, code is compiled.
before(async () => {
  await post('/v1/memory', { Text: 'The harbour froze in 1871.', SourceName: 'test' })
  await post('/v1/upload-text', { Text: 'The lighthouse has a keeper. '.repeat(2_000) })
  await service.learned()
  for (let n = 0; n < 3; n++) await post('/v1/message', { Text: 'When did the harbour freeze?' })
  await service.watched()
})

async function unharmed(attack: () => Promise<unknown>): Promise<void> {
  await service.watched()
  await attack()
  await service.learned()
  assertShort(await service.watched())
  assert.equal((await post('/v1/message', { Text: 'When did the harbour freeze?' })).status, 200)
}

const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"m${n}":${n}`).join(',')}}`
const sixMegabytes = members(420_000)

describe('texts', () => {
  for (const [name, Text] of [
    ['200,000 hashes behind a heading', `## a ${'#'.repeat(200_000)}`],
    ['40,000 closing quotation marks', '”'.repeat(40_000)],
    ['10,000 headings and nothing else', '# a\n'.repeat(10_000)],
    ['900,000 spaces between two words', `one${' '.repeat(900_000)}two`],
    ['400,000 emoji', '🙂'.repeat(400_000)],
    ['a million letters without a space', 'a'.repeat(1_000_000)],
    ['front matter of spaces', `---\ntitle:${' '.repeat(15_000)}x\n---\n`],
  ] as const) {
    test(`${name}, to be remembered`, () =>
      unharmed(async () => {
        assert.equal((await post('/v1/memory', { Text, SourceName: 'test' })).status, 200)
      }))
    test(`${name}, as a message that is also remembered`, () =>
      unharmed(async () => {
        assert.equal((await post('/v1/message', { Text, is_stack: true })).status, 200)
      }))
  }

  for (const [name, line] of [
    ['50,000 list items', '- a\n'],
    ['lines that a page broke', 'the sea is wide and the land is small to those who know\n'],
  ] as const)
    test(`${name}, to be summarised`, () =>
      unharmed(async () => {
        const Text = `Summarise this text: ${line.repeat(400_000 / line.length)}`
        assert.equal((await post('/v1/instruction?cmd=chatgpt', { Text })).status, 200)
      }))

  test('a memory with 30,000 spaces harms no question that finds it', () =>
    unharmed(async () => {
      const Text = `The password of the boat house${' '.repeat(30_000)}is kept by the miller.`
      await post('/v1/memory', { Text, SourceName: 'test' })
      await service.learned()
      const { status, body } = await post('/v1/message', { Text: 'Who keeps the password of the boat house?' })
      assert.equal(status, 200, JSON.stringify(body))
    }))
})

describe('bodies', () => {
  const refused = async (answer: Promise<Answer>, status: number, says: RegExp) => {
    const { status: given, body } = await answer
    assert.equal(given, status, JSON.stringify(body))
    assert.match(body.detail, says)
  }
  test('6 MB of members without a key: refused before they are read, wherever they are sent', () =>
    unharmed(async () => {
      const body = sixMegabytes
      await refused(service.call('/v1/nowhere', { body }), 404, /nothing at this address/)
      await refused(service.call('/v1/message', { body, method: 'PUT' }), 405, /takes POST only/)
      await refused(service.call('/v1/message', { body }), 403, /unauthorized/)
      await refused(service.call('/v1/message', { body, key: 'wrong' }), 403, /unauthorized/)
      await refused(service.call('/admin/personas', { body }), 401, /admin key/)
      await refused(service.call('/console/session', { body }), 413, /too large/)
    }))
  test('6 MB of members with a key are too many', () =>
    unharmed(() =>
      refused(service.call('/v1/message', { key, body: sixMegabytes }), 400, /holds more than \d+ values/),
    ))
  test('500,000 unknown fields are too many', () =>
    unharmed(() =>
      refused(service.call('/v1/memory', { key, body: members(500_000) }), 400, /holds more than \d+ values/),
    ))
  test('7 MB of commas in Tags', () =>
    unharmed(() => refused(post('/v1/upload-text', { Text: 'x', Tags: ','.repeat(7_000_000) }), 400, /^Tags/)))
  test('Metadata nested 5,000 deep', () => {
    const body = `{"Text":"x","Metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`
    return unharmed(() => refused(service.call('/v1/message', { key, body }), 400, /nested deeper than \d+/))
  })
  test('brackets inside of a text are no nesting', async () => {
    const Text = `${'[{'.repeat(5_000)} "quoted\\" [${',:'.repeat(30_000)}`
    assert.equal((await post('/v1/message', { Text })).status, 200)
  })
  test('message_request of 20 MB, as a file part and as a field', () =>
    unharmed(async () => {
      for (const asFile of [true, false]) {
        const form = new FormData()
        const json = `{"DomainName":"ada-l","x":"${'y'.repeat(20_000_000)}"}`
        form.set('message_request', asFile ? new Blob([json]) : json)
        form.set('file', new Blob(['words']), 'a.txt')
        await refused(service.call('/v1/upload-file', { key, body: form }), 413, /message_request is larger/)
      }
    }))
  test('a form with a field of 4 MB', () => {
    const form = new FormData()
    form.set('DomainName', 'ada-l')
    form.set('Title', 'x'.repeat(4_000_000))
    form.set('file', new Blob(['words']), 'a.txt')
    return unharmed(() => refused(service.call('/v1/upload-file', { key, body: form }), 413, /Title is larger/))
  })
})
