// What one memory hardly tells.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksBeyond, birthQuestion } from './question-kinds.ts'

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

describe('an age is asked for by the birth, too', () => {
  for (const [asked, birth] of [
    ['how old are you', 'when were you born?'],
    ['How old is your mother now?', 'when was your mother born?'],
    ["what's Ana's age", 'when was Ana born?'],
    ['whats your age?', 'when were you born?'],
    ['how old were you when you left', null],
    ['How old is too old, and why?', null],
    ['where do you live', null],
  ] as const)
    test(asked, () => assert.equal(birthQuestion(asked), birth))
})
