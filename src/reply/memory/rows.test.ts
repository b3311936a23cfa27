import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../evidence/evidence.ts'
import { recollection } from '../test-recollection.ts'
import { listColumn, moveToExtreme, moveToNamed } from './rows.ts'

const TABLE = `Our boats.
| Boat | Length (m) | Price | Since |
|---|---|---|---|
| Anna | 9 | €4,200 | May 2019 |
| Berta | 12 | €1,950 | June 2021 |
| Carla | 7 | €8,100 | 2020 |`

const MARKED = `| No | Berth | Boat |
|---|---|---|
| L1 | 4 | Dora |
| L2 | 9 | Emma |`

// As if the reader had pointed to a word of the table.
function evidenceAt(word: string, { table = TABLE, answerable = 0.9 } = {}): Evidence {
  const start = table.indexOf(word)
  const place = { start, end: start + word.length }
  const source = {
    ...recollection(table, { title: 'Boats of May' }),
    reading: { ...place, answerable, relevant: 1, span: 5 },
  }
  return { source, passage: source.passage, answer: place, sentence: place, rank: 0, strength: 1, isRead: true }
}

const rowFor = (question: string, word = 'Anna'): string | null => {
  const moved = moveToExtreme(question, evidenceAt(word))
  return moved && TABLE.slice(moved.sentence.start, moved.sentence.end)
}

test('the row with the most or the least of what a column counts', () => {
  assert.match(rowFor('Which boat has the greatest length, the longest one?')!, /Berta/)
  assert.match(rowFor('Which boat has the lowest price?')!, /Berta/)
  assert.match(rowFor('Which one fetches the highest price?')!, /Carla/)
  assert.match(rowFor('Which is the shortest in length?')!, /Carla/)
  assert.match(rowFor('Which one is the cheapest?')!, /Berta/)
})

test('not for a question for neither, or about what stands in no table', () => {
  assert.equal(rowFor('What is Anna?'), null)
  assert.equal(rowFor('Which one do people like most?'), null)
  assert.equal(rowFor('Which boat has the lowest price?', 'Our boats'), null)
})

test('the row that is named, exactly where its column is, too', () => {
  const found = moveToNamed('What is the price of Berta?', evidenceAt('Anna'))!
  assert.match(TABLE.slice(found.moved.sentence.start, found.moved.sentence.end), /Berta/)
  assert.equal(found.isExact, true)
  assert.equal(moveToNamed('How long is Berta?', evidenceAt('Anna'))!.isExact, true)
  assert.equal(moveToNamed('How much is Berta?', evidenceAt('Anna'))!.isExact, true)
  assert.equal(moveToNamed('Is Berta old?', evidenceAt('Anna'))!.isExact, false)
  assert.equal(moveToNamed('Do you have Berta?', evidenceAt('Anna'), 'yesno')!.isExact, true)
  assert.equal(moveToNamed('Where is Berta?', evidenceAt('Anna'))!.isExact, false)
  assert.equal(moveToNamed('Does Berta leak?', evidenceAt('Anna'), 'yesno')!.isExact, false)
  assert.equal(moveToNamed('How deep is Berta?', evidenceAt('Anna'))!.isExact, false)
  assert.equal(moveToNamed('What do Anna and Berta have in common?', evidenceAt('Anna')), null)
  assert.equal(moveToNamed('What is the price of it?', evidenceAt('Anna')), null)
})

test('of a list those that hold what the question names', () => {
  const table = `| Date | What | Price |
|---|---|---|
| Sunday, 9 March | Setting the clocks | free |
| Sunday, 20 July | Making a cuckoo | 5 |
| Saturday, 6 December | Christmas bells | free |`
  const list = (question: string) => listColumn(question, evidenceAt('Christmas', { table }))
  assert.deepEqual(list('What is on in July?'), ['Making a cuckoo'])
  assert.deepEqual(list('Which free events are there?'), ['Setting the clocks', 'Christmas bells'])
  assert.deepEqual(list('All events, the bells too?'), ['Setting the clocks', 'Making a cuckoo', 'Christmas bells'])
  assert.deepEqual(list('Which events are there?'), ['Setting the clocks', 'Making a cuckoo', 'Christmas bells'])
})

test('a list that is too long is none, also of some rows', () => {
  const rows = Array.from({ length: 20 }, (_, at) => `| Song ${at} | ${at < 15 ? 'choir' : 'band'} |`)
  const table = ['| Song | By |', '|---|---|', ...rows].join('\n')
  assert.equal(listColumn('Which songs are by the choir?', evidenceAt('Song 1', { table })), null)
  assert.equal(listColumn('Which songs are by the band?', evidenceAt('Song 1', { table }))!.length, 5)
})

test('a row of nothing but figures is just what a question for a figure asks for', () => {
  const prices = `| | Dog | Cat |\n|---|---|---|\n| Nail clipping | 12 | 9 |\n| Microchip | 18 | 20 |`
  const asked = 'How much is a microchip?'
  assert.equal(moveToNamed(asked, evidenceAt('Nail', { table: prices }), 'amount')!.isExact, true)
  assert.equal(moveToNamed(asked, evidenceAt('Nail', { table: prices }))!.isExact, false)
  assert.equal(moveToNamed('How much is Berta?', evidenceAt('Anna'), 'amount')!.isExact, true)
})

test('a list out of a column: the one that is named, else the first of words', () => {
  assert.deepEqual(listColumn('What boats do you have?', evidenceAt('Anna')), ['Anna', 'Berta', 'Carla'])
  assert.deepEqual(listColumn('What prices do you ask?', evidenceAt('Anna')), ['€4,200', '€1,950', '€8,100'])
  assert.deepEqual(listColumn('What do you rent out?', evidenceAt('Anna')), ['Anna', 'Berta', 'Carla'])
  // A word of the title chooses no rows.
  assert.deepEqual(listColumn('Which boats are in the boats of May?', evidenceAt('Berta')), ['Anna', 'Berta', 'Carla'])
  assert.deepEqual(listColumn('Who lies here?', evidenceAt('Dora', { table: MARKED })), ['Dora', 'Emma'])
  assert.equal(listColumn('What boats do you have?', evidenceAt('Our boats')), null)
  assert.equal(listColumn('What else is there?', evidenceAt('Anna', { answerable: 0.1 })), null)
  assert.equal(listColumn('And what of Berta?', evidenceAt('Anna')), null)
})
