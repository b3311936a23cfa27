// How sure a reply is, in percent. Shared words alone never show that a sentence answers: the score stays modest.
import type { Quote } from './quote.ts'

const NOTHING_FOUND = 1
const AT_MOST = 55

export function confidence(found: Pick<Quote, 'coverage' | 'around'> | undefined): number {
  if (!found) return NOTHING_FOUND
  const score = AT_MOST * (0.8 * found.coverage + 0.2 * found.around)
  return Math.round(Math.max(NOTHING_FOUND, score) * 10) / 10
}
