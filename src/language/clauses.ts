// "Books for three weeks, DVDs for one week": of clauses with a figure each, the one that was asked for.
import type { Range } from '../domain/reply.ts'
import { holdsNumber } from './numbers.ts'
import { stems } from './words.ts'

const BOUNDARY = /[,;.!?](?=\s)\s*/g

// "…, who is 8" is no answer by itself.
const LEANS = /^(?:who|whose|which|that|where)\b/i

// The clause of the answer where it alone speaks of what the question names; else the whole.
export function figureClause(text: string, whole: Range, answer: Range, question: string): Range {
  const withFigure = clausesOf(text, whole).filter(({ start, end }) => holdsNumber(text.slice(start, end)))
  const home = withFigure.find(({ start, end }) => answer.start >= start && answer.end <= end + 1)
  if (!home || withFigure.length < 2 || LEANS.test(text.slice(home.start, home.end))) return whole
  const asked = stems(question)
  const named = ({ start, end }: Range): string[] => [...stems(text.slice(start, end))].filter((one) => asked.has(one))
  const here = new Set(named(home))
  const elsewhere = new Set(withFigure.filter((one) => one !== home).flatMap(named))
  // "What does a student pay a term?" is answered by "Dues are 40 a term, students half." alone.
  const isAlone = here.size > 0 && elsewhere.isSubsetOf(here) && !here.isSubsetOf(elsewhere)
  return isAlone ? withMore(text, home, withFigure) : whole
}

const MORE = /^(?:[£$€¥]\s?)?\d/

// "The room is £8 an hour, £5 for village groups": what goes on with a figure is of the same thing.
function withMore(text: string, home: Range, clauses: Range[]): Range {
  let { end } = home
  for (const next of clauses) {
    if (next.start < end) continue
    if (!/^,\s+$/.test(text.slice(end, next.start)) || !MORE.test(text.slice(next.start, next.end))) break
    end = next.end
  }
  return { start: home.start, end }
}

function clausesOf(text: string, { start, end }: Range): Range[] {
  const clauses: Range[] = []
  let from = start
  for (const found of text.slice(start, end).matchAll(BOUNDARY)) {
    if (isBracketed(text.slice(from, start + found.index))) continue
    clauses.push({ start: from, end: start + found.index })
    from = start + found.index + found[0].length
  }
  return from < end ? [...clauses, { start: from, end }] : clauses
}

// "94 (Noor Akhtar, a historian!)" is one clause.
const isBracketed = (text: string): boolean => text.lastIndexOf('(') > text.lastIndexOf(')')
