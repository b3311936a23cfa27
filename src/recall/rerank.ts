// The second look: a reader model that sees question and passage together reorders the best candidates, as many as time allows.
import { limits } from '../domain/limits.ts'
import type { Reader } from '../ports/models.ts'
import type { Candidate } from './rescore.ts'
import { windowOf } from './window.ts'

const RELEVANCE_WEIGHT = 1
const PACE_AT_FIRST = 20 // characters read in a millisecond, before anything was measured
const PACE_MEMORY = 0.8 // how much of the pace so far stays when a new one is measured

export type SecondLook = (question: string, candidates: Candidate[]) => Promise<Candidate[]>

export function createSecondLook(reader: Reader, budgetMs: number = limits.secondLookMs): SecondLook {
  let pace = PACE_AT_FIRST
  return async (question, candidates) => {
    const texts = candidates
      .slice(0, limits.secondLookCandidates)
      .map(({ recollection, before }) => windowOf(recollection.memory, before))
    const lengths = texts.map((text) => text.length + question.length)
    const count = affordable(lengths, pace * budgetMs)
    const began = performance.now()
    const readings = await reader.read(question, texts.slice(0, count))
    const took = performance.now() - began
    const read = lengths.slice(0, count).reduce((sum, length) => sum + length, 0)
    if (read > 0) pace = PACE_MEMORY * pace + (1 - PACE_MEMORY) * (read / Math.max(took, 1))
    // A reader that finds nothing relevant is no judge: a wish is not "about" the question that it bears on.
    const surest = Math.max(0, ...readings.map(({ relevant }) => relevant))
    const looked = readings.map((reading, at) => {
      const one = candidates[at]!
      const relevance = RELEVANCE_WEIGHT * surest * reading.relevant
      const recollection = { ...one.recollection, reading: { ...reading, passage: texts[at]! } }
      return { ...one, recollection, score: one.score + relevance, parts: { ...one.parts, relevance } }
    })
    // What lies beyond the reader's sight keeps its place behind what it has seen.
    return [...looked.sort((one, two) => two.score - one.score), ...candidates.slice(count)]
  }
}

// A few are always worth reading; a slow machine, or a busy one, reads no more than those.
function affordable(lengths: number[], characters: number): number {
  let count = 0
  for (let left = characters; count < lengths.length; count++) {
    left -= lengths[count]!
    if (left < 0 && count >= limits.secondLookLeast) break
  }
  return count
}
