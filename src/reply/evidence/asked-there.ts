// Whether an entry of an FAQ asks just what somebody asks.
import { endOfQuestion } from '../../domain/faq.ts'
import type { Passage } from '../../domain/memory.ts'
import { stems } from '../../language/language.ts'

const SHARED = 0.6 // of what an entry asks, where somebody asks a part of it
// Answerability: no reader knows it better than whoever wrote the question.
const SAME = 0.97
const PART = 0.85

// How surely a passage answers because it is an entry that asks the same, in the same words; 0 where it is none.
export function askedThere(asked: ReadonlySet<string>, { text, own }: Passage): number {
  const entry = text.slice(own.start)
  const questions = questionsIn(entry.slice(0, endOfQuestion(entry))).map(stems)
  if (questions.some((one) => one.size === asked.size && asked.isSubsetOf(one))) return SAME
  const isPart = (one: Set<string>) => asked.size > 1 && asked.isSubsetOf(one) && asked.size >= SHARED * one.size
  return questions.some(isPart) ? PART : 0
}

// "How do I delete a note or a file, and make it forget something?" asks both.
const questionsIn = (heading: string): string[] =>
  heading.split('?').flatMap((question) => {
    const parts = question.split(JOINS).filter((part) => stems(part).size >= LEAST_STEMS)
    return parts.length > 1 ? [question, ...parts] : [question]
  })

const JOINS = /, (?:and|or) /
const LEAST_STEMS = 2 // what has fewer is the end of a list
