// Where memory says yes, or no, looks for the opposite in what was recalled and not read: in passing, people say both.
import type { Recollection } from '../../domain/memory.ts'
import { isAsked, sentenceRanges, shorten } from '../../language/language.ts'
import type { Reader } from '../../ports/models.ts'
import { limits } from '../limits.ts'
import { type Evidence, quote } from './evidence.ts'
import { bothSides, sidesOn } from './sides.ts'

type ReadNeeds = {
  reader?: Reader | undefined
  onTrouble?(error: unknown): void
}

export async function findOtherSide(
  { reader, onTrouble }: ReadNeeds,
  question: string,
  recollections: Recollection[],
  evidence: Evidence[],
): Promise<Evidence[]> {
  const sideOf = sidesOn(question)
  const side = evidence[0] && sideOf(evidence[0])
  if (!reader || !side || bothSides(question, evidence)) return evidence
  const opposite = recollections
    .flatMap((one, rank) => (one.reading ? [] : sentencesOf(one, rank)))
    .flatMap((one) => {
      const said = sideOf(one)
      return said && said.isDenied !== side.isDenied ? [{ ...one, answer: said.clause, strength: said.share }] : []
    })
    .filter(({ passage, sentence, answer }) => !isAsked(passage.text, sentence, answer))
    .sort((one, two) => two.strength - one.strength)
    .slice(0, limits.otherSideSentences)
  try {
    const readings = await reader.read(
      question,
      opposite.map(({ passage, sentence, answer }) => shorten(passage.text, sentence, answer, limits.replyWords)),
    )
    return [...evidence, ...opposite.map((one, at) => asRead(one, readings[at]!.answerable))]
  } catch (error) {
    onTrouble?.(error)
    return evidence
  }
}

const sentencesOf = (source: Recollection, rank: number): Evidence[] =>
  sentenceRanges(source.memory.text).map((sentence) => ({
    ...quote(source, sentence),
    rank,
    strength: 0,
    isRead: false,
  }))

// As if the memory had been read for what this clause says.
function asRead(one: Evidence, answerable: number): Evidence {
  const { source, passage, answer } = one
  const reading = { ...answer, answerable, relevant: answerable, span: 0 }
  return { ...one, source: { ...source, passage, reading }, isRead: true }
}
