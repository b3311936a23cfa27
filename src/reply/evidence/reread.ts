// The best answer once more, with no more than the sentences around it: in a long passage much looks like an answer.

import { sentenceRanges } from '../../language/sentences.ts'
import type { Reader } from '../../ports/models.ts'
import type { Evidence } from './evidence.ts'

const BESIDE = 1 // sentences on either side

export type ReadingAgain = {
  reader?: Reader | undefined
  onTrouble?(error: unknown): void
}

export async function lookCloser(
  { reader, onTrouble }: ReadingAgain,
  question: string,
  evidence: Evidence[],
): Promise<Evidence[]> {
  const [best, ...others] = evidence
  const part = best && partAround(best)
  if (!reader || !part) return evidence
  try {
    const [reading] = await reader.read(question, [part])
    return [{ ...best, closer: reading!.answerable }, ...others]
  } catch (error) {
    onTrouble?.(error)
    return evidence
  }
}

// Null where a turn of a chat was read: without its date and its speaker it says too little.
const partAround = ({ recollection: { reading, memory } }: Evidence): string | null =>
  reading && reading.passage === memory.text ? sentencesAround(memory.text, reading.start) : null

// Null where these would be the whole passage.
export function sentencesAround(passage: string, place: number): string | null {
  const sentences = sentenceRanges(passage)
  const at = sentences.findIndex(({ start, end }) => start <= place && place < end)
  if (at < 0 || sentences.length <= 2 * BESIDE + 1) return null
  const [from, to] = [Math.max(0, at - BESIDE), Math.min(sentences.length - 1, at + BESIDE)]
  return passage.slice(sentences[from]!.start, sentences[to]!.end)
}
