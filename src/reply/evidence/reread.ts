// Reads the best answers out of long passages again, each with no more than the sentences around it: in a long passage
// much looks like an answer.
import { sentenceRanges } from '../../language/language.ts'
import type { Reader } from '../../ports/models.ts'
import { headerOf } from '../../recall/window.ts'
import { limits } from '../limits.ts'
import { type Evidence, logOdds, strongestFirst } from './evidence.ts'

const BESIDE = 1 // sentences on either side
const UNREAD = 1 // log-odds that an answer loses which only its whole passage supports

export type ReadNeeds = {
  reader?: Reader | undefined
  onTrouble?(error: unknown): void
}

export async function reread(
  { reader, onTrouble }: ReadNeeds,
  question: string,
  evidence: Evidence[],
): Promise<Evidence[]> {
  const parts = new Map(evidence.map((one) => [one, partAround(one)]))
  const long = evidence.filter((one) => parts.get(one) !== null)
  const chosen = long.slice(0, limits.rereadPassages)
  if (!reader || chosen.length === 0) return evidence
  try {
    const readings = await reader.read(
      question,
      chosen.map((one) => parts.get(one)!),
    )
    const reread = new Map(chosen.map((one, at) => [one, readings[at]!.answerable]))
    return evidence.map((one) => (long.includes(one) ? weigh(one, reread.get(one)) : one)).sort(strongestFirst)
  } catch (error) {
    onTrouble?.(error)
    return evidence
  }
}

// The mean of both readings.
function weigh(one: Evidence, reread: number | undefined): Evidence {
  if (reread === undefined) return { ...one, strength: one.strength - UNREAD }
  const first = logOdds(one.source.reading?.answerable ?? 0)
  return { ...one, reread, strength: one.strength + (logOdds(reread) - first) / 2 }
}

// Null where a note or a turn of a chat was read, or so short a passage that these would be the whole of it.
function partAround({ source: { reading, passage, title, memory } }: Evidence): string | null {
  if (!reading || title === '' || memory.place.speaker !== null) return null
  const part = sentencesAround(memory.text, Math.max(0, reading.start - passage.own.start))
  return part === null ? null : `${headerOf(title)}${part}`
}

// Null where these would be the whole text.
export function sentencesAround(text: string, place: number): string | null {
  const sentences = sentenceRanges(text)
  const at = sentences.findIndex(({ start, end }) => start <= place && place < end)
  if (at < 0 || sentences.length <= 2 * BESIDE + 1) return null
  const [from, to] = [Math.max(0, at - BESIDE), Math.min(sentences.length - 1, at + BESIDE)]
  return text.slice(sentences[from]!.start, sentences[to]!.end)
}
