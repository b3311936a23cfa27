// An answer with its citations: read, streamed, checked, weighed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel } from '../../../test/scripted-model.ts'
import { createChatModel } from '../../models/chat.ts'
import { recollection } from '../test-recollection.ts'
import { askModel } from './ask-model.ts'
import { createCitationFilter, readCitations, uncitedSentences } from './citations.ts'
import { supportOf } from './support.ts'

const memories = [
  recollection('My cat is called Turing. He is nine years old.', { title: 'About my cat' }),
  recollection('We moved to Lisbon with 1,200 books.', { day: '2021-03-04' }),
]

const answers: [string, string, number[], boolean][] = [
  ['My cat is called Turing [m1].', 'My cat is called Turing.', [1], false],
  ['My cat is called Turing. [m1] He is nine. [m1]', 'My cat is called Turing. He is nine.', [1], false],
  ['He [M1][m2] moved [m2, m3] 【m4】 (m5).', 'He moved.', [1, 2, 3, 4, 5], false],
  ['[no answer] I do not have that in my memory.', 'I do not have that in my memory.', [], true],
  ['See [1], [sic] (maybe) and a[m].', 'See [1], [sic] (maybe) and a[m].', [], false],
  ['It is [memory m2] so\n[m1]\nyes', 'It is so\n\nyes', [2, 1], false],
  ['  A [m1 and m2] B [m1-m2] ', 'A B', [1, 2], false],
  ['An open [m1', 'An open [m1', [], false],
]
for (const [answer, text, numbers, saysNoAnswer] of answers) {
  test(`citations are read and taken out: ${answer}`, () => {
    const read = readCitations(answer)
    assert.equal(read.text, text)
    assert.deepEqual(read.numbers, numbers)
    assert.equal(read.saysNoAnswer, saysNoAnswer)
  })

  test(`whatever way it is cut, the stream is the text: ${answer}`, () => {
    for (let size = 1; size <= 7; size++) {
      let streamed = ''
      const filter = createCitationFilter((delta) => {
        assert.notEqual(delta, '')
        streamed += delta
        assert.ok(text.startsWith(streamed), streamed)
      })
      for (let at = 0; at < answer.length; at += size) filter.feed(answer.slice(at, at + size))
      filter.end()
      assert.equal(streamed, text)
    }
  })
}

test('a sentence is cited by a mark in it or after its full stop', () => {
  const read = readCitations('Turing is nine. [m1] He likes fish [m9]. We live in Lisbon [m2]. Nice!')
  assert.deepEqual(
    uncitedSentences(read, (number) => number <= 2),
    ['He likes fish.', 'Nice!'],
  )
})

const supported: [string, string, (share: number | null) => boolean][] = [
  ['what memory says', 'My cat is called Turing.', (share) => share === 1],
  ['in other forms of its words', 'Turing, the cat, is 9.', (share) => share === 1],
  ['a date of the memory', 'We moved on 4 March 2021.', (share) => share === 1],
  ['a date in figures', 'We moved on 2021-03-04.', (share) => share === 1],
  ['another date', 'We moved on 2021-04-03.', (share) => share! < 0.5],
  ['a number written otherwise', 'We have 1200 books.', (share) => share! > 0.7],
  ['another number', 'He is seven years old.', (share) => share! < 0.5],
  ['another name', 'My cat is called Gauss.', (share) => share! < 0.5],
  ['something else', 'Quarks come in three colours.', (share) => share === 0],
  ['another language', 'Mein Kater heißt Turing und ist 9 Jahre alt.', (share) => share === 1],
  ['another language, another number', 'Mein Kater heißt Turing und ist 7 Jahre alt.', (share) => share === 0],
  ['nothing', 'Yes, sure.', (share) => share === null],
]
for (const [what, answer, isRight] of supported) {
  test(`support: ${what}`, () => {
    const support = supportOf(answer, memories, ['What do we have?', 'Ada'])
    assert.ok(isRight(support.share), JSON.stringify(support))
  })
}

test('the sentence that memory does not hold shows, with what is missing', () => {
  const support = supportOf('My cat is called Turing. He was born in Paris in 1912.', memories, [
    'Tell me about the cat',
  ])
  assert.equal(support.sentences[0]!.share, 1)
  assert.deepEqual(support.sentences[1]!.missing, ['born', 'Paris', '1912'])
  assert.equal(support.least, support.sentences[1]!.share)
  assert.deepEqual([support.missingNumbers, support.missingNames], [1, 1])
  // The question's own words tell nothing: to repeat a false one is no support.
  const echo = supportOf('Gauss is a dog.', memories, ['Is Gauss a dog?'])
  assert.equal(echo.share, null)
})

test('a model is asked, its wrong citations dropped and counted, its text streamed without them', async () => {
  const server = await scriptedModel()
  const chat = createChatModel(
    { provider: 'openai-compatible', url: server.url, name: 'm', key: null },
    { timeoutMs: 5_000, firstTokenMs: 5_000, contextTokens: undefined },
  )
  const ask = (deltas: string[], onText?: (delta: string) => void) => {
    server.say({ deltas, logprobs: deltas.map(() => -0.25) })
    const persona = { name: 'Ada', instructions: '' }
    return askModel(
      { chat },
      { persona, question: 'What is the cat called?', before: [], recollections: memories, onText },
    )
  }
  let streamed = ''
  const answer = await ask(['My cat is called Turing [', 'm1].', ' He is a poet [m', '7].'], (delta) => {
    streamed += delta
  })
  assert.equal(answer.text, 'My cat is called Turing. He is a poet.')
  assert.equal(streamed, answer.text)
  assert.deepEqual(answer.cited, [memories[0]])
  assert.deepEqual([answer.wrongCitations, answer.uncitedSentences, answer.sentences], [1, 1, 2])
  assert.equal(answer.logprob, -0.25)
  assert.equal(answer.refused, false)
  assert.match(answer.model, /^m@/)
  const told = server.seen[0]!.body.messages[0].content
  assert.ok(told.includes('| We moved to Lisbon with 1,200 books.'))
  assert.ok(
    !answer.prompt.includes('Lisbon') &&
      answer.prompt.includes(`[m1] 2023-05-08\n| ⟦memory ${memories[0]!.memory.id}⟧\n`),
  )
  assert.ok(answer.prompt.endsWith('## user\nWhat is the cat called?'))
  assert.ok(answer.support.share! < 1 && answer.support.sentences[0]!.share === 1)

  assert.equal((await ask(['[no answer] I do not have that in my memory.'])).refused, true)
  assert.equal((await ask(["I'm sorry, I don't have any information about that."])).refused, true)
  assert.equal((await ask(['I do not know his age, but he is called Turing [m1].'])).refused, false)
})
