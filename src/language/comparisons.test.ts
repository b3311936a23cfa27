// Messages that compare two facts, and some that do not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonIn } from './comparisons.ts'

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
  for (const question of [
    'Did she travel before 2020?',
    'What came after that?',
    'How many days are in a week?',
    'Was she named after someone?',
    'did you look after the cat?',
  ])
    test(`no comparison: ${question}`, () => assert.equal(comparisonIn(question), null))
})
