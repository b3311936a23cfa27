// The best answer is read once more, with no more than the sentences around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Recollection } from '../../domain/memory.ts'
import type { Reader } from '../../ports/models.ts'
import { featuresOf } from '../score/features.ts'
import { readerThatSees } from '../test-reader.ts'
import { recollection } from '../test-recollection.ts'
import { evidenceIn } from './evidence.ts'
import { reread } from './reread.ts'

const LONG = 'The shed is old. It was painted in May. The paint was green. The roof leaks. Nobody minds.'
const QUESTION = 'What colour was the paint?'

// As if the reader had found an answer there.
function readAt(text: string, answer: string, { passage = text, title = 'The shed' } = {}): Recollection {
  const start = passage.indexOf(answer)
  const own = { start: passage.length - text.length, end: passage.length }
  const reading = { start, end: start + answer.length, answerable: 0.9, relevant: 0.9, span: 4 }
  return { ...recollection(text, { title }), passage: { text: passage, own }, reading }
}

const looked = async (found: Recollection[], reader?: Reader, troubles: unknown[] = []) =>
  reread({ reader, onTrouble: (error) => troubles.push(error) }, QUESTION, evidenceIn({ question: QUESTION }, found))

test('the sentences beside the answer are read, and the score hears of it', async () => {
  const seen: string[] = []
  const found = [readAt(LONG, 'green')]
  const evidence = await looked(found, readerThatSees(seen, 0.2))
  assert.deepEqual(seen, ['The shed\nIt was painted in May. The paint was green. The roof leaks.'])
  assert.equal(evidence[0]!.reread, 0.2)
  const [before, after] = [evidenceIn({ question: QUESTION }, found), evidence].map(
    (one) => featuresOf(QUESTION, found, one).features.closer!,
  )
  assert.ok(before! > 0 && after! < 0)
})

test('at the edge of a passage there is less beside it', async () => {
  const seen: string[] = []
  await looked([readAt(LONG, 'old')], readerThatSees(seen, 0.2))
  assert.deepEqual(seen, ['The shed\nThe shed is old. It was painted in May.'])
})

test('a short passage and a turn of a chat have been read as they are', async () => {
  const seen: string[] = []
  const short = 'The shed is old. The paint was green.'
  const turn = `8 May 2023\nAnna: ${LONG}`
  for (const one of [readAt(short, 'green'), readAt(LONG, 'green', { passage: turn, title: '' })])
    assert.equal((await looked([one], readerThatSees(seen, 0.2)))[0]!.reread, undefined)
  assert.deepEqual(await looked([], readerThatSees(seen, 0.2)), [])
  assert.deepEqual(seen, [])
})

test('without a reader, or with a failing one, the first reading stands', async () => {
  const found = [readAt(LONG, 'green')]
  assert.equal((await looked(found))[0]!.reread, undefined)
  const troubles: unknown[] = []
  const failing = { ...readerThatSees([], 0), read: () => Promise.reject(new Error('out of memory')) }
  assert.equal((await looked(found, failing, troubles))[0]!.reread, undefined)
  assert.match(String(troubles), /out of memory/)
})
