// BM25 over a persona's rows, and what it would be for all that the question asks for.
import type { Columns } from './columns.ts'
import { FLAG, SHARE } from './columns.ts'
import type { Postings } from './postings.ts'

const K1 = 0.9 // how soon a repeated word stops counting
const B = 0.75 // how much a long text must hold more

export type WordScores = {
  rarities: Map<number, number> // how rare each term of the question is in this persona
  whole: number // what a row would score that holds all of it, ever so often
}

// Adds to `scores`; `terms` maps each term of the question to its weight.
export function scoreWords(
  { postings, columns }: { postings: Postings; columns: Columns },
  terms: ReadonlyMap<number, number>,
  scores: Float32Array,
): WordScores {
  const { rows, counts, held, touched } = scratch(columns.count())
  const lengths = columns.lengths()
  const perLength = (K1 * B) / (columns.averageLength() || 1)
  const rarities = new Map<number, number>()
  let whole = 0
  for (const [term, weight] of terms) {
    const found = keepLive(columns, work, postings.find(term, rows, counts))
    const rare = rarity(columns.live(), found)
    rarities.set(term, rare)
    const worth = weight * rare
    whole += worth
    const count = gather(columns, work, found)
    for (let at = 0; at < count; at++) {
      const row = touched[at]!
      const much = held[row]!
      held[row] = 0
      scores[row]! += (worth * much) / (much + K1 * (1 - B) + perLength * lengths[row]!)
    }
  }
  return { rarities, whole }
}

export const rarity = (live: number, holding: number): number => Math.log(1 + (live - holding + 0.5) / (holding + 0.5))

type Work = { rows: Uint32Array; counts: Uint8Array; held: Float32Array; touched: Uint32Array }

function keepLive(columns: Columns, { rows, counts }: Work, found: number): number {
  if (columns.live() === columns.count()) return found
  let live = 0
  for (let at = 0; at < found; at++) {
    if (columns.has(rows[at]!, FLAG.gone)) continue
    rows[live] = rows[at]!
    counts[live++] = counts[at]!
  }
  return live
}

// How much of the term each row holds, its neighbours' share included. Written out, for this is where the time goes.
function gather(columns: Columns, { rows, counts, held, touched }: Work, found: number): number {
  const flags = columns.flags()
  const last = columns.count() - 1
  const [after1, after2] = SHARE.before
  const [before1, before2] = SHARE.after
  let count = 0
  const take = (row: number, amount: number) => {
    if (held[row] === 0) touched[count++] = row
    held[row]! += amount
  }
  for (let at = 0; at < found; at++) {
    const row = rows[at]!
    const amount = counts[at]!
    take(row, amount)
    if (row < last && flags[row + 1]! & FLAG.linked) {
      take(row + 1, after1 * amount)
      if (row + 1 < last && flags[row + 2]! & FLAG.linked) take(row + 2, after2 * amount)
    }
    if (flags[row]! & FLAG.linked) {
      take(row - 1, before1 * amount)
      if (flags[row - 1]! & FLAG.linked) take(row - 2, before2 * amount)
    }
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
