// The page of a place in a memory that runs over several.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAt } from './memory.ts'

test('a place is on the page that began last before it', () => {
  const place = {
    page: 3,
    pageStarts: [
      { start: 100, page: 4 },
      { start: 180, page: 6 },
      { start: 240, page: null },
    ],
  }
  const pages = [0, 99, 100, 179, 180, 239, 240, 1000].map((at) => pageAt(place, at))
  assert.deepEqual(pages, [3, 3, 4, 4, 6, 6, null, null])
})

test('without further pages all of it is on the first', () => {
  assert.equal(pageAt({ page: 3, pageStarts: [] }, 500), 3)
  assert.equal(pageAt({ page: null, pageStarts: [] }, 0), null)
})
