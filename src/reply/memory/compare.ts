// Two dated facts compared: which came first, whether one was before the other, how long lay between them.
import { sayComparison, whenQuestion } from '../../language/language.ts'
import type { Reply } from '../compose.ts'
import type { Occasion } from '../responder.ts'
import { replyFromBoth } from './dated-facts.ts'

// Null where the message compares nothing, or memory does not date both.
export async function compare(occasion: Occasion): Promise<Reply | null> {
  const { comparison } = occasion.request.message
  if (!comparison) return null
  const asked = (fact: string) => ({ fact, question: whenQuestion(fact) })
  return replyFromBoth(occasion, [asked(comparison.first), asked(comparison.second)], (first, second) =>
    sayComparison(comparison, first, second),
  )
}
