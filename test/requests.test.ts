// What callers may send: every line of the decisions about requests, as rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Call, startService } from './started.ts'

const service = await startService({
  MEMOIR_MAX_TEXT_CHARACTERS: '5000',
  MEMOIR_MAX_BODY_BYTES: '100000',
  MEMOIR_MAX_FILE_BYTES: '50000',
})
await service.persona('ada-l')
const key = await service.key(['ada-l'])
const DomainName = 'ada-l'
const memory = { DomainName, Text: 'A memory.', SourceName: 'test' }

type Row = Call & { name: string; status: number; detail?: RegExp; check?: (answer: Answer) => void }

const topicsOf = ({ body }: Answer) => body.payload[0].data[0].topics.map((topic: { value: string }) => topic.value)
const timeOf = ({ body }: Answer) => body.payload[0].data[0].start_time_utc

const rows: Row[] = [
  // Fields
  { name: 'message without Text', path: '/v1/message', body: { DomainName }, status: 400, detail: /^Text is missing/ },
  {
    name: 'message with an empty Text',
    path: '/v1/message',
    body: { DomainName, Text: '' },
    status: 400,
    detail: /^Text is empty/,
  },
  {
    name: 'message with Text null',
    path: '/v1/message',
    body: { DomainName, Text: null },
    status: 400,
    detail: /^Text is missing/,
  },
  {
    name: 'message with a number as Text',
    path: '/v1/message',
    body: { DomainName, Text: 7 },
    status: 400,
    detail: /^Text must be a string/,
  },
  {
    name: 'message with a word as is_stack',
    path: '/v1/message',
    body: { DomainName, Text: 'x', is_stack: 'maybe' },
    status: 400,
    detail: /^is_stack/,
  },
  {
    name: 'message with a list as Metadata',
    path: '/v1/message',
    body: { DomainName, Text: 'x', Metadata: [1] },
    status: 400,
    detail: /^Metadata/,
  },
  {
    name: 'message with huge Metadata',
    path: '/v1/message',
    body: { DomainName, Text: 'x', Metadata: { a: 'x'.repeat(70_000) } },
    status: 400,
    detail: /^Metadata/,
  },
  {
    name: 'message with too long a SessionId',
    path: '/v1/message',
    body: { DomainName, Text: 'x', SessionId: 's'.repeat(257) },
    status: 400,
    detail: /^SessionId/,
  },
  {
    name: 'message with a malformed DomainName',
    path: '/v1/message',
    body: { DomainName: 'a b', Text: 'x' },
    status: 400,
    detail: /^DomainName/,
  },
  {
    name: 'message with Events that name nothing',
    path: '/v1/message',
    body: { DomainName, Text: 'x', Events: 'No Such Title' },
    status: 200,
  },
  ...(['message', 'upload-text', 'memory'] as const).map((path) => ({
    name: `a blank Text for ${path}`,
    path: `/v1/${path}`,
    body: { ...memory, Text: ' \n\t\u00a0' },
    status: 400,
    detail: /^Text is empty/,
  })),
  {
    name: 'instruction without cmd',
    path: '/v1/instruction',
    body: { DomainName, Text: 'x' },
    status: 400,
    detail: /chatgpt or search/,
  },
  {
    name: 'instruction with another cmd',
    path: '/v1/instruction?cmd=dance',
    body: { DomainName, Text: 'x' },
    status: 400,
    detail: /chatgpt or search/,
  },
  {
    name: 'instruction without Text',
    path: '/v1/instruction?cmd=search',
    body: { DomainName },
    status: 400,
    detail: /^Text/,
  },
  {
    name: 'upload-url without Url',
    path: '/v1/upload-url',
    body: { DomainName },
    status: 400,
    detail: /^Url is missing/,
  },
  {
    name: 'upload-url with a bad StartTime',
    path: '/v1/upload-url',
    body: { DomainName, Url: 'http://a.example', StartTime: 'soon' },
    status: 400,
    detail: /^StartTime/,
  },
  {
    name: 'upload-text without Text',
    path: '/v1/upload-text',
    body: { DomainName },
    status: 400,
    detail: /^Text is missing/,
  },
  {
    name: 'upload-text that ends before it starts',
    path: '/v1/upload-text',
    status: 400,
    detail: /EndTime is before/,
    body: { DomainName, Text: 'x', StartTime: '2024-01-02T00:00:00Z', EndTime: '2024-01-01T00:00:00Z' },
  },
  {
    name: 'upload-text with the sample’s casing',
    path: '/v1/upload-text',
    body: { DomainName, Text: 'x', Starttime: '2024-01-01', Endtime: '2024-01-02' },
    status: 200,
  },
  {
    name: 'memory without SourceName',
    path: '/v1/memory',
    body: { DomainName, Text: 'x' },
    status: 400,
    detail: /^SourceName is missing/,
  },
  {
    name: 'memory with a bad Createdtime',
    path: '/v1/memory',
    body: { ...memory, Createdtime: 'yesterday' },
    status: 400,
    detail: /^AI memory cannot be uploaded\. Createdtime/,
  },
  {
    name: 'conversation without SessionId',
    path: '/v1/conversation',
    body: { DomainName },
    status: 400,
    detail: /^SessionId is missing/,
  },
  {
    name: 'conversation of an unknown session',
    path: '/v1/conversation',
    body: { DomainName, SessionId: 'nobody' },
    status: 404,
  },
  { name: 'document without size', path: '/v1/document', body: { DomainName }, status: 400, detail: /^size/ },
  { name: 'document with size 0', path: '/v1/document?size=0', body: { DomainName }, status: 400, detail: /^size/ },
  {
    name: 'document with size 1001',
    path: '/v1/document?size=1001',
    body: { DomainName },
    status: 400,
    detail: /^size/,
  },
  {
    name: 'document with a word as size',
    path: '/v1/document?size=ten',
    body: { DomainName },
    status: 400,
    detail: /^size/,
  },
  {
    name: 'document with half a size',
    path: '/v1/document?size=1.5',
    body: { DomainName },
    status: 400,
    detail: /^size/,
  },
  {
    name: 'document with an empty size',
    path: '/v1/document?size=',
    body: { DomainName },
    status: 400,
    detail: /^size/,
  },
  {
    name: 'document that no title matches',
    path: '/v1/document?size=5',
    body: { DomainName, Text: 'no such title' },
    status: 200,
    check: ({ body }) => assert.deepEqual(body, []),
  },
  {
    name: 'update-document without feed_id',
    method: 'PUT',
    path: '/v1/update-document',
    body: { DomainName, Text: 'x' },
    status: 400,
    detail: /^feed_id/,
  },
  {
    name: 'update-document with an unknown feed_id',
    method: 'PUT',
    path: '/v1/update-document?feed_id=x',
    body: { DomainName, Text: 'x' },
    status: 404,
  },

  // Names, nulls, unknown fields
  {
    name: 'field names in another case',
    path: '/v1/memory',
    body: { domainname: DomainName, text: 'x', SOURCENAME: 'test', CreatedTime: '2024-01-01T00:00:00Z' },
    status: 200,
    check: (answer) => assert.equal(timeOf(answer), '2024-01-01T00:00:00.000+00:00'),
  },
  {
    name: 'the exact spelling first',
    path: '/v1/memory',
    body: { ...memory, text: 'not this', Text: 'this' },
    status: 200,
    check: ({ body }) => assert.equal(body.payload[0].data[0].memlabel, 'this'),
  },
  {
    name: 'unknown fields',
    path: '/v1/memory',
    body: { ...memory, DeviceName: 'phone', SourceApp: 'x', Title: 'y' },
    status: 200,
  },
  {
    name: 'null and "" for optional fields',
    path: '/v1/memory',
    body: { ...memory, Tags: null, Createdtime: '', RawFeedText: '' },
    status: 200,
    check: (answer) => assert.deepEqual(topicsOf(answer), []),
  },
  {
    name: 'Is_stack in capitals, as a string',
    path: '/v1/upload-text',
    body: { DomainName, Text: 'a draft', Is_stack: 'False' },
    status: 200,
  },

  // Tags and times
  {
    name: 'tags as a string',
    path: '/v1/memory',
    body: { ...memory, Tags: ' one, two words ,,three' },
    status: 200,
    check: (answer) => assert.deepEqual(topicsOf(answer), ['one', 'two words', 'three']),
  },
  {
    name: 'tags as a list',
    path: '/v1/memory',
    body: { ...memory, Tags: ['b', ' a, still a '] },
    status: 200,
    check: (answer) => assert.deepEqual(topicsOf(answer), ['b', 'a, still a']),
  },
  {
    name: '65 tags',
    path: '/v1/memory',
    body: { ...memory, Tags: Array.from({ length: 65 }, (_, i) => `t${i}`) },
    status: 400,
    detail: /^Tags/,
  },
  {
    name: 'a tag of 129 characters',
    path: '/v1/memory',
    body: { ...memory, Tags: 'x'.repeat(129) },
    status: 400,
    detail: /^Tags/,
  },
  { name: 'a number among the tags', path: '/v1/memory', body: { ...memory, Tags: [1] }, status: 400, detail: /^Tags/ },
  {
    name: 'a spoken time',
    path: '/v1/memory',
    body: { ...memory, Createdtime: 'Mon, 8 May 2023 13:56:00 PST' },
    status: 200,
    check: (answer) => assert.equal(timeOf(answer), '2023-05-08T21:56:00.000+00:00'),
  },
  {
    name: 'a naive time is UTC',
    path: '/v1/memory',
    body: { ...memory, Createdtime: '2023-05-08T13:56:00' },
    status: 200,
    check: (answer) => assert.equal(timeOf(answer), '2023-05-08T13:56:00.000+00:00'),
  },

  // Bodies
  { name: 'a body that is no JSON', path: '/v1/message', body: '{"Text":', status: 400, detail: /not valid JSON/ },
  { name: 'a body that is a list', path: '/v1/message', body: [], status: 400, detail: /JSON object/ },
  { name: 'a body that is a number', path: '/v1/message', body: '7', status: 400, detail: /JSON object/ },
  { name: 'no body', path: '/v1/message', status: 400, detail: /JSON object/ },
  {
    name: 'a body that is no UTF-8',
    path: '/v1/message',
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    status: 400,
    detail: /UTF-8/,
  },
  {
    name: 'JSON with parameters',
    path: '/v1/memory',
    body: memory,
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    status: 200,
  },
  {
    name: 'another content type',
    path: '/v1/message',
    body: 'Text=x',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    detail: /application\/json/,
  },
  { name: 'a form for a JSON operation', path: '/v1/message', body: new FormData(), status: 415 },
  { name: 'JSON for upload-file', path: '/v1/upload-file', body: { DomainName }, status: 415, detail: /multipart/ },
  {
    name: 'too large a body',
    path: '/v1/message',
    body: { DomainName, Text: 'x', filler: 'x'.repeat(100_000) },
    status: 413,
  },
  ...(['message', 'upload-text', 'memory'] as const).map((path) => ({
    name: `too long a Text for ${path}`,
    path: `/v1/${path}`,
    body: { ...memory, Text: 'x'.repeat(5001) },
    status: 413,
    detail: /^Text is longer/,
  })),
  {
    name: 'too long a Text for update-document',
    method: 'PUT',
    path: '/v1/update-document?feed_id=x',
    body: { DomainName, Text: 'x'.repeat(5001) },
    status: 413,
  },

  // Addresses
  { name: 'an unknown path', path: '/v1/nothing', body: {}, status: 404 },
  {
    name: 'a wrong method',
    method: 'GET',
    path: '/v1/message',
    status: 405,
    check: ({ headers }) => assert.equal(headers.get('allow'), 'POST'),
  },
  {
    name: 'a wrong method on update-document',
    path: '/v1/update-document?feed_id=x',
    body: {},
    status: 405,
    check: ({ headers }) => assert.equal(headers.get('allow'), 'PUT'),
  },
  { name: 'a malformed address', path: '/v1/%zz', body: {}, status: 400 },
  { name: 'a slash at the end', path: '/v1/memory/', body: memory, status: 200 },
  { name: 'a slash at the end, before a query', path: '/v1/document/?size=1', body: { DomainName }, status: 200 },
  { name: 'a path without its /v1', path: '/memory', body: memory, status: 200 },
  { name: 'a path without its /v1, with a slash', path: '/upload-text/', body: memory, status: 200 },
  {
    name: 'a wrong method on a path without its /v1',
    method: 'DELETE',
    path: '/upload-url',
    status: 405,
    check: ({ headers }) => assert.equal(headers.get('allow'), 'POST'),
  },

  // Looking through what there is
  { name: 'recall without Text', path: '/v1/recall', body: { DomainName }, status: 400, detail: /^Text is missing/ },
  { name: 'recall of a blank Text', path: '/v1/recall', body: { DomainName, Text: ' ' }, status: 400, detail: /empty/ },
  {
    name: 'recall of more than may be',
    path: '/v1/recall',
    body: { DomainName, Text: 'x', size: 101 },
    status: 400,
    detail: /^size must be an integer from 1 to 100/,
  },
  {
    name: 'recall in a session that is not there',
    path: '/v1/recall',
    body: { DomainName, Text: 'x', SessionId: 'nowhere' },
    status: 404,
  },
  {
    name: 'recall tells no parts of scores',
    path: '/v1/recall',
    body: { DomainName, Text: 'A memory' },
    status: 200,
    check: ({ body }) => assert.ok(!JSON.stringify(body).includes('"parts"')),
  },
  { name: 'a page of no documents', method: 'GET', path: '/v1/document/list?limit=0', status: 400, detail: /^limit/ },
  {
    name: 'the personas of a key',
    method: 'GET',
    path: '/v1/personas',
    status: 200,
    check: ({ body }) =>
      assert.deepEqual(body.personas, [{ DomainName, ai_name: 'Ada', ai_picture: null, is_default: false }]),
  },
  {
    name: 'the latest entries of none',
    path: '/v1/conversation?last=0',
    body: { DomainName, SessionId: 's' },
    status: 400,
    detail: /^last/,
  },
]

