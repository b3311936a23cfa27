// One persona's memories, ready to be searched: a row each with its vector, its words and what else raises it.
import type { TimeRange } from '../../language/language.ts'
import type { TraceRow } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Arena } from './arena.ts'
import { type Columns, createColumns, FLAG } from './columns.ts'
import { createPostings } from './postings.ts'
import { createVectors, type Vectors } from './vectors.ts'
import { scoreWords } from './word-scores.ts'

// What each kind of evidence is worth beside the cosine. Chosen on development sets; benchmarks/results/recall.md
// shows the gains.
const WEIGHT = { words: 1.5, speaker: 0.1, self: 0.15, time: 0.2 } as const

export type IndexQuery = {
  vector: Float32Array | null // null where the question could not be embedded
  terms: ReadonlyMap<number, number> // with their weights
  speakers: ReadonlySet<string> // that are named, in lower case
  isAboutSelf: boolean
  time: TimeRange | null
}

export type SearchResult = {
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
      for (const row of rows) {
        const terms = termsIn(row.words)
        columns.add(row, terms.length, drafts.has(row.documentId))
        vectors.add(row.vector)
        postings.add(terms)
      }
    },

    holds: postings.holds,

    // The best rows for a question. Drafts only when their document is among those named.
    search(query: IndexQuery, size: number, among?: Set<number>): SearchResult {
      const rows = columns.count()
      const words = scratch(rows)
      const { rarities, whole } = scoreWords({ postings, columns }, query.terms, words)
      const wordsWeight = WEIGHT.words / (whole || 1)
      const boosts = boostsFor(columns, query)
      const mostBoost = boosts.reduce((sum, { weight }) => sum + weight, 0)
      const best = createBest(size)
      let least = -Infinity
      vectors.ask(query.vector)
      for (let first = 0; first < rows; first += vectors.blockRows) {
        const bounds = vectors.bounds(first)
        const end = Math.min(first + vectors.blockRows, rows)
        for (let row = first; row < end; row++) {
          // Whatever it means, and whatever raises it, it stays below.
          const most = bounds[row - first]! + wordsWeight * words[row]!
          if (most + mostBoost <= least) continue
          const boost = boostOf(boosts, row)
          if (most + boost <= least || !columns.isShown(row, among)) continue
          const meaning = vectors.cosine(row)
          const score = meaning + wordsWeight * words[row]! + boost
          if (score > least) least = best.offer({ row, score, meaning })
        }
      }
      const found = best.sorted().map(({ row, score, meaning }) => ({
        row,
        number: columns.number(row),
        before: columns.before(row, among),
        score,
        parts: partsOf(boosts, row, { meaning, words: wordsWeight * words[row]! }),
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

type Boost = { part: string; weight: number; holds(row: number): boolean }

// What else may raise a row.
function boostsFor(columns: Columns, query: IndexQuery): Boost[] {
  const { isAboutSelf, time } = query
  const speakers = columns.speakersNamed(query.speakers)
  const boosts: Boost[] = []
  if (speakers.size > 0)
    boosts.push({ part: 'speaker', weight: WEIGHT.speaker, holds: (row) => speakers.has(columns.speaker(row)) })
  if (isAboutSelf) boosts.push({ part: 'self', weight: WEIGHT.self, holds: (row) => columns.has(row, FLAG.self) })
  if (time) boosts.push({ part: 'time', weight: WEIGHT.time, holds: (row) => columns.isWithin(row, time) })
  return boosts
}

function boostOf(boosts: Boost[], row: number): number {
  let sum = 0
  for (const { weight, holds } of boosts) if (holds(row)) sum += weight
  return sum
}

function partsOf(boosts: Boost[], row: number, found: { meaning: number; words: number }): Record<string, number> {
  const parts: Record<string, number> = { meaning: found.meaning, words: found.words }
  for (const { part, weight, holds } of boosts) if (holds(row)) parts[part] = weight
  return parts
}

// Of two memories as alike as these, by the same speaker, the later one is taken to supersede the earlier.
const ALIKE = 0.75

function successorsAmong({ columns, vectors }: { columns: Columns; vectors: Vectors }, found: Found[]) {
  const successors = new Map<number, number>()
  const best = found.slice(0, limits.supersededAmong)
  for (const one of best) {
    const later = best.filter(
      (other) =>
        columns.minute(other.row) > columns.minute(one.row) &&
        columns.speaker(other.row) === columns.speaker(one.row) &&
        columns.document(other.row) !== columns.document(one.row),
    )
    if (later.length === 0) continue
    vectors.askLike(one.row)
    let latest = columns.minute(one.row)
    for (const other of later) {
      if (columns.minute(other.row) <= latest || vectors.cosine(other.row) < ALIKE) continue
      latest = columns.minute(other.row)
      successors.set(one.number, other.number)
    }
  }
  return successors
}

// One search runs at a time and to its end: all of them share these.
let words = new Float32Array(0)
function scratch(rows: number): Float32Array {
  if (words.length < rows) words = new Float32Array(Math.ceil(rows * 1.25))
  else words.fill(0, 0, rows)
  return words
}

type Scored = { row: number; score: number; meaning: number }

// Keeps the `size` highest scores: a heap with the least of them on top.
function createBest(size: number) {
  const heap: Scored[] = []
  const sink = () => {
    for (let at = 0; ; ) {
      let least = at
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
        if (heap[child]!.score < heap[least]!.score) least = child
      if (least === at) return
      const moved = heap[at]!
      heap[at] = heap[least]!
      heap[least] = moved
      at = least
    }
  }
  return {
    // Answers with the score that the next one must beat.
    offer(one: Scored): number {
      if (heap.length === size) {
        heap[0] = one
        sink()
      } else {
        heap.push(one)
        if (heap.length < size) return -Infinity
        heap.sort((first, second) => first.score - second.score)
      }
      return heap[0]!.score
    },
    // Of equals the later memory comes first.
    sorted: () => heap.sort((one, two) => two.score - one.score || two.row - one.row),
  }
}
