// The sentence of the recalled memories that shares most with the question.
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import { contentWords, stem } from '../recall/words.ts'

export type Quote = {
  recollection: Recollection
  sentence: string
  coverage: number // share of the question's words that the sentence holds, rare ones counting more
  around: number // the same for the whole memory
}

export function quote(question: string, recollections: Recollection[]): Quote | undefined {
  const asked = new Set(contentWords(question).map(stem))
  if (asked.size === 0) return undefined
  const texts = recollections.map(({ memory }) => stems(memory.text))
  const weights = rarity(asked, texts)
  let best: Quote | undefined
  recollections.forEach((recollection, rank) => {
    const around = covered(weights, texts[rank]!)
    for (const sentence of sentences(recollection.memory.text)) {
      // A question shares its words with another question and answers neither.
      if (sentence.endsWith('?')) continue
      const coverage = covered(weights, stems(sentence))
      // A better rank breaks ties and a little more: the search saw what a count of words does not.
      const value = coverage + 0.3 * around - 0.02 * rank
      const bestValue = best ? best.coverage + 0.3 * best.around - 0.02 * recollections.indexOf(best.recollection) : 0
      if (coverage > 0 && value > bestValue) best = { recollection, sentence: cut(sentence), coverage, around }
    }
  })
  return best
}

const stems = (text: string): Set<string> => new Set(contentWords(text).map(stem))

// A word that most of the recalled memories hold says little about which of them answers.
function rarity(asked: Set<string>, texts: Set<string>[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const word of asked) {
    const holding = texts.filter((text) => text.has(word)).length
    weights.set(word, Math.log(1 + (texts.length + 1) / (holding + 0.5)))
  }
  return weights
}

function covered(weights: Map<string, number>, words: Set<string>): number {
  let held = 0
  let all = 0
  for (const [word, weight] of weights) {
    all += weight
    if (words.has(word)) held += weight
  }
  return all === 0 ? 0 : held / all
}

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' })

export function sentences(text: string): string[] {
  const found: string[] = []
  for (const line of text.split(/\n+/)) {
    for (const { segment } of splitter.segment(line)) if (segment.trim() !== '') found.push(segment.trim())
  }
  return found
}

const cut = (sentence: string): string =>
  sentence.length <= limits.quoteCharacters
    ? sentence
    : `${sentence.slice(0, limits.quoteCharacters).replace(/\s+\S*$/, '')}…`
