// "How do I reset the router?" where a section under that heading lists the steps: all of them are told, and what it
// says before them, not the one sentence that is most like an answer.
import type { Range } from '../../domain/reply.ts'
import { endSentence, type MessageKind, sentenceRanges, stems } from '../../language/language.ts'
import { isDated } from '../evidence/dated.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { type Line, linesOf } from '../evidence/readable.ts'
import { limits } from '../limits.ts'

const ASKS_FOR_STEPS: ReadonlySet<MessageKind> = new Set(['howto', 'advice', 'list'])
const ITEM = /^[ \t]{0,8}(?:\d{1,2}[.)]|[-*•–]) +\S/
const FEWEST = 2
const MOST_OF_WHAT_IS_ASKED = 0.5

type Asked = { kind: MessageKind; question: string }

// Null where the question is not for what the section is about, or where the section has no list and is long.
export function stepsAround({ kind, question }: Asked, { source, passage, answer }: Evidence): Range | null {
  if (isDated(source) || !ASKS_FOR_STEPS.has(kind)) return null
  const { headings } = source.memory.place
  const lines = linesOf(passage.text, headings).filter(({ end }) => end > passage.own.start)
  const here = lines.findLastIndex(({ start }) => start <= answer.start)
  const top = lines.findLastIndex(({ kind }, at) => at <= here && kind === 'heading')
  const next = lines.findIndex(({ kind }, at) => at > here && kind === 'heading')
  const section = lines.slice(top + 1, next < 0 ? undefined : next)
  const heading = lines[top]?.text ?? headings.at(-1) ?? ''
  if (!asksFor(question, `${heading} ${source.title}`)) return null
  const first = section.findIndex(({ text }) => ITEM.test(text))
  if (first < 0) return kind === 'howto' ? allOf(section) : null
  const items = section.slice(first, endOfList(section, first)).filter(isWritten)
  if (items.filter(({ text }) => ITEM.test(text)).length < FEWEST) return null
  // Asked for a list, what is said beside one is another matter.
  if (kind === 'list' && answer.start < items[0]!.start) return null
  const before = section.slice(0, first).filter(isWritten)
  const told = countWords(before.map(({ text }) => text)) > limits.replyBreath ? items : [...before, ...items]
  return { start: told[0]!.start, end: told.at(-1)!.end }
}

// Each whole; where that is too long, the first sentence of each, and of those as many as fit.
export function sayLines(text: string): string {
  const lines = unwrapped(text.split('\n').flatMap((line) => line.trim() || []))
  const told = countWords(lines) > limits.stepsWords ? lines.map(firstSentence) : lines
  const fitting = told.filter((_, at) => at === 0 || countWords(told.slice(0, at + 1)) <= limits.stepsWords)
  return [...fitting, ...(fitting.length < told.length ? ['…'] : [])].join('\n')
}

const WRAPPED = 60 // characters: shorter lines are broken on purpose

// As written, without the line breaks of a page: a long line that ends within a sentence goes on in the next.
function unwrapped(lines: string[]): string[] {
  const told: string[] = []
  for (const line of lines) {
    const last = told.at(-1) ?? ''
    const goesOn = last.length >= WRAPPED && endSentence(last) !== last && !ITEM.test(line)
    if (goesOn) told[told.length - 1] = `${last} ${line}`
    else told.push(line)
  }
  return told
}

function firstSentence(line: string): string {
  const [mark = ''] = /^(?:\d{1,2}[.)]|[-*•–]) +/.exec(line) ?? []
  const [first] = sentenceRanges(line.slice(mark.length))
  return first ? mark + line.slice(mark.length).slice(first.start, first.end) : line
}

const isWritten = ({ kind }: Line): boolean => kind !== 'blank'

// A recipe in prose, where it is short.
function allOf(section: Line[]): Range | null {
  const told = section.filter(isWritten)
  const isShort = told.length > 0 && countWords(told.map(({ text }) => text)) <= limits.topicWords
  return isShort && !told.some(({ kind }) => kind === 'row') ? { start: told[0]!.start, end: told.at(-1)!.end } : null
}

const OF_ANY_HOWTO = stems('make get work way step steps')

function asksFor(question: string, title: string): boolean {
  const asked = stems(question).difference(OF_ANY_HOWTO)
  return asked.intersection(stems(title)).size > MOST_OF_WHAT_IS_ASKED * asked.size
}

// Blank lines and what is indented go on with the list.
function endOfList(lines: Line[], first: number): number {
  const after = lines.findIndex(({ text }, at) => at > first && !ITEM.test(text) && /^\S/.test(text))
  return after < 0 ? lines.length : after
}

const countWords = (lines: string[]): number => lines.reduce((sum, line) => sum + line.split(/\s+/).length, 0)
