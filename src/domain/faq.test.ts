import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfQuestion, isMarked, isNamed } from './faq.ts'

const askedIn = (text: string): string => text.slice(0, endOfQuestion(text))

test('an entry begins with its question, or with two or three, or with what happened', () => {
  assert.equal(askedIn('## Do you deliver?\nYes.'), '## Do you deliver?')
  assert.equal(askedIn('Do you deliver? Yes, on Fridays. Why not?'), 'Do you deliver?')
  assert.equal(askedIn('Parking? Where can I park?\nBehind the shop.'), 'Parking? Where can I park?')
  assert.equal(askedIn('A dog? A cat? Two?\nYes.'), 'A dog? A cat? Two?')
  assert.equal(askedIn('I lost my key. What now?\nCall us.'), 'I lost my key. What now?')
  assert.equal(askedIn('Q: Is there a lift?\nA: Yes.'), 'Q: Is there a lift?')
  assert.equal(askedIn('# Questions\n\n## Dogs?\nNo.'), '# Questions\n\n## Dogs?')
  assert.equal(askedIn('**Is there a lift?**\nYes.'), '**Is there a lift?')
})

test('a text that asks somewhere is none', () => {
  assert.equal(endOfQuestion('We deliver. When? On Fridays.'), 0)
  assert.equal(endOfQuestion('We deliver on Fridays.\nWhen?'), 0)
  assert.equal(endOfQuestion(`${'very '.repeat(60)}long?`), 0)
  assert.equal(endOfQuestion(''), 0)
  assert.equal(endOfQuestion('# Dogs\n\nThey may come in.'), 0)
})

test('among questions, a name on a line of its own stands for one', () => {
  assert.ok(isNamed('Parking\nBehind the shop.'))
  assert.ok(!isNamed('We park behind the shop.\nYou may, too.'))
  assert.ok(!isNamed('Parking'))
  assert.ok(isMarked('Q: Collection and delivery\nA: Our van comes.'))
})
