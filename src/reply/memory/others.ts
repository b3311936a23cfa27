// Other memories that answer, too: with something else, with another number, or nearly as surely.
import { isDated } from '../evidence/dated.ts'
import { answerability, answerOf, answers, type Evidence } from '../evidence/evidence.ts'
import { limits } from '../limits.ts'

// What a list goes on with.
export const othersToo = (best: Evidence, evidence: Evidence[]): Evidence[] =>
  furtherAnswers(best, evidence).filter((one) => one.strength > best.strength - LIST_BEHIND)

const LIST_BEHIND = 3 // log-odds behind the best: what is weaker is another matter

export function furtherAnswers(best: Evidence, evidence: Evidence[]): Evidence[] {
  const heard = [answerOf(best).toLowerCase()]
  const further: Evidence[] = []
  for (const one of evidence.slice(1)) {
    const answer = answerOf(one).toLowerCase()
    const isNew = answer !== '' && !heard.some((other) => other.includes(answer) || answer.includes(other))
    if (!answers(one) || !isNew) continue
    heard.push(answer)
    further.push(one)
    if (further.length === limits.listItems - 1) break
  }
  return further
}

const NUMBER = /\d+(?:[.,:]\d+)*/g
const ALSO_SURE = 0.9 // answerability from which another number is worth a second sentence
const numbersIn = (text: string): string[] => text.match(NUMBER) ?? []

// What one wrote down more than once may have changed in between: another memory that answers with another number.
export function otherNumber(best: Evidence, evidence: Evidence[]): Evidence | undefined {
  const [numbers, around] = [numbersIn(answerOf(best)), numbersIn(best.passage.text)]
  if (numbers.length === 0 || !isDated(best.source)) return undefined
  return evidence
    .slice(1)
    .filter((one) => isDated(one.source) && answerability(one) >= ALSO_SURE)
    .find((one) => {
      const others = numbersIn(answerOf(one))
      return (
        others.length > 0 &&
        !others.some((number) => around.includes(number)) &&
        !numbers.some((number) => numbersIn(one.passage.text).includes(number))
      )
    })
}
