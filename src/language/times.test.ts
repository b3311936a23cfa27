// Times in questions asked on Wednesday, 14 June 2023.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeIn } from './times.ts'

const asked = new Date('2023-06-14T12:00:00Z')
const day = (minute: number) =>
  Number.isFinite(minute) ? new Date(minute * 60_000).toISOString().slice(0, 10) : minute

// Ends of a month or less lie a week later: people tell of things some days after they happened.
const table: [string, [string | number, string | number] | null][] = [
  ['What did she paint in May 2023?', ['2023-05-01', '2023-06-07']],
  ['What happened on 8 May 2023?', ['2023-05-08', '2023-05-15']],
  ['What happened on May 8th?', ['2023-05-08', '2023-05-15']],
  ['What happened on 2022-12-31?', ['2022-12-31', '2023-01-07']],
  ['Where did we go in August?', ['2022-08-01', '2022-09-07']],
  ['Who visited in 2021?', ['2021-01-01', '2021-12-31']],
  ['What did I eat yesterday?', ['2023-06-13', '2023-06-20']],
  ['What did we do last week?', ['2023-06-05', '2023-06-18']],
  ['What did we do last month?', ['2023-05-01', '2023-06-07']],
  ['What did we do last Friday?', ['2023-06-09', '2023-06-16']],
  ['What did we read before May 2023?', [-Infinity, '2023-05-01']],
  ['What did we read since 2022?', ['2022-01-01', Infinity]],
  ['May I ask who marched?', null],
  ['Who is Ada?', null],
]

for (const [question, expected] of table)
  test(question, () => {
    const range = timeIn(question, asked)
    assert.deepEqual(range && [day(range.from), day(range.to)], expected)
  })

test('two weeks ago is about two weeks ago', () => {
  const range = timeIn('What did I buy two weeks ago?', asked)!
  const minute = new Date('2023-05-31T12:00:00Z').getTime() / 60_000
  assert.ok(range.from < minute && minute < range.to && range.to - range.from < 15 * 24 * 60)
})
