// Tables, subtitles and XML.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from './read.ts'

function reading(text: string, name: string | null = null) {
  return read({ bytes: Buffer.from(text), name, mediaType: null })
}

test('CSV in its dialects', async () => {
  for (const [text, name] of [
    ['name,city\n"Byron, Ada",London\n"said ""hi""",Paris\n', 'a.csv'],
    ['name;city\r\nByron, Ada;London\r\nsaid "hi";Paris\r\n', 'a.csv'],
    ['name\tcity\nByron, Ada\tLondon\nsaid "hi"\tParis\n', null],
  ] as const) {
    const found = await reading(text, name)
    assert.equal(found.kind, 'csv')
    assert.equal(found.text, 'name\tcity\nByron, Ada\tLondon\nsaid "hi"\tParis')
    assert.ok(found.blocks.every((block) => block.kind === 'row'))
  }
})

test('prose with commas is no table', async () => {
  const found = await reading(
    'First, I woke up early in the morning, as I always do.\nThen, slowly, I made coffee.\nLater I went out.\n',
  )
  assert.equal(found.kind, 'text')
})

test('SRT: sentences over cues, speakers, times', async () => {
  const found = await reading(
    '1\n00:00:01,000 --> 00:00:03,000\nADA: Good morning,\n\n2\n00:00:03,100 --> 00:00:05,000\nhow are you?\n\n3\n00:01:00,500 --> 00:01:02,000\n<i>BEN: Fine.</i>\n',
  )
  assert.equal(found.kind, 'subtitles')
  assert.deepEqual(
    found.blocks.map(({ speaker, offsetMs, start, end }) => [speaker, offsetMs, found.text.slice(start, end)]),
    [
      ['ADA', 1_000, 'ADA: Good morning, how are you?'],
      ['BEN', 60_500, 'BEN: Fine.'],
    ],
  )
})

test('WebVTT: voices, and live captions that repeat themselves', async () => {
  const found = await reading(
    'WEBVTT\n\nNOTE hidden\n\n00:01.000 --> 00:02.000\n<v Ada Byron>Hello &amp; welcome\n\n00:10.000 --> 00:11.000\nthe river rose\n\n00:11.000 --> 00:12.000\nthe river rose in the night\n',
  )
  assert.equal(found.text, 'Ada Byron: Hello & welcome\nthe river rose in the night')
})

test('captions as video sites keep them', async () => {
  const found = await reading(
    '<?xml version="1.0"?><transcript><text start="0" dur="1.5">it&amp;#39;s only</text><text start="1.5" dur="1">a test</text></transcript>',
  )
  assert.equal(found.text, "it's only a test")
})

test('a book in XML, and XML of no known kind', async () => {
  const book = await reading(
    '<?xml version="1.0"?><FictionBook><description><title-info><book-title>War</book-title><author><first-name>Leo</first-name><last-name>T.</last-name></author></title-info></description><body><section><title><p>One</p></title><p>Text.</p></section></body><binary>AAAA</binary></FictionBook>',
  )
  assert.deepEqual([book.title, book.author, book.text], ['War', 'Leo T.', 'One\n\nText.'])
  const other = await reading('<?xml version="1.0"?><list><entry><a>one</a><b>two <i>three</i></b></entry></list>')
  assert.equal(other.text, 'one\n\ntwo three')
})
