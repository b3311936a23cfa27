// Which side evidence takes on a question of yes or no: said only where a sentence says what was asked, or its
// opposite, in the same words.
import type { Range } from '../../domain/reply.ts'
import {
  askedLast,
  clauses,
  evenWeights,
  isDenied,
  isFirstPerson,
  shareInText,
  stems,
  withoutAtAll,
} from '../../language/language.ts'
import { isDated } from './dated.ts'
import { answerability, answers, type Evidence, type Quote, sentenceOf } from './evidence.ts'

const SAYS_THE_SAME = 0.9 // share of a question's words in a sentence that makes it a yes or a no
const SPEAKS_OF_IT = 0.5 // and in a clause, for one of two sides
const SAID_SO = 0.25 // answerability of a side in the question's own words, about which the reader need not be as sure

const wordsOf = (asked: string): Map<string, number> => evenWeights(stems(withoutAtAll(asked)))

// Null where the evidence says neither yes nor no.
export function isYes(question: string, evidence: Evidence): boolean | null {
  const text = sentenceOf(evidence)
  const { speaker } = evidence.source.memory.place
  const asked = askedLast(question)
  const words = wordsOf(asked)
  const share = shareInText(words, `${speaker ?? ''} ${text}`)
  if (!answers(evidence) || share < SAYS_THE_SAME || isPart(question) || isBrief(words, evidence)) return null
  // "You can have two, there is no limit": what speaks of it decides; where nothing surely does, a denial may be of
  // something else.
  const side = sidesOn(question)(evidence)
  if (!side && isDenied(text)) return null
  // "The shop opens at six, on Sundays it stays closed" holds the words of "Are you open on Sundays?" in two clauses.
  if (side && side.share < SAYS_THE_SAME) return null
  return isDenied(asked) === (side?.isDenied ?? false)
}

// Pages speak of many things in a few words: only one that says the question's own takes a side, where those are more
// than one ("Is it encrypted?").
const isBrief = (words: ReadonlyMap<string, number>, { source }: Evidence): boolean =>
  words.size < 2 && !isDated(source)

// "Who is the vet? | Is she nice?" has but one word of its own, and what was said before is not what is asked.
const isPart = (question: string): boolean => {
  const asked = askedLast(question)
  return asked !== question && wordsOf(asked).size < 2
}

// Two memories that answer with yes and with no, the earlier one first; null where memory agrees with itself.
export function bothSides(question: string, evidence: Evidence[]): [Evidence, Evidence] | null {
  if (isPart(question)) return null
  const sideOf = sidesOn(question)
  const words = wordsOf(askedLast(question))
  const sides = evidence.flatMap((one) => {
    const side = sideOf(one)
    if (!side) return []
    const isInItsWords = side.share >= SAYS_THE_SAME
    if ((!isInItsWords && !isDated(one.source)) || isBrief(words, one)) return []
    const isSide = isInItsWords ? answerability(one) >= SAID_SO : answers(one)
    return isSide ? [{ one, isDenied: side.isDenied }] : []
  })
  const [yes, no] = [false, true].map((denied) => sides.find((side) => side.isDenied === denied)?.one)
  if (!yes || !no || yes.source.memory.id === no.source.memory.id) return null
  return yes.source.memory.time <= no.source.memory.time ? [yes, no] : [no, yes]
}

// What a sentence says to a question of yes or no; null where it does not speak of it.
export type Side = {
  isDenied: boolean
  clause: Range // of the passage
  share: number // of the question's words in it
}

export function sidesOn(question: string): (quote: Quote) => Side | null {
  const asked = askedLast(question)
  const weights = wordsOf(asked)
  // Asked about oneself, what is said in general ("using it can help") is no side.
  const isOwn = isFirstPerson(asked)
  return (quote) => {
    const [best] = clauses(sentenceOf(quote))
      .map((clause) => ({ clause, share: shareInText(weights, clause) }))
      .sort((one, two) => two.share - one.share)
    if (!best || best.share < SPEAKS_OF_IT || (isOwn && !isFirstPerson(best.clause))) return null
    const start = quote.passage.text.indexOf(best.clause, quote.sentence.start)
    const clause = { start, end: start + best.clause.length }
    return { isDenied: isDenied(best.clause), clause, share: best.share }
  }
}
