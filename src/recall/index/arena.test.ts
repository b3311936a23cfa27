import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createArena, PIECE_BYTES } from './arena.ts'

test('an arena that is full says so, and lends again what comes back', () => {
  const arena = createArena({ mostPages: 3 })
  const lent = Array.from({ length: (2 * 65_536) / PIECE_BYTES }, () => arena.lend())
  assert.equal(new Set(lent).size, lent.length)
  assert.throws(() => arena.lend(), /no memory left for another vector/)
  arena.takeBack(lent.slice(0, 1))
  assert.equal(arena.lend(), lent[0])
})
