// Reranks the best candidates by a reader model that sees question and passage together, as many as time allows.
import type { Recollection } from '../domain/memory.ts'
import type { Reader } from '../ports/models.ts'
import { limits } from './limits.ts'

const RELEVANCE_WEIGHT = 1
const PACE_AT_FIRST = 20 // characters read in a millisecond, before anything was measured
const PACE_MEMORY = 0.8 // how much of the pace so far stays when a new one is measured

export type Rerank = <Candidate extends Recollection>(question: string, candidates: Candidate[]) => Promise<Candidate[]>

export function createRerank(reader: Reader, budgetMs: number = limits.rerankMs): Rerank {
  let pace = PACE_AT_FIRST
  return async (question, candidates) => {
    const texts = candidates.slice(0, limits.rerankCandidates).map(({ passage }) => passage.text)
    const lengths = texts.map((text) => text.length + question.length)
    const count = affordable(lengths, pace * budgetMs)
    const began = performance.now()
    const readings = await reader.read(question, texts.slice(0, count))
    const took = performance.now() - began
    const read = lengths.slice(0, count).reduce((sum, length) => sum + length, 0)
    if (read > 0) pace = PACE_MEMORY * pace + (1 - PACE_MEMORY) * (read / Math.max(took, 1))
    // A reader that finds nothing relevant is no judge: a wish is not "about" the question that it bears on.
    const surest = Math.max(0, ...readings.map(({ relevant }) => relevant))
    const reranked = readings.map((reading, at) => {
      const one = candidates[at]!
      const relevance = RELEVANCE_WEIGHT * surest * reading.relevant
      return { ...one, reading, score: one.score + relevance, parts: { ...one.parts, relevance } }
    })
    // What was not read keeps its place behind what was.
    return [...reranked.sort((one, two) => two.score - one.score), ...candidates.slice(count)]
  }
}

// As recalled, without what a reader made of it for another question.
export function forgetReading({ reading: _, ...one }: Recollection): Recollection {
  const { relevance = 0, ...parts } = one.parts
  return { ...one, parts, score: one.score - relevance }
}

// A few are always worth reading; a slow machine, or a busy one, reads no more than those.
function affordable(lengths: number[], characters: number): number {
  let count = 0
  for (let left = characters; count < lengths.length; count++) {
    left -= lengths[count]!
    if (left < 0 && count >= limits.rerankLeast) break
  }
  return count
}
