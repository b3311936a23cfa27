// The packed index against a plain map.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostings } from './postings.ts'

test('finds every row of every term, across segments and in the newest rows', () => {
  const postings = createPostings()
  const rows = new Uint32Array(20_000)
  const counts = new Uint8Array(20_000)
  const expected = new Map<number, [number, number][]>()
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const numberOf = (word: number) => Math.imul(word + 1, 2654435761) >>> 0
  const everywhere = numberOf(0)
  for (let row = 0; row < 20_000; row++) {
    const terms = Array.from({ length: random(8) }, () => {
      // Some terms are everywhere, some once; the numbers span all 32 bits.
      const word = random(4) === 0 ? random(5) : random(30_000)
      return numberOf(word)
    })
    if (row === 12) terms.push(...new Array(300).fill(0xffffffff))
    postings.add(Uint32Array.from(terms))
    for (const term of new Set(terms)) {
      const count = Math.min(255, terms.filter((one) => one === term).length)
      const found = expected.get(term) ?? []
      found.push([row, count])
      expected.set(term, found)
    }
    // Questions between the rows change nothing.
    if (row % 100 === 0) assert.equal(postings.find(everywhere, rows, counts), expected.get(everywhere)?.length ?? 0)
  }
  for (const [term, held] of expected) {
    assert.equal(postings.find(term, rows, counts), held.length)
    assert.ok(held.every(([row, count], at) => rows[at] === row && counts[at] === count))
  }
  assert.equal(postings.find(123, rows, counts), 0)
})
