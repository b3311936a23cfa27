// Questions, sentences, dates and small talk: tables of what is said and what is made of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonIn } from './comparisons.ts'
import { formatDistance, resolveRelativeTime } from './dates.ts'
import { asksForOverview } from './overviews.ts'
import { sayInReturn } from './phrases.ts'
import { asksBeyond, kindOf } from './question-kinds.ts'
import { findAnswerBelow, isAsked, isTitle, sentenceAround, sentences, shorten, withNext } from './sentences.ts'
import { smallTalkIn } from './small-talk.ts'
import { understand } from './understand.ts'

describe('what kind of answer is asked for', () => {
  for (const [question, kind] of [
    ['When did Anna move?', 'when'],
    ['In which year did it open?', 'when'],
    ['And what day was that?', 'when'],
    ['How many cats does she have?', 'count'],
    ['How long did the trip take?', 'amount'],
    ['Who wrote it?', 'who'],
    ['Where does Tom live?', 'where'],
    ['Why did they leave?', 'why'],
    ['Did Anna buy a bicycle?', 'yes-no'],
    ['Can you tell me who wrote it?', 'who'],
    ['What hobbies does Melanie have?', 'list'],
    ['Which cities were visited?', 'list'],
    ['What has Melanie painted?', 'list'],
    ['Where has Melanie camped?', 'list'],
    ['Where does Melanie live?', 'where'],
    ['What has been the result?', 'other'],
    ['List the planets', 'list'],
    ['What is the wifi password?', 'other'],
    ['What class does she take?', 'other'],
  ] as const)
    test(question, () => assert.equal(kindOf(question), kind))
})

test('sentences end where they end, not at every full stop', () => {
  assert.deepEqual(sentences('Dr. Smith lives in St. Louis. He has 3.5 acres!\nA new line'), [
    'Dr. Smith lives in St. Louis.',
    'He has 3.5 acres!',
    'A new line',
  ])
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

describe('times as a note tells them, on Monday, 8 May 2023', () => {
  for (const [sentence, words] of [
    ['I went there yesterday.', '7 May 2023'],
    ['We meet tomorrow.', '9 May 2023'],
    ['Last Friday it rained.', '5 May 2023'],
    ['I moved two days ago.', '6 May 2023'],
    ['The fair is next month.', 'June 2023'],
    ['I started last year.', '2022'],
    ['We painted it last week.', 'the week of 1 May 2023'],
    ['I quit three months ago.', 'about February 2023'],
  ] as const)
    test(sentence, () => assert.equal(resolveRelativeTime(sentence, new Date('2023-05-08T12:00:00Z'))?.words, words))
  for (const sentence of ['It was on 3 May 2021.', 'I like tea.'])
    test(`nothing to work out: ${sentence}`, () =>
      assert.equal(resolveRelativeTime(sentence, new Date('2023-05-08')), null))
})

test('how far apart', () => {
  const [one, two] = [new Date('2024-03-10'), new Date('2024-03-12')]
  assert.equal(formatDistance(one, two), '2 days')
  assert.equal(formatDistance(two, one, 'day'), '2 days')
  assert.equal(formatDistance(one, new Date('2024-03-17'), 'week'), '1 week')
})

describe('what one memory hardly tells', () => {
  for (const message of [
    'Can you help me plan the garden?',
    'What tools would you suggest?',
    'How many trees did I plant in total?',
    'How should I prune roses?',
  ])
    test(message, () => assert.equal(asksBeyond(message), true))
  for (const message of ['How many trees are in the orchard?', 'What did Anna recommend?', 'When did I move?'])
    test(`one memory may tell: ${message}`, () => assert.equal(asksBeyond(message), false))
})

describe('a subject in the course of time', () => {
  for (const message of ['Summarise what I did in the garden.', 'In what order did Anna move and marry?'])
    test(message, () => assert.equal(asksForOverview(message), true))
  for (const message of ['Who founded the Order of Malta?', 'What does the summary say?', 'Is the garden in order?'])
    test(`not asked for: ${message}`, () => assert.equal(asksForOverview(message), false))
})

describe('comparisons', () => {
  for (const [question, expected] of [
    ['How many days passed between the move and the party?', ['the move', 'the party', 'between']],
    [
      'How many weeks passed between when I sold the house and the car and when I moved?',
      ['I sold the house and the car', 'I moved', 'between'],
    ],
    ['Which came first, the move or the party?', ['the move', 'the party', 'order']],
    ['Did Anna move before Tom sold his car?', ['Anna move', 'Tom sold his car', 'before']],
  ] as const)
    test(question, () => {
      const found = comparisonIn(question)
      assert.deepEqual([found?.first, found?.second, found?.asks], expected)
    })
  for (const question of ['Did she travel before 2020?', 'What came after that?', 'How many days are in a week?'])
    test(`no comparison: ${question}`, () => assert.equal(comparisonIn(question), null))
})

// Patterns that look for two things in a text of a million characters would look until tomorrow.
test('a long message is looked at no longer than a short one', () => {
  const long = (word: string) => `how many days between give ${word.repeat(100_000)}`
  assert.equal(comparisonIn(long('a and between ')), null)
  assert.equal(asksForOverview(long('give list ')), false)
  assert.equal(asksBeyond(long('do you ')), true)
})

describe('small talk', () => {
  const instructions = 'You are a gardener in Kent. You love roses. Never speak of money.'
  const persona = { name: 'Ada', instructions }
  for (const [message, reply] of [
    ['Hello!', /^Hello, Tom! I'm Ada\./],
    ['thanks a lot', /^You're welcome, Tom\.$/],
    ['How are you?', /^I'm well/],
    ['bye', /^Goodbye/],
    ['Who are you?', /^I'm Ada\. I am a gardener in Kent\. I love roses\.$/],
  ] as const)
    test(message, () => assert.match(sayInReturn(smallTalkIn(message)!, persona, 'Tom'), reply))
  for (const message of [
    'Hello, when do the tulips bloom?',
    'Who are the neighbours?',
    'Thanks for nothing: where is my key',
  ])
    test(`no small talk: ${message}`, () => assert.equal(smallTalkIn(message), null))
})

describe('follow-ups', () => {
  const before = [
    { role: 'user' as const, text: 'Where does Tom live?' },
    { role: 'ai' as const, text: 'In Lisbon.' },
  ]
  for (const [message, question] of [
    ['And why there?', 'Where does Tom live? And why there?'],
    ['Since when?', 'Where does Tom live? Since when?'],
    ['When did Anna buy a bicycle in Oslo?', 'When did Anna buy a bicycle in Oslo?'],
  ] as const)
    test(message, () => {
      const understood = understand(message, { before })
      assert.equal(understood.question, question)
      assert.equal(understood.isFollowUp, question !== message)
      assert.equal(understood.query.question, question)
    })
})
