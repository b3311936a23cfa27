// The kernel against the same arithmetic in plain JavaScript.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createArena } from './arena.ts'
import { createVectors, toBytes } from './vectors.ts'

const random = (dimensions: number, seed: number): Float32Array => {
  let state = seed
  const vector = new Float32Array(dimensions).map(() => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32 - 0.5
  })
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
const cosine = (one: Float32Array, two: Float32Array) => one.reduce((sum, value, at) => sum + value * two[at]!, 0)

for (const [dimensions, rows] of [
  [384, 1],
  [384, 500],
  [100, 333],
  [16, 2000],
  [1536, 23],
  [10_000, 3],
] as const) {
  test(`${rows} vectors of ${dimensions} dimensions`, () => {
    const vectors = createVectors(createArena(), dimensions)
    const all = Array.from({ length: rows }, (_, row) => random(dimensions, row + 1))
    for (const vector of all) vectors.add(toBytes(vector))
    const question = random(dimensions, 99_991)
    vectors.ask(question)
    for (const [row, vector] of all.entries())
      assert.ok(Math.abs(vectors.cosine(row) - cosine(question, vector)) < 0.01, `row ${row}`)
    vectors.askLike(0)
    assert.ok(Math.abs(vectors.cosine(rows - 1) - cosine(all[0]!, all.at(-1)!)) < 0.02)
    vectors.ask(question)
    for (let time = 0; time < 2; time++) {
      const bounds = vectors.bounds(0).slice()
      for (let row = 0; row < Math.min(rows, vectors.blockRows); row++) assert.ok(bounds[row]! >= vectors.cosine(row))
    }
  })
}

test('no cosine is larger than its bound, and the bounds are close', () => {
  const vectors = createVectors(createArena(), 384)
  const signs = random(384, 3).map((value) => Math.sign(value) * 0.05)
  // Nothing is nearer to `signs` among all that have these upper halves.
  const nearest = toBytes(signs)
  for (let d = 0; d < 384; d++) nearest[4 + d] = signs[d]! > 0 ? 15 : 0
  vectors.add(nearest)
  for (let row = 1; row < 1000; row++) vectors.add(row % 50 === 0 ? null : toBytes(random(384, row + 1)))
  for (const question of [random(384, 5), random(384, 4711), signs, null]) {
    vectors.ask(question)
    vectors.bounds(0) // the first block is measured
    const bounds = vectors.bounds(0).slice()
    for (let row = 0; row < 1000; row++) {
      const above = bounds[row]! - vectors.cosine(row)
      assert.ok(above >= 0 && above < 0.2, `row ${row}: ${above}`)
    }
  }
})

test('the extremes do not overflow', () => {
  const vectors = createVectors(createArena(), 4096)
  const flat = new Float32Array(4096).fill(1 / 64)
  vectors.add(toBytes(flat))
  vectors.add(toBytes(flat.map((value) => -value)))
  vectors.add(toBytes(new Float32Array(4096)))
  vectors.add(null)
  vectors.ask(flat)
  assert.deepEqual(
    [0, 1, 2, 3].map((row) => Math.round(vectors.cosine(row) * 1000)),
    [1000, -1000, 0, 0],
  )
})

test('personas share the arena without touching each other, and give their pieces back', () => {
  const arena = createArena()
  const personas = Array.from({ length: 20 }, () => createVectors(arena, 384))
  for (let row = 0; row < 100; row++)
    personas.forEach((vectors, persona) => {
      vectors.add(toBytes(random(384, persona * 1000 + row)))
    })
  const held = personas[3]!.bytes()
  personas[2]!.free()
  const again = createVectors(arena, 384)
  for (let row = 0; row < 100; row++) again.add(toBytes(random(384, 7)))
  personas[3]!.ask(random(384, 3050))
  assert.ok(personas[3]!.cosine(50) > 0.99 && personas[3]!.cosine(49) < 0.5)
  assert.equal(personas[3]!.bytes(), held)
})
