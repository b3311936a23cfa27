// The second look: a reader model that sees question and passage together reorders the best candidates.
import { limits } from '../domain/limits.ts'
import type { Reader } from '../ports/models.ts'
import type { Candidate } from './close-look.ts'

const RELEVANCE_WEIGHT = 0.5

// What lies beyond the reader's sight keeps its place behind what it has seen.
export async function secondLook(reader: Reader, question: string, candidates: Candidate[]): Promise<Candidate[]> {
  const seen = candidates.slice(0, limits.secondLookCandidates)
  const readings = await reader.read(
    question,
    seen.map((one) => one.recollection.memory.text),
  )
  const looked = seen.map((one, at) => {
    const relevance = RELEVANCE_WEIGHT * readings[at]!.relevant
    return { ...one, score: one.score + relevance, parts: { ...one.parts, relevance } }
  })
  return [...looked.sort((one, two) => two.score - one.score), ...candidates.slice(seen.length)]
}
