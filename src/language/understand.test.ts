// What a message is understood as, in its session and however long it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonIn } from './comparisons.ts'
import { asksForOverview } from './overviews.ts'
import { asksBeyond } from './question-kinds.ts'
import { understand } from './understand.ts'

test('a long message is looked at no longer than a short one', () => {
  const long = (word: string) => `how many days between give ${word.repeat(100_000)}`
  assert.equal(comparisonIn(long('a and between ')), null)
  assert.equal(asksForOverview(long('give list ')), false)
  assert.equal(asksBeyond(long('do you ')), true)
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
