// Reads the best answer again, with no more than the sentences around it: in a long passage much looks like an answer.
import { sentenceRanges } from '../../language/language.ts'
import type { Reader } from '../../ports/models.ts'
import type { Evidence } from './evidence.ts'

const BESIDE = 1 // sentences on either side

export type ReadNeeds = {
  reader?: Reader | undefined
  onTrouble?(error: unknown): void
}

export async function reread(
  { reader, onTrouble }: ReadNeeds,
  question: string,
  evidence: Evidence[],
): Promise<Evidence[]> {
  const [best, ...others] = evidence
  const part = best && partAround(best)
  if (!reader || !part) return evidence
  try {
    const [reading] = await reader.read(question, [part])
    return [{ ...best, reread: reading!.answerable }, ...others]
  } catch (error) {
    onTrouble?.(error)
    return evidence
  }
}

// Null where a turn of a chat was read: without its date and its speaker it says too little.
const partAround = ({ source: { reading, passage, memory } }: Evidence): string | null =>
  reading && passage.text === memory.text ? sentencesAround(memory.text, reading.start) : null

// Null where these would be the whole passage.
export function sentencesAround(passage: string, place: number): string | null {
  const sentences = sentenceRanges(passage)
  const at = sentences.findIndex(({ start, end }) => start <= place && place < end)
  if (at < 0 || sentences.length <= 2 * BESIDE + 1) return null
  const [from, to] = [Math.max(0, at - BESIDE), Math.min(sentences.length - 1, at + BESIDE)]
  return passage.slice(sentences[from]!.start, sentences[to]!.end)
}
