// No pattern over a caller's or a memory's text may take more than linear time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPatterns, readJudged } from './patterns.ts'

const found = await findPatterns()
const { linear, bounded, exceptions } = readJudged()
const judged = new Set([...linear, ...Object.keys(bounded), ...Object.keys(exceptions)])

test('every pattern was judged: `npm run patterns` does it', () => {
  assert.ok(found.length > 340)
  assert.ok(
    found.some(({ place }) => place.startsWith('src/language/stem.ts')),
    'also those that are put together',
  )
  assert.deepEqual(
    found.filter(({ name }) => !judged.has(name)).map(({ place, name }) => `${place} ${name}`),
    [],
  )
})

test('what may take longer is still there: the list only shrinks', () => {
  const here = new Set(found.map(({ name }) => name))
  assert.deepEqual(
    [...Object.keys(bounded), ...Object.keys(exceptions)].filter((name) => !here.has(name)),
    [],
  )
})

test('exceptions are in rooms that are being rebuilt, and nowhere else', () => {
  for (const { place, name } of found) {
    if (name in exceptions) assert.match(place, /^src\/(?:recall|reply|language)\//)
  }
})
