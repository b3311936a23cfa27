// Entries of an FAQ, asked for in their own words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stems } from '../../language/language.ts'
import { askedThere } from './asked-there.ts'

const ENTRY = `### How do I delete a note, a film or a file, and make a persona forget something? Can I undo it?

Open it, and press Delete.`

const surely = (question: string): number =>
  askedThere(stems(question), { text: ENTRY, own: { start: 0, end: ENTRY.length } })

test('each of its questions, and each half of one that asks two things', () => {
  const same = surely('can i undo it')
  assert.ok(same > 0.9)
  assert.equal(surely('how do i make a persona forget something'), same)
  assert.equal(surely('How do I delete a note, a film or a file?'), same)
})

test('most of one, but not what only shares words with it', () => {
  assert.ok(surely('make a persona forget') > 0.5)
  assert.equal(surely('how do i forget my persona'), 0)
  assert.equal(surely('how do i press a film'), 0)
})

test('nothing in a text that is no entry', () => {
  const text = 'I can undo it.'
  assert.equal(askedThere(stems('can i undo it'), { text, own: { start: 0, end: text.length } }), 0)
})
