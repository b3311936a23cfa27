// A closer look at the best candidates: what of the question stands together in them, and which of them speaks later of the same thing.
import type { Memory, Recollection } from '../domain/memory.ts'
import type { Asked } from '../language/understand.ts'
import type { Recalled } from '../ports/store.ts'
import { type Search, termsIn } from './index/persona-index.ts'

const PAIRS_WEIGHT = 0.6
// How much better an old memory may fit and still be taken for superseded by a later one like it.
const SUPERSEDED_WITHIN = 0.15

export type Candidate = {
  number: number
  isPlain: boolean
  recollection: Recollection
  before?: Memory | undefined // what was said right before it
  score: number
  parts: Record<string, number>
}

export function closeLook(asked: Asked, found: Search, recalled: Recalled[]): Candidate[] {
  const byNumber = new Map(recalled.map((one) => [one.number, one]))
  const pairs = pairsOf(asked.sequence, found.rarities)
  const candidates: Candidate[] = []
  for (const { number, before, score, parts } of found.best) {
    const one = byNumber.get(number)
    if (!one) continue
    const together = PAIRS_WEIGHT * shareHeld(pairs, termsIn(one.words))
    candidates.push({
      number,
      isPlain: one.isPlain,
      recollection: one.recollection,
      before: before === undefined ? undefined : byNumber.get(before)?.recollection.memory,
      score: score + together,
      parts: together > 0 ? { ...parts, pairs: together } : parts,
    })
  }
  return laterFirst(
    candidates.sort((one, two) => two.score - one.score),
    found.successors,
  )
}

// The question's neighbouring words, each two with what they are worth.
function pairsOf(question: Uint32Array, rarities: ReadonlyMap<number, number>): Map<number, number> {
  const pairs = new Map<number, number>()
  for (let at = 1; at < question.length; at++) {
    const [first, second] = [question[at - 1]!, question[at]!]
    const worth = (rarities.get(first) ?? 0) + (rarities.get(second) ?? 0)
    pairs.set(pair(first, second), (pairs.get(pair(first, second)) ?? 0) + worth)
  }
  return pairs
}

// The share of these that are neighbours in the text, too.
function shareHeld(pairs: ReadonlyMap<number, number>, text: Uint32Array): number {
  const held = new Set<number>()
  for (let at = 1; at < text.length; at++) {
    const one = pair(text[at - 1]!, text[at]!)
    if (pairs.has(one)) held.add(one)
  }
  if (held.size === 0) return 0
  let all = 0
  let found = 0
  for (const [one, worth] of pairs) {
    all += worth
    if (held.has(one)) found += worth
  }
  return all === 0 ? 0 : found / all
}

// Order counts; 53 bits are exact.
const pair = (first: number, second: number): number => (first % 0x200000) * 0x100000000 + second

// What was said later of the same thing comes before what it supersedes.
function laterFirst(candidates: Candidate[], successors: ReadonlyMap<number, number>): Candidate[] {
  if (successors.size === 0) return candidates
  const byNumber = new Map(candidates.map((one) => [one.number, one]))
  for (const [earlier, later] of successors) {
    const [old, successor] = [byNumber.get(earlier), byNumber.get(later)]
    if (!old || !successor) continue
    const behind = old.score - successor.score
    if (behind < 0 || behind > SUPERSEDED_WITHIN) continue
    const raise = behind + 1e-6
    successor.score += raise
    successor.parts = { ...successor.parts, later: raise }
  }
  return candidates.sort((one, two) => two.score - one.score)
}
