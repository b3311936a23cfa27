// Yes or no: said only where a sentence says what was asked, or its opposite, in the same words; and both where memory says both.
import type { Range } from '../../domain/reply.ts'
import { isDated } from './dated.ts'
import { ANSWERS, covered, type Evidence, stems } from './evidence.ts'

const NEGATION = /\b(?:not|never|no|none|nobody|nothing|neither|cannot|without|\w+n['’]t)\b/i
const SAYS_THE_SAME = 0.9 // share of a question's words in a sentence that makes it a yes or a no
const SPEAKS_OF_IT = 0.5 // and in a clause, for one of two sides
const SAID_SO = 0.25 // answerability of a side in the question's own words, about which the reader need not be as sure
const AT_ALL = /\b(?:ever|any|anything|anyone|other|before|yet|already)\b/gi // a question's words for "at all": only a denial repeats them
const FIRST_PERSON = /\b(?:i|my|me|we|our|us)\b/i

const wordsOf = (question: string): Map<string, number> =>
  new Map(stems(question.replaceAll(AT_ALL, ' ')).map((word) => [word, 1]))

export function yesOrNo(question: string, { passage, sentence, recollection }: Evidence): '' | 'Yes. ' | 'No. ' {
  const text = passage.slice(sentence.start, sentence.end)
  const weights = wordsOf(question)
  const isSure = (recollection.reading?.answerable ?? 0) >= ANSWERS
  if (!isSure || covered(weights, `${recollection.memory.place.speaker ?? ''} ${text}`) < SAYS_THE_SAME) return ''
  return NEGATION.test(question) === NEGATION.test(text) ? 'Yes. ' : 'No. '
}

// Two memories that answer with yes and with no, the earlier one first; null where memory agrees with itself.
export function bothSides(question: string, evidence: Evidence[]): [Evidence, Evidence] | null {
  const sideOf = sidesOn(question)
  const sides = evidence.flatMap((one) => {
    const side = sideOf(one)
    if (!side) return []
    const isInItsWords = side.share >= SAYS_THE_SAME
    // Pages speak of many things in a few words: only one that says the question's own takes a side.
    if (!isInItsWords && !isDated(one.recollection)) return []
    const isSide = (one.recollection.reading?.answerable ?? 0) >= (isInItsWords ? SAID_SO : ANSWERS)
    return isSide ? [{ one, isDenied: side.isDenied }] : []
  })
  const [yes, no] = [false, true].map((isDenied) => sides.find((side) => side.isDenied === isDenied)?.one)
  if (!yes || !no || yes.recollection.memory.id === no.recollection.memory.id) return null
  return yes.recollection.memory.time <= no.recollection.memory.time ? [yes, no] : [no, yes]
}

// What a sentence says to a question of yes or no; null where it does not speak of it.
export type Side = {
  isDenied: boolean
  clause: Range // of the passage
  share: number // of the question's words in it
}

export function sidesOn(question: string): (evidence: Evidence) => Side | null {
  const weights = wordsOf(question)
  // Asked about oneself, what is said in general ("using it can help") is no side.
  const isOwn = FIRST_PERSON.test(question)
  return ({ passage, sentence }) => {
    const clauses = passage.slice(sentence.start, sentence.end).split(/[,;:–—]\s+|\s+(?:but|although|while|since)\s+/)
    const [best] = clauses
      .map((clause) => ({ clause, share: covered(weights, clause) }))
      .sort((one, two) => two.share - one.share)
    if (!best || best.share < SPEAKS_OF_IT || (isOwn && !FIRST_PERSON.test(best.clause))) return null
    const start = passage.indexOf(best.clause, sentence.start)
    const clause = { start, end: start + best.clause.length }
    return { isDenied: NEGATION.test(best.clause), clause, share: best.share }
  }
}
