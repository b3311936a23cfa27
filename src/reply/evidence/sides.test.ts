// Yes and no are said to what was asked last, not to what a follow-up goes on from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recollection } from '../test-recollection.ts'
import { evidenceIn } from './evidence.ts'
import { isYes } from './sides.ts'

const HIRED = 'Our fourth vet Lucia Ferrer treats birds and lizards.'

function answered(question: string, text = HIRED): boolean | null {
  const reading = { start: 0, end: text.length, answerable: 0.95, relevant: 0.95, span: 5 }
  const read = { ...recollection(text, { day: '2024-05-01' }), reading }
  return isYes(question, evidenceIn({ question }, [read])[0]!)
}

test('a question in the words of memory is answered with yes, also as a follow-up', () => {
  assert.equal(answered('Does Lucia Ferrer treat birds?'), true)
  assert.equal(answered('Who is the vet? | Lucia Ferrer. | Does she treat birds?'), true)
})

test('what a follow-up goes on from makes no yes', () => {
  assert.equal(answered(`Who is the vet? | ${HIRED} | Is she nice?`), null)
  assert.equal(answered(`Who is the vet? | ${HIRED} | Does she like horses?`), null)
})

test('words of several clauses make no yes', () => {
  const hours = 'The shop opens at six, on Sundays it stays closed.'
  assert.equal(answered('Are you open on Sundays?', hours), null)
  assert.equal(answered('Does the shop open at six?', hours), true)
})
