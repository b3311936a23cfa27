// Splitting: along structure, within bounds, never losing a word or a place.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAt } from '../domain/memory.ts'
import type { Block } from '../ports/extractor.ts'
import { tokensIn } from './measure.ts'
import { split } from './split.ts'

type Spec = [kind: Block['kind'], text: string, details?: Partial<Block>]

function document(...specs: Spec[]) {
  let text = ''
  const blocks: Block[] = []
  for (const [kind, words, details] of specs) {
    if (text) text += '\n\n'
    blocks.push({ kind, start: text.length, end: text.length + words.length, ...details })
    text += words
  }
  return { text, blocks }
}

const sentence = (word: string, length = 12) => `${`${word} `.repeat(length).trim()}.`
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
const paragraph = (word: string, sentences: number) =>
  Array.from({ length: sentences }, (_, at) => capital(sentence(`${word}${at}`))).join(' ')

test('a short text is one piece', () => {
  const pieces = split(document(['paragraph', 'The cat sat on the mat.'], ['paragraph', 'It was grey.']))
  assert.equal(pieces.length, 1)
  assert.equal(pieces[0]!.text, 'The cat sat on the mat.\n\nIt was grey.')
})

test('nothing gives nothing', () => {
  assert.deepEqual(split({ text: '', blocks: [] }), [])
})

test('every piece is its range of the text, in bounds, and no word is lost', () => {
  const made = document(
    ['heading', 'Book', { level: 1 }],
    ...Array.from({ length: 40 }, (_, at): Spec => ['paragraph', paragraph(`word${at}x`, 1 + (at % 9))]),
  )
  const pieces = split(made)
  for (const piece of pieces) {
    assert.equal(piece.text, made.text.slice(piece.start, piece.end))
    assert.ok(tokensIn(piece.text) <= 400, `${tokensIn(piece.text)} tokens`)
    assert.deepEqual(piece.headings, ['Book'])
  }
  assert.ok(pieces.slice(0, -1).every((piece) => tokensIn(piece.text) >= 200))
  assert.equal(
    pieces
      .map((piece) => piece.text)
      .join(' ')
      .replace(/\s+/g, ' '),
    made.text.replace(/\s+/g, ' '),
  )
})

test('headings begin pieces and name them', () => {
  const pieces = split(
    document(
      ['heading', 'Life', { level: 1 }],
      ['heading', 'Childhood', { level: 2 }],
      ['paragraph', paragraph('child', 15)],
      ['heading', 'Work', { level: 2 }],
      ['paragraph', paragraph('work', 15)],
    ),
  )
  assert.deepEqual(
    pieces.map((piece) => piece.headings),
    [
      ['Life', 'Childhood'],
      ['Life', 'Work'],
    ],
  )
  assert.ok(pieces[0]!.text.startsWith('Life\n\nChildhood\n\n'))
  assert.ok(pieces[1]!.text.startsWith('Work\n\n'))
})

test('a section of up to 400 tokens is not cut', () => {
  const pieces = split(
    document(
      ['heading', 'Long', { level: 1 }],
      ['paragraph', paragraph('alpha', 20)],
      ['heading', 'Whole', { level: 1 }],
      ...['one', 'two', 'three'].map((word): Spec => ['paragraph', paragraph(word, 7)]),
    ),
  )
  const whole = pieces.filter((piece) => piece.headings[0] === 'Whole')
  assert.equal(whole.length, 1)
  assert.ok(tokensIn(whole[0]!.text) > 320)
})

test('small neighbours in one section are joined under their common heading', () => {
  const pieces = split(
    document(
      ['heading', 'Facts', { level: 1 }],
      ...['a', 'b', 'c'].flatMap((name): Spec[] => [
        ['heading', `Fact ${name}`, { level: 2 }],
        ['paragraph', sentence(name)],
      ]),
    ),
  )
  assert.equal(pieces.length, 1)
  assert.deepEqual(pieces[0]!.headings, ['Facts'])
})

test('each question of an FAQ is a piece with its answer', () => {
  const headings = split(
    document(
      ['heading', 'Questions', { level: 1 }],
      ...['Do you deliver?', 'When are you open?', 'May I bring my dog?'].flatMap((question): Spec[] => [
        ['heading', question, { level: 2 }],
        ['paragraph', sentence('answer')],
        ['paragraph', sentence('more')],
      ]),
      ['heading', 'Contact', { level: 2 }],
      ['paragraph', sentence('phone')],
    ),
  )
  assert.deepEqual(
    headings.map(({ text }) => text.split('\n')[0]),
    ['Questions', 'When are you open?', 'May I bring my dog?', 'Contact'],
  )
  assert.deepEqual(headings[1]!.headings, ['Questions', 'When are you open?'])
  const paragraphs = ['Do you deliver? Yes, on Fridays.', 'When? Until noon.', 'May I bring my dog?\nYes.']
  assert.deepEqual(
    split(document(['paragraph', 'What people ask.'], ...paragraphs.map((text): Spec => ['paragraph', text]))).map(
      ({ text }) => text,
    ),
    ['What people ask.', ...paragraphs],
  )
  const marked = [
    'Q: Do you deliver?\nA: Yes.',
    'Q: Parking\nA: Behind us.',
    'Q: When?\nA: Until noon.',
    'Q: Dogs?\nA: No.',
  ]
  const named = ['Do you deliver?\nYes.', 'I came too late. What now?\nRing.', 'Dogs?\nNo.', 'Parking\nBehind us.']
  for (const entries of [marked, named])
    assert.deepEqual(
      split(document(...entries.map((text): Spec => ['paragraph', text]))).map(({ text }) => text),
      entries,
    )
  const essay = ['Why go? Because.', ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((word) => sentence(word)), 'So what?']
  assert.equal(split(document(...essay.map((text): Spec => ['paragraph', text]))).length, 1)
})

