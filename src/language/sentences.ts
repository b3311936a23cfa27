// Sentences of a passage, as character ranges.
import type { Range } from '../domain/reply.ts'

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' })
// A full stop after these ends no sentence.
const ABBREVIATION = new RegExp(
  '(?:^|[\\s(])(?:\\p{Lu}|[A-Z]\\.[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|approx|ca|c|e\\.g|i\\.e|cf|' +
    'Fig|Gen|Col|Lt|Rev|Inc|Ltd|Co)\\.\\s*$',
  'u',
)

const WRAPPED = 50 // characters: a shorter line was ended on purpose
const BEGINS_ANEW = /^\s*(?:$|[-*•#|>]|\d+[.)]\s|\p{Lu}[\p{L}.'’ -]{0,40}:\s)/u

// Lines, but for those that only a narrow page broke.
function* linesOf(text: string): Generator<{ line: string; at: number }> {
  let from = 0
  for (const { index } of [...text.matchAll(/\n|$/g)]) {
    const line = text.slice(from, index)
    const last = line.slice(line.lastIndexOf('\n') + 1)
    const isWrap = last.length >= WRAPPED && !/^\s*#/.test(last) && !BEGINS_ANEW.test(nextLine(text, index))
    if (isWrap && index < text.length) continue
    if (line.trim() !== '') yield { line, at: from }
    from = index + 1
  }
}

const nextLine = (text: string, end: number): string => /^\n?([^\n]*)/.exec(text.slice(end))![1]!

export function sentenceRanges(text: string): Range[] {
  const ranges: Range[] = []
  for (const { line, at } of linesOf(text)) {
    let joins = false
    for (const { segment, index } of splitter.segment(line.replaceAll('\n', ' '))) {
      const start = at + index
      const end = start + segment.trimEnd().length
      if (end === start) continue
      if (joins) ranges.at(-1)!.end = end
      else ranges.push({ start: start + segment.length - segment.trimStart().length, end })
      const isPath = line[index + segment.length] === '/' // "../CHANGELOG.md"
      joins = isPath || ABBREVIATION.test(segment)
    }
  }
  return ranges
}

export const sentences = (text: string): string[] =>
  sentenceRanges(text).map(({ start, end }) => text.slice(start, end))

// The sentence that holds a range, or the sentences where it runs over several.
export function sentenceAround(text: string, { start, end }: Range): Range {
  const held = sentenceRanges(text).filter((one) => one.start < Math.max(end, start + 1) && one.end > start)
  return held.length === 0 ? { start, end } : { start: held[0]!.start, end: held.at(-1)!.end }
}

const QUESTION_WORD = new RegExp(
  '^(?:(?:and|but|so|or|hey|wow|well|oh|yeah|cool|nice|great|thanks)[\\s,!]+)*' +
    '(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|am|do|does|did|has|have|had|can|could|will|' +
    'would|should|may|any|got|anything|ever)\\b',
  'i',
)

// "…, can you help me with X?": from here on nothing is stated, however long it goes on.
const REQUEST = new RegExp(
  '(?:^|[,;:.!–—]\\s+|\\b(?:and|but|so|or)\\s+)(?:please\\s+)?' +
    '(?:can|could|would|will|do|did|does|have|are|is|should|shall) (?:you|we|i|it|there)\\b',
  'gi',
)

// Whether what stands at the answer is asked rather than stated: "I sold my car, do you want one?" states the sale.
export function isAsked(text: string, whole: Range, answer: Range): boolean {
  const said = text.slice(whole.start, whole.end)
  if (!said.endsWith('?')) return false
  const lead = said.slice(0, Math.max(answer.start - whole.start, 0))
  const from = lead.search(/[^.!?]*$/)
  const request = [...said.slice(from).matchAll(REQUEST)][0]
  if (request && from + request.index <= lead.length) return true
  const clause = said.slice(Math.max(0, lead.search(/[^,;:.!–—]*$/)))
  return QUESTION_WORD.test(clause.replace(/^[\s#>*-]+/, ''))
}

// Also of its second sentence: "## I lost the key. What now?"
const isHeading = (text: string, { start }: Range): boolean =>
  /^#{1,6}\s/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1))
const TITLE_WORDS = 10

// A short line without an end, above sentences: it names what follows, as a heading does that nothing marks.
export function isTitle(text: string, { start, end }: Range): boolean {
  const [, gap = '', below = ''] = /^(\s*\n\s*)([^\n]+)/.exec(text.slice(end)) ?? []
  const isLine = gap !== '' && /(?:^|\n)[^\S\n]*$/.test(text.slice(0, start))
  if (!isLine || !/^[^-*•|>\d].*[^.!?:;,…|]$/.test(text.slice(start, end))) return false
  if (wordsIn(text, start, end) > TITLE_WORDS) return false
  const next = { start: end + gap.length, end: end + gap.length + below.trimEnd().length }
  return /[.!?…]["”'’)\]]*$/.test(below.trimEnd()) || isTitle(text, next)
}

// A heading, or a question on a line of its own, is answered by what follows it; so is a title that says no more.
export function findAnswerBelow(text: string, whole: Range, answer: Range, namesIt = false): Range | null {
  const endsLine = /^\s*\n/.test(text.slice(whole.end))
  if (!namesIt && !isHeading(text, whole) && !(endsLine && isAsked(text, whole, answer))) return null
  const isStatement = (one: Range) =>
    one.start >= whole.end && !isHeading(text, one) && !(namesIt && isTitle(text, one))
  return sentenceRanges(text).find(isStatement) ?? null
}

const LEAST_WORDS = 3

// "Yes." or "Thanks!" is quoted with what is said right after it.
export function withNext(text: string, whole: Range): Range {
  if (wordsIn(text, whole.start, whole.end) >= LEAST_WORDS) return whole
  const next = sentenceRanges(text).find(({ start }) => start >= whole.end)
  return next && !text.slice(whole.end, next.start).includes('\n') ? { start: whole.start, end: next.end } : whole
}

const wordsIn = (text: string, from: number, to: number): number =>
  text.slice(from, to).split(/\s+/).filter(Boolean).length

// A long sentence is cut to what stands around its answer, at the marks where a speaker would pause.
export function shorten(text: string, whole: Range, answer: Range, words: number): string {
  const count = (from: number, to: number) => wordsIn(text, from, to)
  if (count(whole.start, whole.end) <= words) return text.slice(whole.start, whole.end)
  let { start, end } = { start: Math.max(answer.start, whole.start), end: Math.min(answer.end, whole.end) }
  const pauses = [
    ...text.slice(whole.start, whole.end).matchAll(/[,;:–—]\s+|\s+(?=(?:and|but|which|who|while|because|although)\s)/g),
  ]
  const before = [whole.start, ...pauses.map((pause) => whole.start + pause.index + pause[0].length)]
  const after = [...pauses.map((pause) => whole.start + pause.index), whole.end]
  // To the end of its clause; then outwards, first to what leads up to it: there stands what it is the answer to.
  const clause = after.find((at) => at >= end)
  if (clause !== undefined && count(start, clause) <= words) end = clause
  for (const from of before.filter((at) => at <= start).reverse()) if (count(from, end) <= words) start = from
  for (const to of after.filter((at) => at >= end)) if (count(start, to) <= words) end = to
  // Where it pauses too late, it is broken off.
  if (count(start, end) < words / 2)
    end =
      start +
      new RegExp(`^\\s*\\S+(?:\\s+\\S+){0,${Math.floor(words) - 1}}`).exec(text.slice(start, whole.end))![0].length
  const cut = text.slice(start, end).trim()
  return `${start > whole.start ? '… ' : ''}${cut}${end < whole.end ? ' …' : ''}`
}
