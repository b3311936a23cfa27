// Both clients against the description and the real service: every operation and field, streams, files, refusals.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describedOperations } from '../clients/described.ts'
import { Memoir, MemoirError } from '../clients/typescript/memoir.ts'
import { operations } from '../clients/typescript/operations.ts'
import { written } from '../clients/write.ts'
import { snakeCase } from '../clients/write-python.ts'
import { startService } from './started.ts'

const path = (name: string): string => fileURLToPath(new URL(`../clients/${name}`, import.meta.url))
const read = (name: string): string => readFileSync(path(name), 'utf8')

const service = await startService({ MEMOIR_INVITES: '1' })
await service.persona('ada-l')
const key = await service.key(['ada-l'])

describe('the operations of both clients', () => {
  test('are written from openapi.json (npm run clients)', () => {
    for (const [name, code] of Object.entries(written())) assert.equal(read(name), code, name)
  })

  test('are all of the description, with every field', () => {
    const described = describedOperations()
    const [typescript, python] = [read('typescript/operations.ts'), read('python/memoir_client/operations.py')]
    assert.ok(described.length >= 14)
    assert.deepEqual(
      Object.keys(operations),
      described.map(({ name }) => name),
    )
    for (const { name, fields, path } of described) {
      assert.equal(typeof Memoir.prototype[name as keyof Memoir], 'function', name)
      const type = new RegExp(`type ${name}Fields = \\{[\\s\\S]*?\\n\\}`, 'i').exec(typescript)?.[0] ?? ''
      const [, python_method] = new RegExp(`def ${snakeCase(name)}\\(([\\s\\S]*?)\\n        \\)`).exec(python)!
      assert.ok(python_method!.includes(`"${path}"`), path)
      for (const field of fields) {
        assert.match(type, new RegExp(`\\n {2}${field.name}\\??: `), `${name} ${field.name}`)
        assert.match(
          python_method!,
          new RegExp(`"${field.name}": ${snakeCase(field.name)}\\b`),
          `${name} ${field.name}`,
        )
      }
    }
  })
})

describe('the TypeScript client', () => {
  const memoir = new Memoir({ url: `${service.url}/`, key, domainName: 'ada-l' })

  test('calls every operation', async () => {
    const owner = await memoir.validateKey()
    assert.equal(owner.validation, 'success')
    await memoir.memory({ Text: 'The cat is called Turing.', SourceName: 'test', Tags: ['cats'] })
    await memoir.uploadText({ Title: 'Dogs', Text: 'The dog is called Babbage.' }, { idempotencyKey: 'one' })
    await memoir.uploadText({ Title: 'Dogs', Text: 'The dog is called Babbage.' }, { idempotencyKey: 'one' })
    const bytes = new TextEncoder().encode('The tortoise is called Boole.')
    await memoir.uploadFile({ file: { bytes, name: 'tortoise “1”.txt' }, Title: 'Tortoise' })
    await memoir.uploadFile({ file: { bytes: new Blob(['The newt is called Gauss.']) }, Title: 'Newt' })
    await service.learned()
    const reply = await memoir.message({ Text: 'What is the dog called?', include: 'sources', Metadata: { a: 1 } })
    assert.match(reply.ai_message, /Babbage/)
    assert.equal(reply.sources![0]!.title, 'Dogs')
    const list = await memoir.documents({ size: 10 })
    assert.deepEqual(list.map(({ title }) => title).sort(), ['Dogs', 'Newt', 'Tortoise'])
    const id = list.find(({ title }) => title === 'Dogs')!.id
    const record = await memoir.updateDocument({ feed_id: id, Text: 'The dog is called Byron.' })
    assert.equal(record.is_edited, true)
    assert.match((await memoir.documentById({ DocumentId: id })).text, /Byron/)
    assert.equal((await memoir.memoryList({ size: 5 })).type, 'memory')
    assert.equal((await memoir.conversation({ SessionId: reply.SessionId })).length, 2)
    assert.ok((await memoir.instruction({ cmd: 'search', Text: 'tortoise' })).ai_message)
    assert.match((await memoir.invite({ email: 'a@b.example' })).key, /^memoir_/)
  })

  test('streams a reply: the parts are the text, the last one has the score', async () => {
    const parts = await Array.fromAsync(memoir.messageStream({ Text: 'What is the cat called?' }))
    assert.match(parts.map(({ ai_message }) => ai_message).join(''), /Turing/)
    assert.equal(typeof parts.at(-1)!.ai_score, 'number')
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(memoir.message({ Text: 'Hello' }, { signal: stop.signal }), { name: 'AbortError' })
  })

  test('throws what was refused, with status, sentence and code', async () => {
    const refused = (given: Promise<unknown>, expected: object) =>
      assert.rejects(given, (error) => {
        assert.ok(error instanceof MemoirError)
        assert.partialDeepStrictEqual({ ...error, detail: error.detail }, expected)
        return true
      })
    await refused(memoir.message({ Text: ' ' }), { status: 400, detail: 'Text is empty.', code: 'invalid' })
    await refused(memoir.uploadUrl({ Url: 'http://127.0.0.1:1/' }), { status: 400, code: 'unreachable' })
    await refused(new Memoir({ url: service.url, key: 'wrong' }).validateKey(), { status: 403 })
    await refused(new Memoir({ url: 'http://127.0.0.1:1', key }).validateKey(), { status: 0 })
    await service.admin('PATCH', '/personas/ada-l', { threshold: 100 })
    const stream = memoir.messageStream({ Text: 'What is the cat called?' })
    await refused(stream.next(), { status: 503, code: 'withheld' })
    await service.admin('PATCH', '/personas/ada-l', { threshold: 0 })
  })
})

const hasPython = await promisify(execFile)('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).then(
  () => true,
  () => false,
)
if (!hasPython) console.log('The Python client: skipped, there is no python3 of 3.9 or newer.')

test('the Python client does the same', { skip: !hasPython }, async () => {
  const env = { ...process.env, MEMOIR_URL: service.url, MEMOIR_KEY: key, PYTHONDONTWRITEBYTECODE: '1' }
  const ran = promisify(execFile)('python3', ['-W', 'error', path('python/test_client.py')], { env })
  const failed = await ran.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
  assert.equal(failed, '')
})
