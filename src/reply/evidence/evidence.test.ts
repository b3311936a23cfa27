// Which sentence of a memory is told: never one that only names, greets, or lies outside of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Persona } from '../../domain/persona.ts'
import { hear } from '../../language/language.ts'
import { answerFrom } from '../memory/answer.ts'
import { recollection } from '../test-recollection.ts'
import { evidenceIn } from './evidence.ts'

const persona = { name: 'Ada' } as Persona

// As if a reader had pointed at these words.
function told(
  question: string,
  text: string,
  pointed: string,
  more: { title?: string; speaker?: string } = {},
): string {
  const passage = `8 May 2023\n${text}`
  const start = passage.indexOf(pointed)
  const own = { start: passage.length - text.length, end: passage.length }
  const reading = { start, end: start + pointed.length, answerable: 0.9, relevant: 0.9, span: 5 }
  const read = { ...recollection(text, more), passage: { text: passage, own }, reading }
  const { kind } = hear(question).classified
  const evidence = evidenceIn({ question, kind }, [read])
  return answerFrom({ question, kind }, evidence, persona)!.text
}

const ZONES = 'Data isolation\nEvery customer has a zone of their own. Nobody else reaches it.'

test('a title that repeats the words is answered by what follows', () => {
  const title = { title: 'Manual' }
  assert.equal(
    told('What is data isolation?', ZONES, 'Data isolation', title),
    'Every customer has a zone of their own.',
  )
  assert.match(told('data isolation', ZONES, 'Data isolation', title), /^Every customer has a zone of their own\./)
})

test('a title that is the answer stays it', () => {
  assert.equal(
    told('Who rebuilt the kiln?', 'Osman Farrell\nHe rebuilt the kiln in May.', 'Osman Farrell', { title: 'People' }),
    'Osman Farrell.',
  )
})

test('the answer of an FAQ is told whole, unless it is long', () => {
  const title = { title: 'FAQ' }
  const entry = '## I lost my key. What now?\nCall the office. A new key costs 20 pounds.'
  const whole = 'Call the office. A new key costs 20 pounds.'
  assert.equal(told('my key is gone', entry, '20 pounds', title), whole)
  assert.equal(told('my key is gone', entry, 'I lost my key', title), whole)
  assert.equal(
    told('do i get a new key', 'Q: Keys? New keys?\nA: Yes, at the gate. Ring twice.', 'gate', title),
    'Yes, at the gate. Ring twice.',
  )
  assert.equal(told('what does a new key cost?', entry, '20 pounds', title), 'A new key costs 20 pounds.')
  const courses = '## Do you run courses?\nYes, on Saturdays.'
  assert.equal(told('Do you run any courses?', courses, 'Saturdays', title), 'Yes, on Saturdays.')
  assert.equal(told('which day are the courses on', courses, 'Saturdays', title), 'On Saturdays.')
  const long = `${entry} ${'The office is in the old mill at the end of the lane. '.repeat(5)}`
  assert.equal(told('my key is gone', long, '20 pounds', title), 'A new key costs 20 pounds.')
})

test('a line of a note is told, though sentences follow', () => {
  const note = 'bought milk and eggs\nMet Tom at the station.'
  assert.equal(told('milk from the shop', note, 'milk'), 'bought milk and eggs.')
})

test('where the date is pointed at, the sentence that is asked about is told, with the time named before it', () => {
  const turn =
    'Anna: Hey Tom! Last night was lovely. We celebrated the birthday of my daughter with a concert under ' +
    'the old trees, and the whole village came to sing along with us until it was late.'
  assert.match(
    told('When was the birthday of her daughter?', turn, '8 May 2023', { speaker: 'Anna' }),
    /^7 May 2023: Anna said on 8 May 2023: “.*We celebrated the birthday of my daughter/,
  )
})

test('a word of assent is told with what it assents to', () => {
  assert.match(
    told('Is the shop open on Sundays?', 'Yes. The shop is open on Sundays from ten.', 'Yes.', { title: 'Questions' }),
    /The shop is open on Sundays from ten\./,
  )
})
