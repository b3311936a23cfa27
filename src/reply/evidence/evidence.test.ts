// Which sentence of a memory is told: never one that only names, greets, or lies outside of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { hear } from '../../language/language.ts'
import { answerFrom } from '../memory/answer.ts'
import { recollection } from '../test-recollection.ts'
import { evidenceIn, inTime, sentenceOf } from './evidence.ts'

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

test('an age that a note tells is told with the day of the note', () => {
  assert.equal(
    told('How old is Saga?', 'We have two kids, Saga, who is 12, and Viktor.', '12'),
    '8 May 2023: We have two kids, Saga, who is 12, and Viktor.',
  )
  assert.match(told('How old is the shop?', 'The shop was opened in 1985.', '1985'), /That was about \d+ years ago\.$/)
})

test('a word of assent is told with what it assents to', () => {
  assert.match(
    told('Is the shop open on Sundays?', 'Yes. The shop is open on Sundays from ten.', 'Yes.', { title: 'Questions' }),
    /The shop is open on Sundays from ten\./,
  )
})

test('what holds now is told from the latest note that speaks of it, not from one about something else', () => {
  const read = (text: string, day: string, answerable: number) => ({
    ...recollection(text, { day, speaker: 'Ada' }),
    reading: { start: 0, end: text.length, answerable, relevant: 0.9, span: 5 },
  })
  const tells = (later: string): string => {
    const question = 'Where does your daughter play?'
    const found = [read('My daughter plays for Leighton.', '2023-01-05', 0.9), read(later, '2024-03-01', 0.8)]
    return sentenceOf(inTime({ question }, evidenceIn({ question }, found))[0]!)
  }
  assert.equal(tells('My daughter plays for Stanwick since today.'), 'My daughter plays for Stanwick since today.')
  assert.equal(tells('Priya signed for Leeds.'), 'My daughter plays for Leighton.')
})

test('a later note that tells of a change is told instead, as surely as what it changes', () => {
  const read = (text: string, time: string, answerable: number, relevant: number) => ({
    ...recollection(text, { day: time }),
    reading: { start: 0, end: text.length, answerable, relevant, span: 0 },
  })
  const first = read('Ana gets a new knee on 14 January.', '2024-10-06T08:00:00Z', 0.95, 0.98)
  const moved = read('They moved the knee to 28 January.', '2024-12-12T08:00:00Z', 0.3, 0.65)
  const other = read('They moved the sofa to the attic.', '2025-01-12T08:00:00Z', 0.3, 0.65)
  const latest = (question: string, recollections: Recollection[]) => {
    const [best] = inTime({ question }, evidenceIn({ question }, recollections))
    return { said: sentenceOf(best!), answerable: best!.source.reading!.answerable }
  }
  assert.deepEqual(latest('when is the knee surgery', [first, moved, other]), {
    said: 'They moved the knee to 28 January.',
    answerable: 0.95,
  })
  assert.match(latest('when was the knee surgery planned at first', [first, moved]).said, /14 January/)
  const kept = read('The knee aches in the rain.', '2024-12-12T08:00:00Z', 0.3, 0.65)
  assert.match(latest('when is the knee surgery', [first, kept]).said, /14 January/)
})

test('an entry of an FAQ that asks the same in the same words answers, whatever the reader thinks', () => {
  const entry = (text: string, answerable: number) => ({
    ...recollection(text, { title: 'FAQ' }),
    reading: { start: text.length - 5, end: text.length, answerable, relevant: 0.5, span: 0 },
  })
  const same = entry('## Is it safe? Is it locked at night?\nThe gate shuts at ten.', 0.1)
  const other = entry('## How do I change the lock?\nAsk the porter for a key.', 0.7)
  const best = (question: string) => evidenceIn({ question }, [other, same])[0]!
  assert.equal(best('is it locked at night').source.reading!.answerable, 0.97)
  assert.match(sentenceOf(best('is it locked at night')), /shuts at ten/)
  assert.match(sentenceOf(best('who has a key for the gate')), /porter/)
})

test('what no reader has read is told as words find it', () => {
  const found = evidenceIn({ question: 'where is the lamp now' }, [recollection('The lamp is moved to the attic.')])
  assert.deepEqual(inTime({ question: 'where is the lamp now' }, found), found)
})
