import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Passage, Reading } from '../domain/memory.ts'
import { limits } from './limits.ts'
import { inPassage, partsOf } from './parts.ts'

const below = (header: string, own: string): Passage => ({
  text: `${header}\n${own}`,
  own: { start: header.length + 1, end: header.length + 1 + own.length },
})

// As if the reader had found these words in a part.
const readingOf = (text: string, words: string): Reading => {
  const start = text.indexOf(words)
  return { start, end: start + words.length, answerable: 1, relevant: 1, span: 1 }
}

test('a short passage is read as it stands', () => {
  const passage = below('The shed', 'The paint was green. The roof leaks.')
  assert.deepEqual(partsOf(passage, []), [{ text: passage.text, units: [] }])
})

test('a long one is read a few sentences at a time below its header, and each place is found again', () => {
  const sentences = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} says where the key of door ${at} is.`)
  const passage = below('Keys', sentences.join(' '))
  const parts = partsOf(passage, [])
  assert.ok(parts.length > 3)
  for (const { text } of parts) {
    assert.ok(text.startsWith('Keys\nSentence'))
    assert.ok(text.length <= limits.partCharacters + 'Keys\n'.length)
  }
  for (const sentence of sentences) {
    const part = parts.find(({ text }) => text.includes(sentence))
    assert.ok(part, sentence)
    const { start, end } = inPassage(readingOf(part.text, sentence), part)
    assert.equal(passage.text.slice(start, end), sentence)
  }
})

test('neighbouring parts share a sentence', () => {
  const passage = below('Keys', Array.from({ length: 30 }, (_, at) => `This is sentence number ${at} of it.`).join(' '))
  const [first, second] = partsOf(passage, [])
  assert.equal(first!.units.at(-1)!.start, second!.units[0]!.start)
})

test('rows are read with the names of their columns, and stand for themselves', () => {
  const table = '| Boat | Length |\n|---|---|\n| Anna | 9 m |\n| Berta | 12 m |'
  const passage = below('Boats', `Two of them are ours.\n${table}\nBoth are old.`)
  const [part, ...others] = partsOf(passage, [])
  assert.deepEqual(others, [])
  assert.equal(
    part!.text,
    'Boats\nTwo of them are ours.\nBoat: Anna; Length: 9 m\nBoat: Berta; Length: 12 m\nBoth are old.',
  )
  const { start, end } = inPassage(readingOf(part!.text, '12 m'), part!)
  assert.equal(passage.text.slice(start, end), '| Berta | 12 m |')
})

test('a table that was cut knows its columns by a heading', () => {
  const [part] = partsOf(below('Boats', '| Carla | 7 m |\n| Dora | 8 m |'), ['| Boat | Length |'])
  assert.equal(part!.text, 'Boats\nBoat: Carla; Length: 7 m\nBoat: Dora; Length: 8 m')
})

test('what lies in the header stays there', () => {
  const passage = below('Boats of Skagen', '| Carla | 7 m |\n| Dora | 8 m |')
  const [part] = partsOf(passage, [])
  const { start, end } = inPassage(readingOf(part!.text, 'Skagen'), part!)
  assert.equal(passage.text.slice(start, end), 'Skagen')
})
