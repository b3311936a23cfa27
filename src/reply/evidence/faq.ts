// The answers of an FAQ: written to be given whole.
import { endOfQuestion } from '../../domain/faq.ts'
import type { Range } from '../../domain/reply.ts'
import { limits } from '../limits.ts'
import { isDated } from './dated.ts'
import type { Quote } from './evidence.ts'

export const isOfFaq = ({ passage: { text, own }, source }: Quote): boolean =>
  !isDated(source) && endOfQuestion(text.slice(own.start)) > 0

const ANSWER_MARK = /^[*_]{0,3}\s*(?:A\d{0,3}: |Answer: )?/
const NOT_PROSE = /```|~~~|\n[ \t]{0,8}(?:\||[-*•] )/

// The quote with all that stands below the question, where that is short.
export function quoteAnswer<Place extends Quote>(quote: Place): Place | null {
  if (!isOfFaq(quote)) return null
  const { text, own } = quote.passage
  const from = own.start + endOfQuestion(text.slice(own.start))
  const start = from + ANSWER_MARK.exec(text.slice(from))![0].length
  const said = text.slice(start, own.end)
  if (said === '' || NOT_PROSE.test(said) || said.split(/\s+/).length > limits.faqWords) return null
  const whole: Range = { start, end: own.end }
  return { ...quote, sentence: whole, answer: quote.answer.start < start ? whole : quote.answer }
}
