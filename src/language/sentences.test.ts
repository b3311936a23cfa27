// Where sentences begin and end, and what they are.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findAnswerBelow, isAsked, isTitle, sentenceAround, sentences, shorten, withNext } from './sentences.ts'

test('sentences end where they end, not at every full stop', () => {
  assert.deepEqual(sentences('Dr. Smith lives in St. Louis. He has 3.5 acres!\nA new line'), [
    'Dr. Smith lives in St. Louis.',
    'He has 3.5 acres!',
    'A new line',
  ])
  assert.equal(sentences('Read the changes (../CHANGES.md), and make a backup.').length, 1)
  const text = 'One. Two is here. Three.'
  const { start, end } = sentenceAround(text, { start: 9, end: 11 })
  assert.equal(text.slice(start, end), 'Two is here.')
})

test('lines of a narrow page are one sentence; headings, lists and turns are not', () => {
  assert.deepEqual(
    sentences(
      'A persona can read PDF, Word, PowerPoint, Excel, subtitles, and\npictures of text. And more.\n\n- one\n- two',
    ),
    [
      'A persona can read PDF, Word, PowerPoint, Excel, subtitles, and\npictures of text.',
      'And more.',
      '- one',
      '- two',
    ],
  )
  assert.equal(sentences('8 May 2023\nAnna: I moved to Lisbon.\nTom: Nice.').length, 3)
})

test('a heading and a question on its own line are answered by what follows', () => {
  const text = '## How do I use it?\nPress the button. Then wait.'
  const whole = { start: 0, end: 19 }
  const next = findAnswerBelow(text, whole, { start: 3, end: 10 })!
  assert.equal(text.slice(next.start, next.end), 'Press the button.')
  const two = '## I lost the key. What now?\nMake another.'
  const below = findAnswerBelow(two, { start: 19, end: 28 }, { start: 19, end: 28 })!
  assert.equal(two.slice(below.start, below.end), 'Make another.')
  assert.equal(findAnswerBelow('I moved. Nice?', { start: 0, end: 8 }, { start: 2, end: 7 }), null)
})

describe('a title is a short line without an end, above sentences', () => {
  for (const [text, expected] of [
    ['Data isolation\nEvery zone is kept apart.', true],
    ['Data isolation\n\nZones\nEvery zone is kept apart.', true],
    ['Data isolation is kept.\nEvery zone is kept apart.', false],
    ['Monday yoga\nTuesday swimming', false],
    ['- yoga on Monday\nAnd that is all.', false],
    ['Data isolation', false],
  ] as const)
    test(JSON.stringify(text), () => {
      const end = /\n|$/.exec(text)!.index
      assert.equal(isTitle(text, { start: 0, end }), expected)
    })
})

test('a word alone is told with what is said after it, on the same line', () => {
  const told = (text: string) => text.slice(0, withNext(text, { start: 0, end: text.search(/[.!]/) + 1 }).end)
  assert.equal(told('Yes. The shop is open on Sundays. Come in.'), 'Yes. The shop is open on Sundays.')
  assert.equal(told('Thanks!\nTom: I sold the boat.'), 'Thanks!')
  assert.equal(told('It is open. Come in.'), 'It is open.')
})

test('a long sentence is cut at its pauses, and keeps its answer', () => {
  const text =
    'In the spring of that year, after a long journey through the mountains, the company reached Samarkand, ' +
    'where it stayed for the winter, because the passes were closed.'
  const at = text.indexOf('Samarkand')
  const cut = shorten(text, { start: 0, end: text.length }, { start: at, end: at + 9 }, 12)
  assert.match(cut, /the company reached Samarkand/)
  assert.ok(cut.split(/\s+/).length <= 14, cut)
  assert.equal(shorten('Short.', { start: 0, end: 6 }, { start: 0, end: 5 }, 12), 'Short.')
  const clause =
    'Upstairs are prints, in the hall the maps, and the tower, built last, shows coins from Rome to Aachen, and bells.'
  const coins = clause.indexOf('coins')
  assert.equal(
    shorten(clause, { start: 0, end: clause.length }, { start: coins, end: coins + 5 }, 12),
    '… and the tower, built last, shows coins from Rome to Aachen …',
  )
  const unpaused = 'The kiln reaches one thousand three hundred degrees in half a day of steady firing with dry oak'
  const broken = shorten(unpaused, { start: 0, end: unpaused.length }, { start: 0, end: 8 }, 8)
  assert.equal(broken, 'The kiln reaches one thousand three hundred degrees …')
})

test('what is asked is not told, but what stands beside a question is', () => {
  const asked = (text: string, answer: string) =>
    isAsked(
      text,
      { start: 0, end: text.length },
      { start: text.indexOf(answer), end: text.indexOf(answer) + answer.length },
    )
  assert.equal(asked('What made you sell the car?', 'the car'), true)
  assert.equal(asked('I sold my car, do you want to see the new one?', 'my car'), false)
  assert.equal(asked('I sold my car.', 'my car'), false)
  assert.equal(asked('I prefer small tools, can you help me cache replies, maybe with a file?', 'a file'), true)
  assert.equal(asked('I prefer small tools, can you help me cache replies, maybe with a file?', 'small tools'), false)
})

// Patterns that look for two things in a text of a million characters would look until tomorrow.
