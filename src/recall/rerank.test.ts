import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../domain/id.ts'
import type { Reader } from '../ports/models.ts'
import { limits } from './limits.ts'
import { createRerank } from './rerank.ts'
import type { Candidate } from './rescore.ts'
import { ownPassage } from './window.ts'

const candidates = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => {
    const memory = {
      personaId: 1,
      id: newId(),
      documentId: newId(),
      position: 0,
      text: `${at} `.padEnd(100, 'x'),
      time: new Date(),
      place: { headings: [], page: null, pageStarts: [], start: 0, end: 100, speaker: null },
    }
    const passage = ownPassage(memory)
    return { number: at, isPlain: true, memory, title: '', tags: [], passage, score: 1 - at / 100, parts: {} }
  })

// A reader that takes its time and likes one passage best.
const reader = (msEach: number, liked: number, seen: number[]): Reader => ({
  name: 'slow',
  async read(_question, passages) {
    seen.push(passages.length)
    await new Promise((resolve) => setTimeout(resolve, msEach * passages.length))
    return passages.map((text) => ({
      answerable: 0,
      relevant: text.startsWith(`${liked} `) ? 1 : 0,
      start: 0,
      end: 0,
      span: 0,
    }))
  },
  close: async () => {},
})

test('what the reader finds relevant comes first, and its part of the score is shown', async () => {
  const rerank = createRerank(reader(0, 3, []))
  const [first, ...rest] = await rerank('?', candidates(5))
  assert.equal(first?.number, 3)
  assert.equal(first?.parts.relevance, 1)
  assert.equal(rest.length, 4)
})

test('a reader that finds nothing relevant hardly changes the order', async () => {
  const unsure: Reader = {
    ...reader(0, 0, []),
    read: async (_, passages) =>
      passages.map((_, at) => ({ answerable: 0, relevant: 0.1 * Number(at === 1), start: 0, end: 0, span: 0 })),
  }
  const [first, second] = candidates(2)
  const apart = [first!, { ...second!, score: first!.score - 0.05 }]
  assert.deepEqual(
    (await createRerank(unsure)('?', apart)).map(({ number }) => number),
    [0, 1],
  )
})

test('how many are read depends on their lengths alone, and none is lost', async () => {
  const slow: number[] = []
  const quick: number[] = []
  for (const [ms, seen] of [
    [5, slow],
    [0, quick],
  ] as const)
    for (let i = 0; i < 3; i++) assert.equal((await createRerank(reader(ms, 0, seen))('?', candidates(60))).length, 60)
  assert.deepEqual(slow, quick)
  assert.deepEqual(new Set(slow), new Set([limits.rerankCandidates]))
})

test('a long passage is skipped where it does not fit, and shorter ones behind it are read', async () => {
  const long = candidates(12).map((one, at) => {
    const memory = { ...one.memory, text: 'x'.repeat(at === 11 ? 10 : limits.rerankCharacters / 4) }
    return { ...one, memory, passage: ownPassage(memory) }
  })
  const seen: number[] = []
  await createRerank(reader(0, 0, seen))('?', long)
  assert.deepEqual(seen, [limits.rerankLeast])
  const short = candidates(12)
  await createRerank(reader(0, 0, seen))('?', [...long.slice(0, 3), ...short])
  assert.equal(seen.at(-1), 3 + Math.floor((limits.rerankCharacters / 4 - 3) / 101))
})
