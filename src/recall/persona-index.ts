// One persona's memories, ready to be searched: a row each with its vector, its words and what else raises it.
import { limits } from '../domain/limits.ts'
import type { TraceRow } from '../ports/store.ts'
import type { Arena } from './arena.ts'
import { type Columns, createColumns, FLAG } from './columns.ts'
import { createPostings } from './postings.ts'
import type { Asked } from './question.ts'
import { createVectors, type Vectors } from './vectors.ts'
import { scoreWords } from './word-scores.ts'

// What each kind of evidence is worth beside the cosine. Chosen on development sets; benchmarks/results/recall.md shows the gains.
const WEIGHT = { words: 1.5, speaker: 0.1, self: 0.15, time: 0.2 } as const

export type Search = {
  best: Found[]
  rarities: ReadonlyMap<number, number> // of the question's terms
  successors: ReadonlyMap<number, number> // from a memory's number to that of a later one much like it
}

export type Found = {
  row: number
  number: number
  before: number | undefined // the number of what was said right before it
  score: number
  parts: Record<string, number>
}

export type PersonaIndex = ReturnType<typeof createPersonaIndex>

export function createPersonaIndex({ arena, dimensions }: { arena: Arena; dimensions: number }) {
  const columns = createColumns()
  const vectors = createVectors(arena, dimensions)
  const postings = createPostings()

  return {
    columns,
    vectors,

    add(rows: TraceRow[], drafts: ReadonlySet<string>): void {
      columns.expect(rows.length)
      vectors.expect(rows.length)
      for (const row of rows) {
        const terms = termsIn(row.words)
        columns.add(row, terms.length, drafts.has(row.documentId))
        vectors.add(row.vector)
        postings.add(terms)
      }
    },

    // The best rows for a question. Drafts only when their document is among those named.
    search(asked: Asked, question: Float32Array | null, size: number, among?: Set<number>): Search {
      const rows = columns.count()
      const { cosines, words } = scratch(rows)
      if (question) vectors.scan(question, cosines)
      else cosines.fill(0, 0, rows)
      const rarities = scoreWords({ postings, columns }, asked.terms, words)
      const boosts = boostsFor(columns, asked)
      const best = createBest(size)
      let least = -Infinity
      const most = boosts ? WEIGHT.speaker + WEIGHT.self + WEIGHT.time : 0
      for (let row = 0; row < rows; row++) {
        const bare = cosines[row]! + WEIGHT.words * words[row]!
        if (bare + most <= least) continue // whatever raises it, it stays below
        const score = boosts ? bare + boosts(row) : bare
        if (score > least && columns.isShown(row, among)) least = best.offer(row, score)
      }
      const found = best.sorted().map(([row, score]) => ({
        row,
        number: columns.number(row),
        before: columns.before(row, among),
        score,
        parts: partsOf(columns, asked, row, cosines[row]!, words[row]!),
      }))
      return { best: found, rarities, successors: successorsAmong({ columns, vectors }, found) }
    },

    bytes: () => columns.bytes() + vectors.bytes() + postings.bytes(),
    free: () => vectors.free(),
  }
}

// Copied only where they do not lie as numbers of 32 bits must.
export function termsIn(words: Uint8Array): Uint32Array {
  const { buffer, byteOffset } = words.byteOffset % 4 === 0 ? words : new Uint8Array(words)
  return new Uint32Array(buffer, byteOffset, words.byteLength / 4)
}

// Undefined when nothing but words and meaning counts, which is the common case.
function boostsFor(columns: Columns, asked: Asked): ((row: number) => number) | undefined {
  const speakers = columns.speakersNamed(asked.names)
  const { aboutSelf, time } = asked
  if (speakers.size === 0 && !aboutSelf && !time) return undefined
  return (row) =>
    (speakers.size > 0 && speakers.has(columns.speaker(row)) ? WEIGHT.speaker : 0) +
    (aboutSelf && columns.has(row, FLAG.self) ? WEIGHT.self : 0) +
    (time && columns.isWithin(row, time) ? WEIGHT.time : 0)
}

function partsOf(columns: Columns, asked: Asked, row: number, meaning: number, words: number) {
  const parts: Record<string, number> = { meaning, words: WEIGHT.words * words }
  if (columns.speakersNamed(asked.names).has(columns.speaker(row))) parts.speaker = WEIGHT.speaker
  if (asked.aboutSelf && columns.has(row, FLAG.self)) parts.self = WEIGHT.self
  if (asked.time && columns.isWithin(row, asked.time)) parts.time = WEIGHT.time
  return parts
}

// Of two memories as alike as these, by the same speaker, the later one is taken to supersede the earlier.
const ALIKE = 0.75

function successorsAmong({ columns, vectors }: { columns: Columns; vectors: Vectors }, found: Found[]) {
  const successors = new Map<number, number>()
  const best = found.slice(0, limits.supersededAmong)
  for (const one of best) {
    let latest = columns.minute(one.row)
    for (const other of best) {
      if (columns.minute(other.row) <= latest || columns.speaker(one.row) !== columns.speaker(other.row)) continue
      if (columns.document(one.row) === columns.document(other.row)) continue
      if (vectors.likeness(one.row, other.row) < ALIKE) continue
      latest = columns.minute(other.row)
      successors.set(one.number, other.number)
    }
  }
  return successors
}

// One search runs at a time and to its end: all of them share these.
let cosines = new Float32Array(0)
let words = new Float32Array(0)
function scratch(rows: number) {
  if (cosines.length < rows) {
    cosines = new Float32Array(Math.ceil(rows * 1.25))
    words = new Float32Array(cosines.length)
  }
  words.fill(0, 0, rows)
  return { cosines, words }
}

// Keeps the `size` highest scores: a heap with the least of them on top.
function createBest(size: number) {
  const heap: [number, number][] = []
  const sink = () => {
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && heap[child]![1] < heap[least]![1]) least = child
      if (least === at) return
      const moved = heap[at]!
      heap[at] = heap[least]!
      heap[least] = moved
      at = least
    }
  }
  return {
    // Answers with the score that the next one must beat.
    offer(row: number, score: number): number {
      if (heap.length === size) {
        heap[0] = [row, score]
        sink()
      } else {
        heap.push([row, score])
        if (heap.length < size) return -Infinity
        if (heap.length === size) heap.sort((one, two) => one[1] - two[1])
      }
      return heap[0]![1]
    },
    // Of equals the later memory comes first.
    sorted: () => heap.sort((one, two) => two[1] - one[1] || two[0] - one[0]),
  }
}
