import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../domain/id.ts'
import type { Memory } from '../domain/memory.ts'
import { limits } from './limits.ts'
import { windowOf } from './window.ts'

const memory = (text: string, speaker: string | null = null): Memory => ({
  personaId: 1,
  id: newId(),
  documentId: newId(),
  position: 0,
  text,
  time: new Date(Date.UTC(2023, 4, 8, 23, 30)),
  place: { headings: [], page: null, pageStarts: [], start: 0, end: text.length, speaker },
})

const known = (one: Memory, title = '') => ({ memory: one, title, tags: [] })
const textOf = (one: Memory, before?: Memory): string => windowOf(known(one), { speaker: 'Ada Lovelace' }, before).text

test('a turn is read with its day, its speaker and the question before it', () => {
  const asked = '8 May 2023\nTom: Where do you live?\nAnna: In Lisbon.'
  assert.equal(textOf(memory('In Lisbon.', 'Anna'), memory('Tom: Where do you live?')), asked)
  assert.equal(textOf(memory('Anna: In Lisbon.'), memory('Where do you live?', 'Tom')), asked)
  assert.equal(textOf(memory('Anna: In Lisbon.'), memory('Tom: I live in Oslo.')), '8 May 2023\nAnna: In Lisbon.')
  assert.equal(textOf(memory('Anna: In Lisbon.')), '8 May 2023\nAnna: In Lisbon.')
})

test('in a note the persona speaks, and no turn is put beside it', () => {
  const note = memory('Is the meeting on Monday?')
  assert.equal(textOf(note, memory('Tom: When?')), `8 May 2023\nAda Lovelace: ${note.text}`)
  assert.equal(textOf(memory('Anna: Yes.'), note), '8 May 2023\nAnna: Yes.')
})

test('a long turn is read by itself and does not fill the window of another', () => {
  const long = memory(`Anna: ${'so? '.repeat(limits.windowTurnCharacters / 4)}`)
  assert.equal(textOf(long, memory('Tom: Why?')), `8 May 2023\n${long.text}`)
  assert.equal(textOf(memory('Tom: I see.'), long), '8 May 2023\nTom: I see.')
})

test('a passage of a document is read under its title, unless that is too long to help', () => {
  const passage = memory('The sea is near.')
  assert.equal(windowOf(known(passage, 'Lisbon'), { speaker: 'Ada' }).text, 'Lisbon\nThe sea is near.')
  assert.equal(
    windowOf(known(passage, 'x'.repeat(limits.windowTitleCharacters + 1)), { speaker: 'Ada' }).text,
    passage.text,
  )
})

test('asked about by name, the persona is named where a document says "I"', () => {
  const [own, other] = [memory('I have the bees.'), memory('The bees are in the orchard.')]
  const whose = { speaker: 'Ada Lovelace', isNamed: true }
  assert.equal(windowOf(known(own, 'Letter'), whose).text, 'Letter\nAda Lovelace: I have the bees.')
  assert.equal(windowOf(known(other, 'Letter'), whose).text, `Letter\n${other.text}`)
})

test('a passage knows where the memory lies in it', () => {
  for (const one of [memory('In Lisbon.', 'Anna'), memory('Anna: In Lisbon.'), memory('Lisbon lies by the sea.')]) {
    const { text, own } = windowOf(known(one), { speaker: 'Ada Lovelace' }, memory('Tom: In Lisbon. Where?'))
    assert.equal(text.slice(own.start, own.end), one.text)
  }
})
