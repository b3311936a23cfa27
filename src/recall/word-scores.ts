// BM25 over a persona's rows, as the share of what the question asks for: 1 is a row that holds all of it, often.
import type { Columns } from './columns.ts'
import { FLAG } from './columns.ts'
import type { Postings } from './postings.ts'

const K1 = 0.9 // how soon a repeated word stops counting
const B = 0.75 // how much a long text must hold more

// `terms` maps each term of the question to its weight; the answer maps it to how rare it is in this persona.
export function scoreWords(
  { postings, columns }: { postings: Postings; columns: Columns },
  terms: ReadonlyMap<number, number>,
  scores: Float32Array,
): Map<number, number> {
  const work = scratch(columns.count())
  const average = columns.averageLength() || 1
  const rarities = new Map<number, number>()
  let all = 0
  for (const [term, weight] of terms) {
    const found = keepLive(columns, work, postings.find(term, work.rows, work.counts))
    const rare = rarity(columns.live(), found)
    rarities.set(term, rare)
    const worth = weight * rare
    all += worth
    const touched = gather(columns, work, found)
    for (let at = 0; at < touched; at++) {
      const row = work.touched[at]!
      const held = work.held[row]!
      work.held[row] = 0
      scores[row]! += (worth * held) / (held + K1 * (1 - B + (B * columns.length(row)) / average))
    }
  }
  if (all === 0) return rarities
  const rows = columns.count()
  for (let row = 0; row < rows; row++) if (scores[row] !== 0) scores[row]! /= all
  return rarities
}

export const rarity = (live: number, holding: number): number => Math.log(1 + (live - holding + 0.5) / (holding + 0.5))

type Work = { rows: Uint32Array; counts: Uint8Array; held: Float32Array; touched: Uint32Array }

function keepLive(columns: Columns, { rows, counts }: Work, found: number): number {
  if (columns.live() === columns.count()) return found
  let kept = 0
  for (let at = 0; at < found; at++) {
    if (columns.has(rows[at]!, FLAG.gone)) continue
    rows[kept] = rows[at]!
    counts[kept++] = counts[at]!
  }
  return kept
}

// How much of the term each row holds, its neighbours' share included.
function gather(columns: Columns, { rows, counts, held, touched }: Work, found: number): number {
  let count = 0
  const take = (row: number, amount: number) => {
    if (held[row] === 0) touched[count++] = row
    held[row]! += amount
  }
  for (let at = 0; at < found; at++) {
    const amount = counts[at]!
    take(rows[at]!, amount)
    columns.spread(rows[at]!, (near, share) => take(near, share * amount))
  }
  return count
}

let work: Work = {
  rows: new Uint32Array(0),
  counts: new Uint8Array(0),
  held: new Float32Array(0),
  touched: new Uint32Array(0),
}
function scratch(rows: number): Work {
  if (work.rows.length < rows) {
    const size = Math.ceil(rows * 1.25)
    work = {
      rows: new Uint32Array(size),
      counts: new Uint8Array(size),
      held: new Float32Array(size),
      touched: new Uint32Array(size),
    }
  }
  return work
}
