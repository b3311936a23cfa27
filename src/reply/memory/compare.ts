// Two dated facts compared: which came first, whether one was before the other, how long lay between them.
import type { Reading, Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import {
  ageAt,
  type Comparison,
  evenWeights,
  isFirstPerson,
  isSure,
  type SpokenTime,
  sayAgeThen,
  sayComparison,
  shareInText,
  stems,
  whenQuestion,
} from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import { birthIn, tellsBirthOf } from '../evidence/births.ts'
import { isDated, timeOf } from '../evidence/dated.ts'
import { answers, type Evidence, evidenceIn, sentenceOf } from '../evidence/evidence.ts'
import { bestFor, type Occasion } from '../responder.ts'
import { confidence } from '../score/confidence.ts'
import { featuresOf } from '../score/features.ts'
import { say } from './answer.ts'

// Null where the message compares nothing, or memory does not date both.
export async function compare({ needs, persona, request: { message }, recalled }: Occasion): Promise<Reply | null> {
  const { comparison } = message
  if (!comparison) return null
  const began = performance.now()
  const found = await recalled()
  const [first, second] = await Promise.all(
    [comparison.first, comparison.second].map(async (fact) =>
      halfOf(fact, await bestFor(needs, whenQuestion(fact), found)),
    ),
  )
  if (!first || !second) return null
  // As sure as of the less sure of the two.
  const [sure] = [first, second]
    .map(({ fact, evidence, recollections }) =>
      confidence(featuresOf(whenQuestion(fact), recollections, [evidence], found.memories), persona.calibration),
    )
    .sort((one, two) => one.logit - two.logit)
  const text =
    comparison.asks === 'age' ? sayAgeAt(comparison, first, second, persona) : sayComparison(comparison, first, second)
  if (text === null || (comparison.asks === 'age' && !isSure(sure!.score))) return null
  const answer = { text, used: [first.evidence, second.evidence] }
  const recollections = [...first.recollections, ...second.recollections]
  return composeReply(answer, sure!, { recollections, timings: { recall: performance.now() - began } })
}

type Half = { fact: string; evidence: Evidence; recollections: Recollection[]; time: SpokenTime }

// The memory that speaks of the fact, and the time it gives for it. The time of a note is its own,
// so what counts is whether the note is about the fact, not whether it says when.
function halfOf(fact: string, recollections: Recollection[]): Half | null {
  const about = recollections.map((one) => {
    const { reading } = one
    return reading && isDated(one)
      ? { ...one, reading: { ...reading, answerable: aboutness(fact, one, reading) } }
      : one
  })
  const [evidence] = evidenceIn({ question: whenQuestion(fact) }, about)
  if (!evidence || !answers(evidence)) return null
  const time = timeOf(evidence.source, sentenceOf(evidence))
  return time && { fact, evidence, recollections, time }
}

// Null where the first tells no birth, or another one's, or the second what others did.
function sayAgeAt(asked: Comparison, birth: Half, { evidence, time }: Half, persona: Persona): string | null {
  const { of = null, second } = asked
  const isOthers = /^(?:you|i|we)\b/i.test(second) && !isDated(evidence.source) && !isFirstPerson(sentenceOf(evidence))
  if (isOthers) return null
  const born = tellsBirthOf(of, birth.evidence, persona) ? birthIn(birth.evidence) : null
  const age = born && ageAt({ ...born, isDay: born.isDay && time.isDay }, time.at, null)
  return age && sayAgeThen(age, [say(birth.evidence, persona), say(evidence, persona)])
}

function aboutness(fact: string, { memory }: Recollection, { relevant, answerable }: Reading): number {
  const share = shareInText(evenWeights(stems(fact)), memory.text)
  return Math.max(answerable, (relevant + share) / 2)
}
