// Steps are told together where the question is for what their section is about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageKind } from '../../language/language.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { recollection } from '../test-recollection.ts'
import { sayLines, stepsAround } from './steps.ts'

const PAGE = `# Resetting the router

Use a pin. All settings are lost.

1. Unplug the power.
2. Press the pin into the hole
   at the back.

3. Plug the power in again.

Call us if the light stays red.

# Changing the password

- Open the page of the router.
- Sign in with the code on the sticker.`

// As if the reader had pointed to these words.
function told(question: string, words: string, { title = 'Router', text = PAGE, kind = 'howto' as MessageKind } = {}) {
  const start = text.indexOf(words)
  const place = { start, end: start + words.length }
  const source = { ...recollection(text, { title }), reading: { ...place, answerable: 0.9, relevant: 1, span: 5 } }
  const evidence: Evidence = {
    source,
    passage: source.passage,
    answer: place,
    sentence: place,
    rank: 0,
    strength: 1,
    isRead: true,
  }
  const steps = stepsAround({ kind, question }, evidence)
  return steps && sayLines(text.slice(steps.start, steps.end))
}

const RESET = `Use a pin. All settings are lost.
1. Unplug the power.
2. Press the pin into the hole
at the back.
3. Plug the power in again.`

test('all steps of a section are told, with what is said before them', () => {
  assert.equal(told('How do I reset the router?', 'Use a pin.'), RESET)
  assert.equal(told('how do i reset it', '3. Plug'), RESET)
  assert.equal(
    told('How can I change my password?', 'Sign in'),
    '- Open the page of the router.\n- Sign in with the code on the sticker.',
  )
})

test('a question for one of them gets that one', () => {
  assert.equal(told('How do I sign in with the code?', 'Sign in'), null)
  assert.equal(told('How do I press the pin?', 'Press the pin'), null)
})

test('asked for a list, only the list that holds the answer is told', () => {
  assert.match(told('What passwords are there to change?', 'Sign in', { kind: 'list' })!, /^- Open/)
  assert.equal(told('Which settings are lost by a reset of the router?', 'All settings', { kind: 'list' }), null)
  assert.equal(told('Who resets the router?', 'Unplug', { kind: 'fact' }), null)
})

test('a list without a heading is that of its document', () => {
  const text = '1. Boil the wax.\n2. Dip the wick.'
  assert.equal(told('How do you make candles?', 'Boil', { title: 'Making candles', text }), text)
  assert.equal(told('How do you make candles?', 'Boil', { title: 'Notes', text }), null)
  assert.equal(told('How do you make candles?', 'Boil', { title: 'Making candles', text: '1. Boil the wax.' }), null)
})

test('a short recipe in prose is told whole, a long one and a table are not', () => {
  const text = 'For ten buns: 500 g flour, 2 dl milk.\n\nKnead for ten minutes. Bake for eight.'
  const buns = (more: object = {}) => told('How do you make buns?', 'Knead', { title: 'Buns', text, ...more })
  assert.equal(buns(), text.replace('\n\n', '\n'))
  assert.equal(buns({ kind: 'fact' }), null)
  assert.equal(buns({ text: `${text} ${'Wait for the dough to rise. '.repeat(20)}` }), null)
  assert.equal(buns({ text: `${text}\n\n| Buns | Minutes |\n|---|---|\n| Small | 8 |` }), null)
})

test('lines that a page broke are told as one, others as they stand', () => {
  const wrapped =
    'For ten buns take 500 g of the strong flour that the mill in Lund sells,\nand knead it for ten minutes.'
  assert.equal(sayLines(`${wrapped}\n500 g flour\n2 dl milk`), `${wrapped.replace('\n', ' ')}\n500 g flour\n2 dl milk`)
})

test('of long steps the first sentence is told, of many as many as fit', () => {
  const step = (at: number) => `${at}. Step ${at}. ${'And some more about it. '.repeat(7)}`
  const steps = (count: number) => Array.from({ length: count }, (_, at) => step(at + 1)).join('\n')
  assert.equal(sayLines(steps(4)), '1. Step 1.\n2. Step 2.\n3. Step 3.\n4. Step 4.')
  assert.match(sayLines(steps(80)), /^1\. Step 1\.\n[\s\S]*\n40\. Step 40\.\n…$/)
})