describe('requests', () => {
  for (const { name, status, detail, check, ...call } of rows) {
    test(name, async () => {
      const answer = await service.call({ key, ...call })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      if (status !== 200) {
        assert.deepEqual(Object.keys(answer.body), ['detail'])
        assert.doesNotMatch(answer.body.detail, /\bat \/|node_modules|select |sqlite/i)
      }
      if (detail) assert.match(answer.body.detail, detail)
      check?.(answer)
    })
  }

  test('a refused request stores nothing', async () => {
    await service.persona('untouched')
    const other = await service.key(['untouched'])
    for (const { check: _c, name, detail: _d, status, ...call } of rows) {
      if (
        status === 200 ||
        /DomainName/.test(name) ||
        typeof call.body !== 'object' ||
        call.body instanceof FormData ||
        Buffer.isBuffer(call.body)
      )
        continue
      await service.call({ ...call, key: other, body: { ...call.body, DomainName: 'untouched' } })
    }
    assert.deepEqual((await service.admin('GET', '/personas/untouched/documents')).documents, [])
    assert.deepEqual((await service.admin('GET', '/personas/untouched/memories')).memories, [])
    assert.deepEqual((await service.admin('GET', '/personas/untouched/sessions')).sessions, [])
  })
})

test('a persona that requires SourceName refuses a message without it, and keeps nothing of it', async () => {
  await service.persona('strict', { requires_source_name: true })
  const own = await service.key(['strict'])
  const send = (path: string, body: object) =>
    service.call({ path, key: own, body: { DomainName: 'strict', Text: 'x', SessionId: 's', ...body } })
  for (const path of ['/v1/message', '/v1/message/stream', '/v1/instruction?cmd=chatgpt']) {
    for (const SourceName of [undefined, null, '', ' ']) {
      const answer = await send(path, { SourceName, is_message: true })
      assert.equal(answer.status, 400, path)
      assert.match(answer.body.detail, /^SourceName is missing/)
    }
  }
  assert.deepEqual((await service.admin('GET', '/personas/strict/sessions')).sessions, [])
  assert.equal((await send('/v1/message', { SourceName: 'mail' })).status, 200)
  await service.admin('PATCH', '/personas/strict', { requires_source_name: false })
  assert.equal((await send('/v1/message', {})).status, 200)
})

