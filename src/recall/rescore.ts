// Scores the candidates again with their texts at hand: which of the question's words stand together in them, and
// which of them says something later about the same thing.
import type { Recollection } from '../domain/memory.ts'
import { shareHeld } from '../language/language.ts'
import type { IndexedMemory } from '../ports/store.ts'
import { type SearchResult, termsIn } from './index/persona-index.ts'
import { windowOf } from './window.ts'

const PAIRS_WEIGHT = 0.6
// How much better an old memory may fit and still be taken for superseded by a later one like it.
const SUPERSEDED_WITHIN = 0.15

export type Candidate = Recollection & { number: number; isPlain: boolean }

// `whose`: the one whose memories they are, and whether the question names them.
export function rescore(
  sequence: Uint32Array,
  result: SearchResult,
  memories: IndexedMemory[],
  whose: { speaker: string; isNamed: boolean },
): Candidate[] {
  const byNumber = new Map(memories.map((one) => [one.number, one]))
  const pairs = pairsOf(sequence, result.rarities)
  const candidates: Candidate[] = []
  for (const { number, before, score, parts } of result.best) {
    const one = byNumber.get(number)
    if (!one) continue
    const { words, ...known } = one
    const together = PAIRS_WEIGHT * shareHeld(pairs.keys(), pairsIn(termsIn(words)), (pair) => pairs.get(pair)!)
    candidates.push({
      ...known,
      passage: windowOf(one, whose, before === undefined ? undefined : byNumber.get(before)?.memory),
      score: score + together,
      parts: together > 0 ? { ...parts, pairs: together } : parts,
    })
  }
  return laterFirst(
    candidates.sort((one, two) => two.score - one.score),
    result.successors,
  )
}

// The question's neighbouring words, each two with what they are worth.
function pairsOf(sequence: Uint32Array, rarities: ReadonlyMap<number, number>): Map<number, number> {
  const pairs = new Map<number, number>()
  for (let at = 1; at < sequence.length; at++) {
    const [first, second] = [sequence[at - 1]!, sequence[at]!]
    const worth = (rarities.get(first) ?? 0) + (rarities.get(second) ?? 0)
    pairs.set(pair(first, second), (pairs.get(pair(first, second)) ?? 0) + worth)
  }
  return pairs
}

function pairsIn(terms: Uint32Array): Set<number> {
  const pairs = new Set<number>()
  for (let at = 1; at < terms.length; at++) pairs.add(pair(terms[at - 1]!, terms[at]!))
  return pairs
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
