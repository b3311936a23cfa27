// Reranks the best candidates by a reader model that sees question and passage together. How many it reads depends on
// their lengths alone, never on the clock: the same question gets the same answer on a busy machine.
import type { Reading, Recollection } from '../domain/memory.ts'
import type { Reader } from '../ports/models.ts'
import { limits } from './limits.ts'
import { inPassage, partsOf } from './parts.ts'

const RELEVANCE_WEIGHT = 1

export type Rerank = <Candidate extends Recollection>(question: string, candidates: Candidate[]) => Promise<Candidate[]>

export function createRerank(reader: Reader): Rerank {
  return async (question, candidates) => {
    const chosen = choose(question, candidates)
    const readings = await readInParts(reader, question, chosen)
    // A reader that finds nothing relevant is no judge: a wish is not "about" the question that it bears on.
    const surest = Math.max(0, ...readings.map(({ relevant }) => relevant))
    const reranked = readings.map((reading, at) => {
      const one = chosen[at]!
      const relevance = RELEVANCE_WEIGHT * surest * reading.relevant
      return { ...one, reading, score: one.score + relevance, parts: { ...one.parts, relevance } }
    })
    // What was not read keeps its place behind what was.
    const unread = candidates.filter((one) => !chosen.includes(one))
    return [...reranked.sort((one, two) => two.score - one.score), ...unread]
  }
}

// The reading of a passage is that of the part that answers best.
async function readInParts(reader: Reader, question: string, candidates: Recollection[]): Promise<Reading[]> {
  const parts = candidates.map(({ passage, memory }) => partsOf(passage, memory.place.headings))
  const all = await reader.read(
    question,
    parts.flat().map(({ text }) => text),
  )
  let next = 0
  return parts.map((some) =>
    some
      .map((part) => inPassage(all[next++]!, part))
      .reduce((best, one) => (one.answerable > best.answerable ? one : best)),
  )
}

// As recalled, without what a reader made of it for another question.
export function forgetReading({ reading: _, ...one }: Recollection): Recollection {
  const { relevance = 0, ...parts } = one.parts
  return { ...one, parts, score: one.score - relevance }
}

// The best, as many as fit; where a long one does not, shorter ones behind it still may.
function choose<Candidate extends Recollection>(question: string, candidates: Candidate[]): Candidate[] {
  let left: number = limits.rerankCharacters
  return candidates.slice(0, limits.rerankCandidates).filter(({ passage }, at) => {
    const length = passage.text.length + question.length
    if (at >= limits.rerankLeast && length > left) return false
    left -= length
    return true
  })
}