const naughty = [
  'Ω≈ç√∫˜µ≤≥÷',
  '田中さんにあげて下さい',
  '👩‍👩‍👧‍👦 🇺🇸',
  'مُنَاقَشَةُ سُبُلِ',
  '\u202Etest\u202E',
  "'; drop table memories; --",
  '<script>alert(1)</script>',
  '%s%d%n',
  '../../etc/passwd',
  '"quoted" \\ backslash',
  'line\nbreak\r\n\ttab',
  '\uFEFFbom',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  'NEAR AND OR NOT *',
  'x'.repeat(4000),
]

describe('naughty strings come back exactly', () => {
  for (const text of naughty) {
    test(JSON.stringify(text.slice(0, 40)), async () => {
      const SessionId = text.slice(0, 256)
      const kept = await service.call({
        path: '/v1/memory',
        key,
        body: { ...memory, Text: text, Tags: [text.slice(0, 60)] },
      })
      assert.equal(kept.body.payload[0].data[0].memlabel, text)
      const reply = await service.call({
        path: '/v1/message',
        key,
        body: { DomainName, Text: text, SessionId, UserName: text.slice(0, 200) },
      })
      assert.equal(reply.status, 200)
      assert.equal(reply.body.SessionId, SessionId)
      const history = await service.call({ path: '/v1/conversation', key, body: { DomainName, SessionId } })
      assert.equal(history.body[0].raw_message, text)
    })
  }

  test('half a character and a NUL become the replacement character', async () => {
    const body = `{"DomainName":"ada-l","SourceName":"test","Text":"a\\u0000b\\ud800c"}`
    const kept = await service.call({ path: '/v1/memory', key, body })
    assert.equal(kept.body.payload[0].data[0].memlabel, 'a\uFFFDb\uFFFDc')
  })
})
