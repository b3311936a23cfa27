// Idempotency-Key: a request that is sent again is answered alike and kept once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
const DomainName = 'ada-l'
await service.persona(DomainName)
const key = await service.key([DomainName])
let names = 0
const send = (path: string, body: object, name = `name-${++names}`, with_ = key) =>
  service.call({ path: `/v1/${path}`, key: with_, body, headers: { 'idempotency-key': name } })
const kept = async () => (await service.admin('GET', `/personas/${DomainName}/documents?limit=200`)).documents.length
const remembered = async () => {
  await service.learned()
  return (await service.admin('GET', `/personas/${DomainName}/memories?limit=200`)).memories.length
}

const file = (text: string) => {
  const form = new FormData()
  form.set('file', new Blob([text]), 'notes.txt')
  form.set('message_request', JSON.stringify({ DomainName }))
  return form
}

for (const [path, same, other] of [
  ['upload-text', () => ({ DomainName, Text: 'One.' }), () => ({ DomainName, Text: 'Two.' })],
  ['upload-file', () => file('The same.'), () => file('Not the same.')],
] as const) {
  test(`${path}: twice is once; another request under the name is refused; another name is another request`, async () => {
    const before = await kept()
    const answers = [await send(path, same(), path), await send(path, same(), path)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(answers[0]!.body, answers[1]!.body)
    assert.equal(await kept(), before + 1)
    const refused = await send(path, other(), path)
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /Idempotency-Key/)
    assert.equal(await kept(), before + 1)
    assert.equal((await send(path, same())).status, 200)
    assert.equal(await kept(), before + 2)
  })
}

test('a memory sent again is answered with the memory that is kept, also after it was deleted', async () => {
  const before = await remembered()
  const body = { DomainName, Text: 'The kettle whistles in G sharp.', SourceName: 'x' }
  const [first, second] = [await send('memory', body, 'kettle'), await send('memory', body, 'kettle')]
  assert.deepEqual(first.body, second.body)
  assert.equal(await remembered(), before + 1)
  const { memories } = await service.admin('GET', `/personas/${DomainName}/memories`)
  await service.admin('DELETE', `/personas/${DomainName}/memories/${memories[0].id}`)
  assert.equal((await send('memory', body, 'kettle')).status, 200)
  assert.equal(await remembered(), before, 'what was deleted does not come back')
})

test("one key's names are not another's, and a request that failed was not kept", async () => {
  const before = await kept()
  assert.equal((await send('upload-text', { DomainName }, 'again')).status, 400)
  assert.equal((await send('upload-text', { DomainName, Text: 'Right now.' }, 'again')).status, 200)
  const other = await service.key([DomainName])
  assert.equal((await send('upload-text', { DomainName, Text: 'Another.' }, 'again', other)).status, 200)
  assert.equal(await kept(), before + 2)
})

test('a name that is empty or endless is refused', async () => {
  assert.equal((await send('upload-text', { DomainName, Text: 'x' }, 'x'.repeat(257))).status, 400)
})
