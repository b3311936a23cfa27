// What one memory hardly tells.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksBeyond } from './question-kinds.ts'

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
