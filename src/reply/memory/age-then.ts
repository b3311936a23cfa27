// "How old were you when you married?", worked out from a birth and the time of what happened.
import { ageAt, isFirstPerson, isSure, sayAgeThen, whenQuestion } from '../../language/language.ts'
import type { Reply } from '../compose.ts'
import { birthIn, tellsBirthOf } from '../evidence/births.ts'
import { isDated } from '../evidence/dated.ts'
import { sentenceOf } from '../evidence/evidence.ts'
import type { Occasion } from '../responder.ts'
import { say } from './answer.ts'
import { type DatedFact, replyFromBoth } from './dated-facts.ts'

// Null where no such age is asked for, or memory does not surely tell both: then it may tell the age itself.
export async function workOutAge(occasion: Occasion): Promise<Reply | null> {
  const { persona, request } = occasion
  const { ageThen } = request.message
  if (!ageThen) return null
  const { birth, of, event } = ageThen
  const asked = { fact: event, question: whenQuestion(event) }
  return replyFromBoth(occasion, [{ fact: birth, question: birth }, asked], (born, then, sure) => {
    if (!isSure(sure.score) || !tellsBirthOf(of, born.evidence, persona) || isOfOthers(event, then)) return null
    const time = birthIn(born.evidence)
    const age = time && ageAt({ ...time, isDay: time.isDay && then.time.isDay }, then.time.at, null)
    return age && sayAgeThen(age, [say(born.evidence, persona), say(then.evidence, persona)])
  })
}

// "The last families left the island in 1978" does not say when somebody else did. Who writes a note means themselves.
const isOfOthers = (event: string, { evidence }: DatedFact): boolean =>
  /^(?:you|i|we)\b/i.test(event) && !isDated(evidence.source) && !isFirstPerson(sentenceOf(evidence))
