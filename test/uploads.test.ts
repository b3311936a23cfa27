// Files and URLs: every way a form can be sent, what is fetched and what is refused.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, request as sendTo } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startService } from './started.ts'

const service = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1', MEMOIR_MAX_FILE_BYTES: '50000' })
const DomainName = 'ada-l'
await service.persona(DomainName)
await service.persona('grace-h')
const key = await service.key([DomainName])
const newest = async () => (await service.admin('GET', `/personas/${DomainName}/documents`)).documents[0]
const file = (text: string | Uint8Array<ArrayBuffer> = 'The bridge was built in 1901.') => new Blob([text])

type Parts = [name: string, value: string | Blob, fileName?: string][]
const upload = (parts: Parts, query = '') => {
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName ?? 'notes.txt')
  }
  return service.call({ path: `/v1/upload-file${query}`, key, body: form })
}
const request = (fields: object = {}) => JSON.stringify({ DomainName, ...fields })
const inQuery = `?DomainName=${DomainName}`

for (const [name, boundary, body] of [
  ['without a boundary', '', '--b\r\n'],
  ['with an empty boundary', '; boundary=', '--b\r\n'],
  ['with a boundary of 3,000 characters', `; boundary=${'b'.repeat(3_000)}`, '--b\r\n'],
  ['that is no form', '; boundary=b', '{"DomainName":"ada-l"}'],
  [
    'that breaks off in its file',
    '; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe bridge',
  ],
] as const)
  test(`a form ${name} is the sender's fault, and leaves nothing behind`, async () => {
    const headers = { 'x-api-key': key, 'content-type': `multipart/form-data${boundary}` }
    const answer = await fetch(`${service.url}/v1/upload-file${inQuery}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 400)
    assert.deepEqual(await answer.json(), { detail: 'The form is malformed.' })
    const left = readdirSync(join(service.folder, 'uploads'), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      left.filter((entry) => entry.isFile()),
      [],
    )
  })

test('an upload on its way lies on the disk unreadable', async () => {
  const head = ['--b', `Content-Disposition: form-data; name="file"; filename="a.txt"`, '', ''].join('\r\n')
  const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=b' }
  const sending = sendTo(`${service.url}/v1/upload-file${inQuery}`, { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write(`${head}${'gooseberry '.repeat(2_000)}`)
  const rests = join(service.folder, 'uploads')
  const written = () =>
    readdirSync(rests, { recursive: true, encoding: 'utf8' })
      .map((name) => join(rests, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
      .map((path) => readFileSync(path, 'latin1'))
      .filter((bytes) => bytes.length > 0)
  const giveUpAt = Date.now() + 20_000
  while (written().length === 0 && Date.now() < giveUpAt) await new Promise((next) => setTimeout(next, 20))
  assert.equal(written().length, 1)
  assert.doesNotMatch(written()[0]!, /gooseberry/)
  sending.destroy()
})

describe('upload-file', () => {
  const accepted: [string, Parts, string?][] = [
    [
      'the file first',
      [
        ['file', file()],
        ['message_request', request()],
      ],
    ],
    [
      'the file last',
      [
        ['message_request', request()],
        ['file', file()],
      ],
    ],
    [
      'DomainName in the address alone',
      [
        ['file', file()],
        ['message_request', '{}'],
      ],
      inQuery,
    ],
    ['no message_request', [['file', file()]], inQuery],
    [
      'fields as plain parts',
      [
        ['file', file()],
        ['DomainName', DomainName],
        ['is_stack', 'true'],
        ['Tags', 'a,b'],
      ],
    ],
    [
      'message_request as a part with a file name',
      [
        ['file', file()],
        ['message_request', new Blob([request()]), 'blob'],
      ],
    ],
    [
      'the same DomainName twice, in another case',
      [
        ['file', file()],
        ['message_request', request({ DomainName: 'ADA-L' })],
      ],
      inQuery,
    ],
  ]
  for (const [name, parts, query] of accepted) {
    test(`takes ${name}`, async () => {
      const answer = await upload(parts, query)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.deepEqual(answer.body, { message: 'file accepted and processing' })
    })
  }

  const refused: [string, number, RegExp, Parts, string?][] = [
    ['no file', 400, /no file/, [['message_request', request()]]],
    [
      'two files',
      400,
      /more than one file/,
      [
        ['file', file()],
        ['file', file()],
        ['message_request', request()],
      ],
    ],
    [
      'an empty file',
      400,
      /empty/,
      [
        ['file', file('')],
        ['message_request', request()],
      ],
    ],
    [
      'two DomainNames',
      400,
      /DomainName differs/,
      [
        ['file', file()],
        ['message_request', request()],
      ],
      '?DomainName=grace-h',
    ],
    [
      'no DomainName',
      400,
      /DomainName/,
      [
        ['file', file()],
        ['message_request', '{}'],
      ],
    ],
    [
      'message_request that is no JSON',
      400,
      /message_request/,
      [
        ['file', file()],
        ['message_request', '{'],
      ],
    ],
    [
      'message_request that is a list',
      400,
      /message_request/,
      [
        ['file', file()],
        ['message_request', '[]'],
      ],
    ],
    [
      'a bad time',
      400,
      /^StartTime/,
      [
        ['file', file()],
        ['message_request', request({ Starttime: 'soon' })],
      ],
    ],
    [
      'too large a file',
      413,
      /larger than 50000/,
      [
        ['file', file('x'.repeat(50_001))],
        ['message_request', request()],
      ],
    ],
    [
      "another persona's name",
      403,
      /unauthorized/,
      [
        ['file', file()],
        ['message_request', request({ DomainName: 'grace-h' })],
      ],
    ],
  ]
  for (const [name, status, detail, parts, query] of refused) {
    test(`refuses ${name}, and stores nothing`, async () => {
      const before = await newest()
      const answer = await upload(parts, query)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(answer.body.detail, detail)
      assert.deepEqual((await newest())?.id, before?.id)
    })
  }

  test('a file is learned, named by its name, and its text listed', async () => {
    await upload([
      ['file', file('# Bridges\n\nThe bridge was built in 1901.'), '../../etc/bridges.md'],
      ['message_request', request({ Tags: 'stone' })],
    ])
    await service.learned()
    const document = await newest()
    assert.equal(document.state, 'ready')
    assert.equal(document.file_name, 'bridges.md')
    assert.equal(document.title, 'Bridges')
    const answer = await service.call({
      path: '/v1/message',
      key,
      body: { DomainName, Text: 'When was the bridge built?' },
    })
    assert.match(answer.body.ai_message, /1901/)
    const listed = await service.call({ path: '/v1/document?size=1', key, body: { DomainName, Text: 'Bridges' } })
    assert.match(listed.body[0].text, /built in 1901/)
  })

  test('is_stack false is a draft until it is published', async () => {
    await upload([
      ['file', file('The wreck lies at forty fathoms.')],
      ['message_request', request({ Title: 'Wreck', is_stack: false })],
    ])
    await service.learned()
    const ask = async () =>
      (await service.call({ path: '/v1/message', key, body: { DomainName, Text: 'wreck fathoms' } })).body.ai_message
    assert.doesNotMatch(await ask(), /forty/)
    const document = await newest()
    assert.equal(document.is_draft, true)
    const published = await service.admin('POST', `/personas/${DomainName}/documents/${document.id}/publish`)
    assert.equal(published.is_draft, false)
    assert.match(await ask(), /forty/)
  })

  test('what cannot be read fails with a sentence that the document shows, and can be retried', async () => {
    await upload([
      ['file', file(new Uint8Array([0, 1, 2, 3, 0, 255, 254, 7])), 'thing.bin'],
      ['message_request', request()],
    ])
    await service.learned()
    const document = await newest()
    assert.equal(document.state, 'failed')
    assert.match(document.error, /\.$/)
    assert.equal((await service.admin('GET', '/work')).failed, 1)
    await service.admin('POST', `/personas/${DomainName}/documents/${document.id}/retry`)
    await service.learned()
    assert.equal((await newest()).state, 'failed')
    await service.admin('DELETE', `/personas/${DomainName}/documents/${document.id}`)
    assert.equal((await service.admin('GET', '/work')).failed, 0)
  })
})

const page = `<html><head><title>Lighthouses</title><meta property="article:published_time" content="2022-02-03T04:05:06Z"></head>
<body><nav>Home</nav><article><h1>Lighthouses</h1><p>The lighthouse of Genoa is seventy-seven metres tall, and it has guided ships
for nine hundred years.</p><p>It was rebuilt in 1543 after a siege, and its lamp can be seen from thirty miles away.</p></article></body></html>`

const site = createServer((request, response) => {
  if (request.url === '/lighthouse') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  else if (request.url === '/moved') response.writeHead(302, { location: '/lighthouse' }).end()
  else if (request.url === '/empty')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body></body></html>')
  else response.writeHead(404).end('no')
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
after(() => site.close())
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

describe('upload-url', () => {
  const send = (Url: string, more: object = {}, path = '/v1/upload-url') =>
    service.call({ path, key, body: { DomainName, Url, ...more } })

  test('a page is read before the answer and learned after it, with its own title and date', async () => {
    for (const path of ['/v1/upload-url', '/v1/upload']) {
      const answer = await send(`${address}/moved`, {}, path)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.deepEqual(answer.body, { message: 'url accepted and processing' })
    }
    await service.learned()
    const document = await newest()
    assert.equal(document.title, 'Lighthouses')
    assert.equal(document.start_time_utc, '2022-02-03T04:05:06.000Z')
    const reply = await service.call({
      path: '/v1/message',
      key,
      body: { DomainName, Text: 'When was it rebuilt after the siege?' },
    })
    assert.match(reply.body.ai_message, /1543/)
  })

  test("the caller's title and time win", async () => {
    await send(`${address}/lighthouse`, { Title: 'My lamp', StartTime: '2001-01-01T00:00:00Z' })
    await service.learned()
    const document = await newest()
    assert.equal(document.title, 'My lamp')
    assert.equal(document.start_time_utc, '2001-01-01T00:00:00.000Z')
  })

  const refused: [string, string, number][] = [
    ['no URL at all', 'not a url', 400],
    ['another scheme', 'ftp://example.com/x', 400],
    ['a file', 'file:///etc/passwd', 400],
    ['a status of 404', `${address}/nothing`, 400],
    ['a port where nobody listens', 'http://127.0.0.1:1/', 400],
    ['a name that does not resolve', 'http://nobody.invalid/', 400],
    ['a page with nothing to read', `${address}/empty`, 422],
  ]
  for (const [name, url, status] of refused) {
    test(`refuses ${name}`, async () => {
      const answer = await send(url)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.deepEqual(Object.keys(answer.body), ['detail'])
    })
  }

  test('private addresses are refused unless the setting allows them', async () => {
    const strict = await startService()
    await strict.persona(DomainName)
    const strictKey = await strict.key([DomainName])
    for (const url of [
      `${address}/lighthouse`,
      'http://localhost/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest',
    ]) {
      const answer = await strict.call({ path: '/v1/upload-url', key: strictKey, body: { DomainName, Url: url } })
      assert.equal(answer.status, 400, url)
    }
  })
})
