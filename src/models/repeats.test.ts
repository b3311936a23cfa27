// Loops are found, and what only looks like one is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatsItself } from './repeats.ts'

const sentence = (at: number) => `On day ${at} we took the boat out and came back with ${at * 3} fish. `
const poem = Array.from({ length: 60 }, (_, at) => sentence(at)).join('')

test('a text that says the same again and again', () => {
  for (const loop of [
    'a',
    'ha ',
    'I do not know. ',
    `${'x'.repeat(40)} and so on, `,
    'The cat sat on the mat. '.repeat(8),
  ])
    assert.equal(repeatsItself(`${poem}${loop.repeat(Math.ceil(1_800 / loop.length))}`), true, loop)
})

test('a text that does not', () => {
  assert.equal(repeatsItself(poem), false)
  assert.equal(repeatsItself(''), false)
  assert.equal(repeatsItself(`${poem}${'-'.repeat(120)}`), false)
  assert.equal(repeatsItself(`${'ha '.repeat(600)}${poem}`), false)
})
