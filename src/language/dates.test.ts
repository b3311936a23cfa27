// Times resolved to dates, and how far these are apart.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDistance, formatSpan, resolveRelativeTime } from './dates.ts'

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
    ['Kees died Sunday. Funeral on Friday.', '7 May 2023'],
    ['We met on Wednesday.', '3 May 2023'],
    ["We're having coffee on Wednesday.", '10 May 2023'],
    ['She arrived on Monday.', '1 May 2023'],
  ] as const)
    test(sentence, () => assert.equal(resolveRelativeTime(sentence, new Date('2023-05-08T12:00:00Z'))?.words, words))
  for (const sentence of [
    'It was on 3 May 2021.',
    'I like tea.',
    'Closed on Monday.',
    'Funeral on Friday, Jelske drives me.',
    'We met every Tuesday.',
  ])
    test(`nothing to work out: ${sentence}`, () =>
      assert.equal(resolveRelativeTime(sentence, new Date('2023-05-08')), null))
})

test('how far apart', () => {
  const [one, two] = [new Date('2024-03-10'), new Date('2024-03-12')]
  assert.equal(formatDistance(one, two), '2 days')
  assert.equal(formatDistance(two, one, 'day'), '2 days')
  assert.equal(formatDistance(one, new Date('2024-03-17'), 'week'), '1 week')
})

describe('how long a time is that is named by its ends', () => {
  for (const [text, span] of [
    ['I was on the board from 2021 to 2024.', 'about 3 years'],
    ['Riyadh, 1984–1990.', 'about 6 years'],
    ['It made clocks from 1838 until the fire of 1911.', 'about 73 years'],
    ['We lived there between 1999 and 2000.', 'about a year'],
    ['The shop will be shut from 5 to 16 August.', '12 days'],
    ['In 2021 and 2024 we won.', null],
    ['Open from 5 to 7.', null],
  ] as const)
    test(text, () => assert.equal(formatSpan(text), span))
})
