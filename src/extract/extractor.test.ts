// Reading through the front: real threads, plain kinds.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AppError } from '../domain/errors.ts'
import { createExtractor } from './extractor.ts'

const extractor = createExtractor({ threads: 1 })
after(() => extractor.close())

function reading(content: string | Uint8Array, name: string | null = null, mediaType: string | null = null) {
  return extractor.extract({ bytes: Buffer.from(content as string), name, mediaType })
}

test('plain text comes back unchanged, with its paragraphs', async () => {
  const text = 'One line\r\nof two.\r\n\r\n  Another   paragraph. \r\n'
  const found = await reading(text, 'a.txt')
  assert.equal(found.text, text)
  assert.equal(found.kind, 'text')
  assert.deepEqual(
    found.blocks.map((block) => text.slice(block.start, block.end)),
    ['One line\r\nof two.', 'Another   paragraph.'],
  )
})

test('Markdown shows its structure', async () => {
  const text =
    '---\ntitle: "My life"\nauthor: Ada\ndate: 2021-03-04\n---\n# Start\n\nSome *text*.\n- one\n  more\n- two\n\nUnder\n-----\n\n| a | b |\n|---|---|\n\n```js\n# no heading\n```\n'
  const found = await reading(text, 'a.md')
  assert.equal(found.kind, 'markdown')
  assert.equal(found.title, 'My life')
  assert.equal(found.author, 'Ada')
  assert.equal(found.time?.toISOString(), '2021-03-04T00:00:00.000Z')
  assert.deepEqual(
    found.blocks.map(({ kind, level }) => (level ? `${kind} ${level}` : kind)),
    ['heading 1', 'paragraph', 'item', 'item', 'heading 2', 'row', 'row', 'code'],
  )
})

test('a chat in plain text has turns with speakers and times', async () => {
  const lines = ['[01/02/2023, 10:15:00] Ada: Hi', '[01/02/2023, 10:16:00] Ben: Hello', 'second line']
  const found = await reading([...lines, ...lines].join('\n'))
  assert.deepEqual(
    found.blocks.map((block) => block.speaker),
    ['Ada', 'Ben', 'Ada', 'Ben'],
  )
  assert.equal(found.blocks[0]!.time?.toISOString(), '2023-02-01T10:15:00.000Z')
  assert.ok(found.text.slice(found.blocks[1]!.start, found.blocks[1]!.end).endsWith('second line'))
})

test('text known to be text is not taken for a page', async () => {
  const text = '<html><body><p>An example of HTML.</p></body></html>'
  const found = await extractor.extract({ bytes: Buffer.from(text), name: null, mediaType: null, kind: 'text' })
  assert.equal(found.text, text)
})

const encodings: [string, Uint8Array, string][] = [
  ['UTF-8 with a mark', Buffer.from('\ufeffnaïve café'), 'naïve café'],
  ['UTF-16 little end first', Buffer.from('\ufeffnaïve café', 'utf16le'), 'naïve café'],
  ['UTF-16 big end first', Buffer.from('\ufeffnaïve café', 'utf16le').swap16(), 'naïve café'],
  ['UTF-16 without a mark', Buffer.from('a plain enough text', 'utf16le'), 'a plain enough text'],
  ['Latin-1', Buffer.from('Der Käse ist für die Gäste schön übrig geblieben, und größer.', 'latin1'), 'Käse ist für'],
  [
    'Cyrillic, windows-1251',
    Buffer.from(
      Array.from(
        'Съешь ещё этих мягких французских булок, да выпей же чаю. Привет, мир, это просто текст.',
        (letter) =>
          letter.charCodeAt(0) > 0x40f && letter.charCodeAt(0) < 0x450
            ? letter.charCodeAt(0) - 0x410 + 0xc0
            : letter === 'ё'
              ? 0xb8
              : letter.charCodeAt(0),
      ),
    ),
    'мягких французских булок',
  ],
]
for (const [name, bytes, expected] of encodings)
  test(`text in ${name} is read`, async () => {
    const { text } = await reading(bytes)
    assert.ok(text.includes(expected), JSON.stringify(text))
  })

test('a page gives its article without menus, and says what it is', async () => {
  const words = 'The river rose in the night and took the old bridge with it, as it had done before. '
  const html = `<!doctype html><html><head><title>Bridge lost | The Daily</title>
    <meta property="og:title" content="Bridge lost"><meta name="author" content="Ada Byron">
    <meta property="article:published_time" content="2022-11-05T08:00:00Z"></head>
    <body><nav><a href="/a">Home</a><a href="/b">Sport</a></nav>
    <article><h1>Bridge lost</h1><p>${words.repeat(4)}</p><h2>What now</h2><p>${words.repeat(4)}</p><ul><li>first <b>thing</b></li></ul></article>
    <footer>All rights reserved</footer><script>alert(1)</script></body></html>`
  const found = await reading(html, null, 'application/octet-stream')
  assert.equal(found.kind, 'html')
  assert.equal(found.title, 'Bridge lost')
  assert.equal(found.author, 'Ada Byron')
  assert.equal(found.time?.toISOString(), '2022-11-05T08:00:00.000Z')
  assert.ok(found.text.includes('took the old bridge') && found.text.includes('first thing'))
  for (const unwanted of ['Sport', 'rights reserved', 'alert']) assert.ok(!found.text.includes(unwanted), unwanted)
  assert.ok(
    found.blocks.some((block) => block.kind === 'heading' && found.text.slice(block.start, block.end) === 'What now'),
  )
})

test('a plain page gives everything, tables as rows', async () => {
  const found = await reading('<p>Hello<br>you</p><table><tr><th>Name<th>Age<tr><td>Ada<td>36</table><pre>a\n  b</pre>')
  assert.equal(found.text, 'Hello\nyou\n\nName\tAge\nAda\t36\n\na\n  b')
})

test('a page in a declared encoding', async () => {
  const html = Buffer.from('<html><head><meta charset="iso-8859-1"></head><body><p>Grüße</p></body></html>', 'latin1')
  assert.equal((await reading(html)).text, 'Grüße')
})

test('what cannot be read fails with a sentence', async () => {
  const failing: [Uint8Array | string, RegExp][] = [
    ['', /empty/],
    [' \n ', /no text/],
    [Buffer.from([0, 1, 2, 3, 255, 0, 0, 7]), /cannot be read\. Supported are/],
  ]
  for (const [content, sentence] of failing)
    await assert.rejects(
      reading(content),
      (error) => error instanceof AppError && error.code === 'unreadable' && sentence.test(error.message),
    )
})

test('a reader that is stopped fails, and the next document is read', async () => {
  const stop = new AbortController()
  const started = extractor.extract(
    { bytes: Buffer.from('a '.repeat(4_000_000)), name: null, mediaType: null },
    { signal: stop.signal },
  )
  stop.abort()
  await assert.rejects(started, /stopped/)
  assert.equal((await reading('still here')).text, 'still here')
})
