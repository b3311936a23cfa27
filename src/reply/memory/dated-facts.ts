// Two facts with their times, out of what was recalled once: for whatever is worked out from both.
import type { Reading, Recollection } from '../../domain/memory.ts'
import { evenWeights, type SpokenTime, shareInText, stems } from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import { isDated, timeOf } from '../evidence/dated.ts'
import { answers, type Evidence, evidenceIn, sentenceOf } from '../evidence/evidence.ts'
import { bestFor, type Occasion } from '../responder.ts'
import { type Confidence, confidence } from '../score/confidence.ts'
import { featuresOf } from '../score/features.ts'

type Asked = { fact: string; question: string }

export type DatedFact = Asked & { evidence: Evidence; recollections: Recollection[]; time: SpokenTime }

// What is said of the two; null where nothing is to be said.
type Say = (first: DatedFact, second: DatedFact, sure: Confidence) => string | null

// Null where memory does not date both.
export async function replyFromBoth(
  { needs, persona, recalled }: Occasion,
  asked: [Asked, Asked],
  sayBoth: Say,
): Promise<Reply | null> {
  const began = performance.now()
  const found = await recalled()
  const [first, second] = await Promise.all(
    asked.map(async (one) => datedFact(one, await bestFor(needs, one.question, found))),
  )
  if (!first || !second) return null
  // As sure as of the less sure of the two.
  const [sure] = [first, second]
    .map(({ question, evidence, recollections }) =>
      confidence(featuresOf(question, recollections, [evidence], found.memories), persona.calibration),
    )
    .sort((one, two) => one.logit - two.logit)
  const text = sayBoth(first, second, sure!)
  if (text === null) return null
  const recollections = [...first.recollections, ...second.recollections]
  return composeReply({ text, used: [first.evidence, second.evidence] }, sure!, {
    recollections,
    timings: { recall: performance.now() - began },
  })
}

// The memory that speaks of the fact, and the time it gives for it. The time of a note is its own,
// so what counts is whether the note is about the fact, not whether it says when.
function datedFact(asked: Asked, recollections: Recollection[]): DatedFact | null {
  const { fact, question } = asked
  const about = recollections.map((one) => {
    const { reading } = one
    return reading && isDated(one)
      ? { ...one, reading: { ...reading, answerable: aboutness(fact, one, reading) } }
      : one
  })
  const [evidence] = evidenceIn({ question }, about)
  if (!evidence || !answers(evidence)) return null
  const time = timeOf(evidence.source, sentenceOf(evidence))
  return time && { ...asked, evidence, recollections, time }
}

function aboutness(fact: string, { memory }: Recollection, { relevant, answerable }: Reading): number {
  const share = shareInText(evenWeights(stems(fact)), memory.text)
  return Math.max(answerable, (relevant + share) / 2)
}
