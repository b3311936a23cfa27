// Replies with what in the recalled memories answers best, or says that nothing does.
import { composeReply, type Reply } from '../compose.ts'
import { evidenceIn } from '../evidence/evidence.ts'
import { findOtherSide } from '../evidence/other-side.ts'
import { reread } from '../evidence/reread.ts'
import { bestFor, type Occasion } from '../responder.ts'
import { confidence } from '../score/confidence.ts'
import { featuresOf } from '../score/features.ts'
import { answerFrom, sayNearest } from './answer.ts'

const UNKNOWN_BELOW = 30 // percent: an answer more likely wrong than that is not given as one

export async function answerFromMemory({ needs, persona, request: { message }, recalled }: Occasion): Promise<Reply> {
  const { text, question, kind } = message
  const found = await recalled()
  const began = performance.now()
  const recollections = await bestFor(needs, question, found)
  const read = await reread(needs, question, evidenceIn(question, recollections))
  const evidence = kind === 'yes-no' ? await findOtherSide(needs, question, recollections, read) : read
  const sure = confidence(featuresOf(question, recollections, evidence), persona.calibration)
  const answer = sure.score < UNKNOWN_BELOW ? undefined : answerFrom(question, kind, evidence, persona)
  return composeReply(answer ?? sayNearest(kind, evidence, persona), sure, {
    isKnown: answer !== undefined,
    understoodAs: question === text ? null : question,
    recollections,
    timings: { recall: found.tookMs, answer: performance.now() - began },
  })
}
