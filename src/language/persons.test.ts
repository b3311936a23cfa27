// Names that a question may hold, and titles under which one introduces oneself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLabel, possibleNames, withoutNames } from './persons.ts'
import { isIntroduction } from './portraits.ts'

test('a name may stand in the genitive, with its apostrophe or without', () => {
  assert.ok(possibleNames('what does lucas mother do').includes('luca'))
  assert.ok(possibleNames("What does Luca's mother do?").includes('luca'))
  assert.ok(!possibleNames('is it on us').includes('u'))
  const names = new Set(['luca'])
  assert.equal(withoutNames('what does lucas mother do', names), 'what does mother do')
  assert.equal(withoutNames("Luca's mother", names), 'mother')
})

test('what a note is about is nobody', () => {
  for (const label of ['Knee', 'Boiler', 'TODO', 'Christmas', 'Tomatoes']) assert.ok(isLabel(label), label)
  for (const name of ['Ana', 'Tom', 'April', 'Rose']) assert.ok(!isLabel(name), name)
})

test('who introduces themselves says so in the title', () => {
  for (const title of ['About me', 'Who we are', 'Our team', 'CV', 'Profile']) assert.ok(isIntroduction(title), title)
  for (const title of ['Trip plan', 'Letter to June', 'CVs of the year']) assert.ok(!isIntroduction(title), title)
})