test('a long paragraph is cut between sentences', () => {
  const pieces = split(document(['paragraph', paragraph('thing', 80)]))
  assert.ok(pieces.length > 2)
  for (const piece of pieces) assert.match(piece.text, /^Thing[\s\S]*\.$/)
})

test('text without spaces is cut by length, and no character in two', () => {
  const made = document(['paragraph', '山川😀'.repeat(1_000)])
  const pieces = split(made)
  assert.ok(pieces.every((piece) => tokensIn(piece.text) <= 400))
  assert.ok(pieces.every((piece) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece.text)))
  assert.equal(pieces.map((piece) => piece.text).join(''), made.text)
})

test('rows far from their head are told the names of the columns', () => {
  const rows = Array.from({ length: 120 }, (_, at): Spec => ['row', `person ${at}\t${at}\tcity ${at}`, { page: 2 }])
  const pieces = split(document(['row', 'Name\tAge\tCity', { page: 2 }], ...rows))
  assert.ok(pieces.length > 2)
  assert.deepEqual(pieces[0]!.headings, [])
  assert.deepEqual(pieces[1]!.headings, ['Name\tAge\tCity'])
  assert.ok(pieces.every((piece) => piece.page === 2))
  assert.ok(pieces[1]!.text.split('\n\n').every((row) => /^person \d+\t\d+\tcity \d+$/.test(row)))
})

test('a piece knows where in it each further page begins', () => {
  const made = document(
    ['heading', 'House', { level: 1, page: 1 }],
    ['paragraph', 'The kiln is old.', { page: 2 }],
    ['paragraph', 'The roof is new.', { page: 3 }],
    ['paragraph', 'The well is deep.', { page: 3 }],
    ['paragraph', 'The barn is red.', { page: 5 }],
    ['paragraph', 'Attached by hand.'],
  )
  const [piece, ...others] = split(made)
  assert.deepEqual(others, [])
  assert.equal(piece!.page, 2)
  assert.deepEqual(
    piece!.pageStarts.map(({ start, page }) => [piece!.text.slice(start, start + 8), page]),
    [
      ['The roof', 3],
      ['The barn', 5],
      ['Attached', null],
    ],
  )
  const long = split(
    document(...[1, 2, 3, 4].map((page): Spec => ['paragraph', paragraph(`page${page}`, 18), { page }]), [
      'paragraph',
      'The end.',
      { page: 5 },
    ]),
  )
  assert.ok(long.length > 1)
  for (const { text, page, pageStarts } of long)
    for (const [at, word] of [...text.matchAll(/page(\d)/gi)].map((found) => [found.index, Number(found[1])] as const))
      assert.equal(pageAt({ page, pageStarts }, at), word)
})

test('turns keep speaker and time', () => {
  const when = new Date('2024-05-01T10:00:00Z')
  const [both, ...rest] = split(
    document(
      ['turn', 'Ada: Good morning.', { speaker: 'Ada', time: when, offsetMs: 5_000 }],
      ['turn', 'Ben: Hello.', { speaker: 'Ben', offsetMs: 9_000 }],
    ),
  )
  assert.equal(rest.length, 0)
  assert.equal(both!.speaker, null)
  assert.equal(both!.time, when)
  assert.equal(both!.offsetMs, 5_000)
  const [alone] = split(document(['turn', 'Ada: Good morning.', { speaker: 'Ada' }]))
  assert.equal(alone!.speaker, 'Ada')
})

test('what is left at the end of a section takes its share from the piece before', () => {
  const paragraphs = ['a', 'b', 'c', 'd', 'e', 'f'].map((word): Spec => ['paragraph', paragraph(`${word}word`, 4)])
  const pieces = split(
    document(['heading', 'Section', { level: 1 }], ...paragraphs, ['paragraph', paragraph('gword', 2)]),
  )
  assert.equal(pieces.length, 2)
  const sizes = pieces.map((piece) => tokensIn(piece.text))
  assert.ok(Math.min(...sizes) > 150 && Math.max(...sizes) <= 400, sizes.join(' '))
})
