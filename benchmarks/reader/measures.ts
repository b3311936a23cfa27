// What is counted: BM25 as the floor, AUROC, token F1, recall of turns.
import { termsOf } from '../../src/language/language.ts'
import { auroc as rightOrder } from '../../src/reply/score/curves.ts'

// How well a score tells the true from the false: the share of pairs in the right order (0.5 is chance).
export const auroc = (scored: { score: number; label: boolean }[]): number =>
  rightOrder(scored.map(({ score, label }) => ({ score, right: label })))

const plain = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter(Boolean)

// SQuAD's F1: shared words with the best of the given answers.
export function f1(guess: string, answers: string[]): number {
  const one = plain(guess)
  return Math.max(
    0,
    ...answers.map((answer) => {
      const rest = plain(answer)
      const length = rest.length
      let same = 0
      for (const word of one) {
        const at = rest.indexOf(word)
        if (at >= 0) {
          same++
          rest.splice(at, 1)
        }
      }
      return same === 0 ? 0 : (2 * same) / (one.length + length)
    }),
  )
}

export const recallAt = (order: number[], evidence: Set<number>, k: number): number =>
  order.slice(0, k).filter((turn) => evidence.has(turn)).length / evidence.size

export const mean = (numbers: number[]): number => numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length)

// Okapi BM25 over stems, k1 1.2, b 0.75.
export function createBm25(texts: string[]): (question: string) => Float32Array {
  const found = new Map<number, Map<number, number>>()
  const lengths = texts.map((text, at) => {
    const terms = termsOf(text)
    for (const term of terms) {
      const counts = found.get(term) ?? new Map<number, number>()
      counts.set(at, (counts.get(at) ?? 0) + 1)
      found.set(term, counts)
    }
    return terms.length
  })
  const usual = Math.max(1, mean(lengths))
  return (question) => {
    const scores = new Float32Array(texts.length)
    for (const term of new Set(termsOf(question))) {
      const counts = found.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, count] of counts)
        scores[at]! += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[at]!) / usual))
    }
    return scores
  }
}
