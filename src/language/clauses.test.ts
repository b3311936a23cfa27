import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureClause } from './clauses.ts'

const told = (text: string, answer: string, question: string): string => {
  const start = text.indexOf(answer)
  const range = figureClause(text, { start: 0, end: text.length }, { start, end: start + answer.length }, question)
  return text.slice(range.start, range.end)
}

const LENDING = 'Books for three weeks, DVDs for one week, jigsaws for a month.'
const ITEMS = 'Adults may have ten items at a time, children six.'

test('of clauses with a figure each only the one is told that was asked for', () => {
  assert.equal(told(LENDING, 'one week', 'For how long can I keep a DVD?'), 'DVDs for one week')
  assert.equal(told(ITEMS, 'ten items', 'How many books may an adult borrow?'), 'Adults may have ten items at a time')
  assert.equal(told(ITEMS, 'six', 'How many for children?'), 'children six.')
})

test('the whole is told where the question does not name one of them alone', () => {
  assert.equal(told(LENDING, 'three weeks', 'How long may I keep what I borrow?'), LENDING)
  const price = 'The reading room costs £8 an hour, £5 for village groups.'
  assert.equal(told(price, '£5', 'What does it cost?'), price)
})

test('the whole is told where the question names something of both', () => {
  const dues = 'Dues are 40 a term, students half.'
  assert.equal(told(dues, '40', 'I am a student, what do I pay a term?'), dues)
})

test('a clause that leans on the one before is told with it', () => {
  const girls = 'We have two girls, Edie, who is 12, and Flo, the little one, who is the one of 8.'
  assert.equal(told(girls, '8', 'How old is the little one?'), girls)
})

test('a figure alone in its sentence keeps the rest of it', () => {
  const van = 'Bought a used van for 4,500 euros, it starts every second time.'
  assert.equal(told(van, '4,500 euros', 'What did the van cost?'), van)
})

test('what goes on with a figure is of the same thing; what stands in brackets is not cut', () => {
  const price = 'The reading room can be hired: £8 an hour, £5 for village groups, and the hall for £20.'
  const hired = 'The reading room can be hired: £8 an hour, £5 for village groups'
  assert.equal(told(price, '£8 an hour', 'What does the reading room cost?'), hired)
  const marks = 'Mean 58, best one 94 (Noor, a historian of 22).'
  assert.equal(told(marks, '94', 'What did the best one get?'), 'best one 94 (Noor, a historian of 22).')
})
