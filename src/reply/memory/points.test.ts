import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceRanges } from '../../language/language.ts'
import { quote, sentenceOf } from '../evidence/evidence.ts'
import { recollection } from '../test-recollection.ts'
import { pointsIn } from './points.ts'

const MINUTES = `In the boathouse, nine present.

1) Pontoon: two planks are rotten. We decided to wait for another offer.

2) Juniors. Eleven children on the list. Tom can take six.

3) Insurance. The old policy does not cover trailers.

4) Summer party. Bring salad.`

// As if every sentence were as near to the question as the others.
const told = (text: string) => {
  const source = recollection(text, { title: 'Committee meeting' })
  const sentences = sentenceRanges(text).map((range) => ({ ...quote(source, range), strength: 1 }))
  return pointsIn(sentences)?.map((one) => [one.point, sentenceOf(one)])
}

test('of each point one sentence: what was decided, else the first', () => {
  assert.deepEqual(told(MINUTES), [
    ['Pontoon', 'We decided to wait for another offer.'],
    ['Juniors', 'Eleven children on the list.'],
    ['Insurance', 'The old policy does not cover trailers.'],
    ['Summer party', 'Bring salad.'],
  ])
})

test('a sentence that begins with the name of its point is not told under it', () => {
  const named = told(MINUTES.replace('We decided to wait for another offer.', 'A third one creaks.'))
  assert.deepEqual(named![0]![0], '')
  assert.match(named![0]![1]!, /Pontoon: two planks are rotten\./)
})

test('two numbered lines are no agenda', () => {
  assert.equal(told('1. Roof. It leaks.\n\n2. Gate. It squeaks.'), undefined)
})
