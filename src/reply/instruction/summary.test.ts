// Orders understood without a chat model, and texts in their key sentences, with the shipped embedder.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { understandOrder } from '../../language/language.ts'
import { createEmbedder } from '../../models/embedder.ts'
import { keySentences } from './summary.ts'

const orders: [string, object | undefined][] = [
  ['Summarise the document "About my cat".', { what: 'summarise', quoted: ['About my cat'], subject: 'About my cat' }],
  [
    'Please summarize About my cat in two sentences',
    { what: 'summarise', subject: 'About my cat', length: { sentences: 2 } },
  ],
  ['Give me a summary of the file called Field notes', { what: 'summarise', subject: 'Field notes', length: {} }],
  [
    'What are the key points of Field notes, in 40 words?',
    { what: 'summarise', subject: 'Field notes', length: { words: 40 } },
  ],
  ['Three key facts, summarised: summarise this', { what: 'summarise', length: { sentences: 3 } }],
  ['tl;dr', { what: 'summarise', subject: '', length: { sentences: 2 } }],
  [`Summarise this: ${'A long text. '.repeat(20)}`, { what: 'summarise', text: 'A long text. '.repeat(20).trim() }],
  ['List everything about the cat', { what: 'list', subject: 'cat' }],
  ['What do you know about my garden?', { what: 'list', subject: 'garden', named: 'your garden' }],
  ['Tell me everything you know about Lisbon, please.', { what: 'list', subject: 'Lisbon' }],
  ['list all you know about the move to Lisbon', { what: 'list', subject: 'move to Lisbon' }],
  ['list my books', { what: 'list', subject: 'books' }],
  ['Write a poem about the sea', undefined],
  ['What is the cat called?', undefined],
  ['Translate "hello" into French', undefined],
]
for (const [text, expected] of orders) {
  test(`understands: ${text.slice(0, 60)}`, () => {
    const order = understandOrder(text)
    if (!expected) return assert.equal(order, undefined)
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual((order as Record<string, unknown> | undefined)?.[field], value, JSON.stringify(order))
  })
}

const embedder = createEmbedder()
after(() => embedder.close())

const lighthouse = `
The lighthouse on Gull Rock was built in 1871 and guided ships past the reef for over a century.
What a place!
Its keeper lived there with his family, and supplies came by boat once a month.
My uncle likes crosswords.
Ships were warned of the reef by the lighthouse on Gull Rock, which was built in 1871.
In 1988 the light was automated, so the last keeper left the rock.
I once had soup there.
Today the lighthouse is a museum that shows how the keepers lived and how the light worked.
It rained.
The museum opens in summer and visitors come by boat from the harbour.
`
  .trim()
  .replaceAll('\n', ' ')

test('key sentences are the central ones, each saying something else, in their order', async () => {
  const chosen = await keySentences({ embedder }, lighthouse, { sentences: 4 })
  assert.equal(chosen.length, 4)
  const at = chosen.map((sentence) => lighthouse.indexOf(sentence))
  assert.deepEqual(
    at,
    [...at].sort((one, two) => one - two),
  )
  assert.ok(at.every((place) => place >= 0))
  const text = chosen.join(' ')
  assert.match(text, /museum/)
  assert.equal(text.match(/1871/g)?.length, 1, text)
  for (const aside of ['crosswords', 'soup', 'rained', 'What a place']) assert.ok(!text.includes(aside), text)
})

test('headings, tables, code and bullets are left out, and lines broken to fit a page are joined', async () => {
  const page = `# The lighthouse on Gull Rock

| built | 1871 |
- The lighthouse on Gull Rock was built in 1871 and guided ships past
  the reef for over a century.

\`\`\`
the lighthouse of the rock of the reef.
\`\`\`
`
  assert.deepEqual(await keySentences({ embedder }, page, { sentences: 3 }), [
    'The lighthouse on Gull Rock was built in 1871 and guided ships past the reef for over a century.',
  ])
})

test('a length in words is kept to', async () => {
  const words = (await keySentences({ embedder }, lighthouse, { words: 30 })).join(' ').split(/\s+/).length
  assert.ok(words >= 20 && words <= 50, String(words))
})

test('a short text is not made longer, nothing stays nothing', async () => {
  assert.deepEqual(await keySentences({ embedder }, 'My cat is called Turing.'), ['My cat is called Turing.'])
  assert.deepEqual(await keySentences({ embedder }, ' \n '), [])
})

test('without an embedder words are enough', async () => {
  const troubles: unknown[] = []
  const broken = { ...embedder, embed: () => Promise.reject(new Error('gone')) }
  const chosen = await keySentences({ embedder: broken, onTrouble: (error) => troubles.push(error) }, lighthouse, {
    sentences: 2,
  })
  assert.equal(chosen.length, 2)
  assert.equal(troubles.length, 1)
  assert.match(chosen.join(' '), /lighthouse/)
})
