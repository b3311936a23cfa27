// Replies with what memory has to say, as surely as it is scored, or says that it does not know.
import type { Persona } from '../../domain/persona.ts'
import {
  type AskedAge,
  holdsNumber,
  introduce,
  introduceByInstructions,
  isSure,
  sayAsSure,
  tellsBirth,
} from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import { tellsBirthOf } from '../evidence/births.ts'
import { sentenceOf } from '../evidence/evidence.ts'
import { createOccasion, type Occasion, searchFor } from '../responder.ts'
import { type Confidence, confidence, deny, isHeld } from '../score/confidence.ts'
import { aboutSelfConfidence, toldConfidence } from '../score/fixed.ts'
import { refuse } from './answer.ts'
import { type FoundAnswer, findAnswer, isAboutSelf } from './find-answer.ts'

export async function answerFromMemory(occasion: Occasion): Promise<Reply> {
  const { persona, request } = occasion
  const { text, kind } = request.message
  const began = performance.now()
  const own = kind === 'about-self' ? introduceByInstructions(persona) : null
  if (own !== null) return composeReply({ text: own, used: [] }, aboutSelfConfidence)
  const { found, sure, question, isKnown } = await findSurest(occasion)
  const reply = isKnown
    ? { ...found.answer!, text: sayAsSure(sure.score, found.answer!.text) }
    : kind === 'about-self'
      ? { text: introduce(persona), used: [] }
      : refuse(kind, found.evidence, persona)
  const isDenied = !isKnown && kind !== 'about-self'
  return composeReply(reply, isDenied ? deny(sure, persona.calibration) : sure, {
    isKnown,
    understoodAs: question === text ? null : question,
    recollections: found.recollections,
    timings: { recall: found.recalledMs, answer: performance.now() - began - found.recalledMs },
  })
}

type Candidate = { found: FoundAnswer; sure: Confidence; question: string; isKnown: boolean }

// What looks like a follow-up may be a question of its own ("How do I back it up?"), and what is asked in one way may
// be told in another: where the message as it stands leads to nothing sure, these are asked, too. The surest is given.
async function findSurest(occasion: Occasion): Promise<Candidate> {
  const { needs, persona, request } = occasion
  const { alone, otherwise } = request.message
  let surest = await findScored(occasion)
  for (const message of [alone, otherwise]) {
    if (!message) continue
    // The year of a birth is a number, and no age.
    const isAge = message.age !== null && (!tells(surest, holdsNumber) || tells(surest, tellsBirth))
    if (isSure(surest.sure.score) && !isAge) continue
    const next = await findScored(createOccasion(needs, persona, { ...request, message }, searchFor(needs, message)))
    if (message.age && !tellsBirthOfWhom(message.age, next, persona)) continue
    if (next.sure.score > surest.sure.score || (isAge && next.isKnown)) surest = next
  }
  return surest
}

const tells = ({ found: { evidence } }: Candidate, holds: (sentence: string) => boolean): boolean =>
  evidence[0] !== undefined && holds(sentenceOf(evidence[0]))

const tellsBirthOfWhom = ({ of }: AskedAge, { found: { evidence } }: Candidate, persona: Persona): boolean =>
  evidence[0] !== undefined && tellsBirthOf(of, evidence[0], persona)

async function findScored(occasion: Occasion): Promise<Candidate> {
  const found = await findAnswer(occasion)
  const { persona, request } = occasion
  const isPortrait = isAboutSelf(request.message, persona)
  const [weighed, told] = [confidence(found.scored, persona.calibration), toldConfidence(persona.calibration)]
  const isTold = isPortrait || (found.isNamed === true && weighed.score < told.score)
  const sure = isTold ? told : weighed
  const isKnown = found.answer !== null && (isTold || isHeld(found.scored, sure))
  return { found, sure, question: occasion.request.message.question, isKnown }
}
