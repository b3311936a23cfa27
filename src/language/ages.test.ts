// What asks for an age, and ages worked out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ageAsked, ageAt, ageThenAsked, fromBirthOn } from './ages.ts'

describe('an age is asked for by the birth, too', () => {
  for (const [asked, of, birth, year] of [
    ['how old are you', null, 'when were you born?', null],
    ['How old is your mother now?', 'your mother', 'when was your mother born?', null],
    ["what's Ana's age", 'Ana', 'when was Ana born?', null],
    ['how old are they', null, 'when were they born?', null],
    ['whats your age?', null, 'when were you born?', null],
    ['How old did you turn in 2021?', null, 'when were you born?', 2021],
    ['how old was Ana on her birthday in 1999', 'Ana', 'when was Ana born?', 1999],
    ['How old will your son be in 2030?', 'your son', 'when was your son born?', 2030],
  ] as const)
    test(asked, () => assert.deepEqual(ageAsked(asked), { birth, of, year }))
  for (const asked of ['how old were you when you left', 'How old is too old, and why?', 'where do you live'])
    test(`no age: ${asked}`, () => assert.equal(ageAsked(asked), null))
})

test('an age then is asked for by the birth and what happened', () => {
  const you = { birth: 'when were you born?', of: null, event: 'you married' }
  assert.deepEqual(ageThenAsked('how old were you when you married'), you)
  assert.deepEqual(ageThenAsked('And how old was your son when the flood came? roughly'), {
    birth: 'when was your son born?',
    of: 'your son',
    event: 'the flood came',
  })
  for (const asked of ['how old were you', 'How old were you in 2010, when you moved?', 'when were you old'])
    assert.equal(ageThenAsked(asked), null)
})

test('ages', () => {
  const born = { at: new Date('1952-08-03T00:00:00Z'), isDay: true }
  assert.equal(ageAt(born, new Date('2024-08-02T12:00:00Z'), null), '71')
  assert.equal(ageAt(born, new Date('2024-08-03T12:00:00Z'), null), '72')
  assert.equal(ageAt({ ...born, isDay: false }, new Date('2024-02-01T12:00:00Z'), null), '71 or 72')
  assert.equal(ageAt(born, new Date('2024-02-01T12:00:00Z'), 2021), '69 in 2021')
  assert.equal(ageAt(born, new Date('2024-02-01T12:00:00Z'), 1950), null)
  assert.equal(fromBirthOn('Elected in May 2018, she was born in 1979.'), 'born in 1979.')
})
