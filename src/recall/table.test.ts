// How a row of a table is read, and how it is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsIn, sayRow, tellRow } from './table.ts'

const TABLE = `| Item | Price | Notes | KV 20 |
|---|---|---|---|
| Key | £20 | back when you leave, in cash | 3 |
| Tea | 2 | | |
| | 9 | for all | |`

test('a row is read with the names of its columns, and told as one would say it', () => {
  const [key, tea, rest] = rowsIn(TABLE, [])
  assert.equal(sayRow(key!), 'Item: Key; Price: £20; Notes: back when you leave, in cash; KV 20: 3')
  assert.equal(tellRow(key!), 'Key: price £20; back when you leave, in cash; KV 20 3')
  assert.equal(tellRow(tea!), 'Tea: price 2')
  assert.equal(tellRow(rest!), 'Price: 9; Notes: for all')
  assert.equal(tellRow({ names: ['Day', 'Miles'], cells: ['6', '250'] }), 'Day 6: miles 250')
})
