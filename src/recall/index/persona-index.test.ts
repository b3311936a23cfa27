// What a search finds against a plain look at every row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TraceRow } from '../../ports/store.ts'
import { createArena } from './arena.ts'
import { createPersonaIndex, type IndexQuery } from './persona-index.ts'
import { toBytes } from './vectors.ts'

const DIMENSIONS = 96
const ROWS = 12_000

let state = 1
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const randomVector = () => {
  const vector = new Float32Array(DIMENSIONS).map(() => random() + random() - 1)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const rows = Array.from(
  { length: ROWS },
  (_, at): TraceRow => ({
    number: at + 1,
    documentId: `00000000-0000-7000-8000-${at.toString(16).padStart(12, '0')}`,
    time: at * 60_000,
    speaker: at % 2 ? 'ada' : 'bob',
    isTurn: true,
    isSelf: at % 3 === 0,
    words: new Uint8Array(Uint32Array.from({ length: 6 }, () => Math.floor(60 * random() ** 2)).buffer),
    vector: at % 40 === 0 ? null : toBytes(randomVector()),
  }),
)
const indexOf = (isQuick: boolean) => {
  const index = createPersonaIndex({ arena: createArena({ isQuick }), dimensions: DIMENSIONS })
  index.add(rows, new Set(rows.filter(({ number }) => number % 50 === 0).map(({ documentId }) => documentId)))
  return index
}
const [quick, slow] = [indexOf(true), indexOf(false)]

const asking = (about: Partial<IndexQuery>): IndexQuery => ({
  vector: null,
  terms: new Map(),
  speakers: new Set(),
  isAboutSelf: false,
  time: null,
  ...about,
})

test('finds the nearest of all rows by meaning', () => {
  for (let time = 0; time < 20; time++) {
    const question = randomVector()
    const cosineOf = ({ vector }: TraceRow) => {
      if (!vector) return 0
      const numbers = new Int8Array(vector.buffer, vector.byteOffset + 4)
      const scale = new DataView(vector.buffer, vector.byteOffset).getFloat32(0, true)
      return numbers.reduce((sum, number, d) => sum + number * question[d]!, 0) * scale
    }
    const plain = rows
      .filter(({ number }) => number % 50 !== 0)
      .map(cosineOf)
      .sort((one, two) => two - one)
    for (const [at, { score, number }] of quick.search(asking({ vector: question }), 32).best.entries()) {
      assert.ok(Math.abs(score - plain[at]!) < 0.001)
      assert.ok(Math.abs(score - cosineOf(rows[number - 1]!)) < 0.001)
    }
  }
})

test('finds the same whether or not the machine can rule rows out', () => {
  for (let time = 0; time < 50; time++) {
    const asked = asking({
      vector: time % 11 === 0 ? null : randomVector(),
      terms: new Map(Array.from({ length: time % 5 }, () => [Math.floor(60 * random()), 1])),
      speakers: new Set(time % 3 === 0 ? ['ada'] : []),
      isAboutSelf: time % 2 === 0,
      time: time % 7 === 0 ? { from: 1000, to: 9000 } : null,
    })
    const among = time % 4 === 0 ? new Set([5, 6, 7, 49, 11_999]) : undefined
    assert.deepEqual(quick.search(asked, 32, among), slow.search(asked, 32, among))
  }
})
