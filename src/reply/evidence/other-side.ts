// Where memory says yes, or no, a look for the opposite in what was recalled and not read: in passing, people say both.
import { limits } from '../../domain/limits.ts'
import type { Recollection } from '../../domain/memory.ts'
import { isAsked, sentenceRanges, shortened } from '../../language/sentences.ts'
import { type Evidence, placeIn } from './evidence.ts'
import type { ReadingAgain } from './reread.ts'
import { bothSides, sidesOn } from './sides.ts'

export async function lookForOtherSide(
  { reader, onTrouble }: ReadingAgain,
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
    .filter(({ passage, sentence, answer }) => !isAsked(passage, sentence, answer))
    .sort((one, two) => two.strength - one.strength)
    .slice(0, limits.otherSideSentences)
  try {
    const readings = await reader.read(
      question,
      opposite.map(({ passage, sentence, answer }) => shortened(passage, sentence, answer, limits.replyWords)),
    )
    return [...evidence, ...opposite.map((one, at) => read(one, readings[at]!.answerable))]
  } catch (error) {
    onTrouble?.(error)
    return evidence
  }
}

const sentencesOf = (recollection: Recollection, rank: number): Evidence[] =>
  sentenceRanges(recollection.memory.text).map((sentence) => placeIn(recollection, sentence, rank))

// As if the passage had been read for what this clause says.
function read(one: Evidence, answerable: number): Evidence {
  const reading = { ...one.answer, passage: one.passage, answerable, relevant: answerable, span: 0 }
  return { ...one, recollection: { ...one.recollection, reading }, isRead: true }
}
