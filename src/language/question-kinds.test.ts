// What kind of answer is asked for, and what one memory hardly tells.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksBeyond, kindOf } from './question-kinds.ts'

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
