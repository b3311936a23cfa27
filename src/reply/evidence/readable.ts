// What can be read by itself near a quote: a sentence, or a row of a table with the names of its columns. Never a bare
// cell, a heading, or code.
import type { Range } from '../../domain/reply.ts'
import { sentenceRanges } from '../../language/language.ts'
import { isRow, rowsIn, tellRow } from '../../recall/table.ts'
import { limits } from '../limits.ts'
import type { Quote } from './evidence.ts'

// The quote moved to what is readable; `row` says it where that is a row.
export type Readable<Place extends Quote = Quote> = { quote: Place; row?: string }

export function readable<Place extends Quote>(quote: Place): Readable<Place> | undefined {
  const { passage, sentence, answer, source } = quote
  const { headings } = source.memory.place
  const lines = linesOf(passage.text, headings)
  const kindAt = (at: number) => lines.findLast((line) => line.start <= at)?.kind
  const moved = (to: Range | undefined): Readable<Place> | undefined =>
    to && { quote: { ...quote, sentence: to, answer: to } }
  const kind = kindAt(answer.start)
  const touched = lines.filter((line) => line.start < sentence.end && line.end > sentence.start)
  if (touched.every((line) => line.kind === 'prose' || line.kind === 'blank')) return { quote }
  const row = kind === 'row' ? rowAt(passage.text, headings, answer.start) : undefined
  if (row) return { ...moved(row.line)!, row: row.text }

  const prose = sentenceRanges(passage.text).filter(
    ({ start, end }) =>
      start >= passage.own.start && kindAt(start) === 'prose' && saysEnough(passage.text.slice(start, end)),
  )
  const here = prose.find(({ start, end }) => start <= answer.start && answer.start < end)
  const before = prose.findLast(({ end }) => end <= answer.start)
  const after = prose.find(({ start }) => start > answer.start)
  // Code is introduced by what stands before it; a heading announces what follows.
  return moved(here ?? (kind === 'code' ? (before ?? after) : (after ?? before)))
}

export type Line = Range & { text: string; kind: 'prose' | 'heading' | 'row' | 'code' | 'blank' }

const FENCE = /^\s*(?:```|~~~)/
const UNDERLINE = /^\s*(?:=+|-+)\s*$/

export function linesOf(passage: string, headings: string[]): Line[] {
  let [start, isCode] = [0, false]
  return passage.split('\n').map((text): Line => {
    const line = { start, end: start + text.length, text }
    start = line.end + 1
    const isFence = FENCE.test(text)
    if (isFence) isCode = !isCode
    if (isFence || isCode) return { ...line, kind: 'code' }
    if (text.trim() === '') return { ...line, kind: 'blank' }
    if (isRow(text)) return { ...line, kind: 'row' }
    const isHeading = /^\s*#{1,6}\s/.test(text) || UNDERLINE.test(text) || headings.includes(text.trim())
    return { ...line, kind: isHeading ? 'heading' : 'prose' }
  })
}

// What leads up to something else, or asks, says nothing alone.
const saysEnough = (sentence: string): boolean => !/[:?]$/.test(sentence) && sentence.split(/\s+/).length >= LEAST_WORDS
const LEAST_WORDS = 3

// The row at a place, or, at the names of the columns, the first one.
function rowAt(passage: string, headings: string[], place: number): { line: Range; text: string } | undefined {
  const rows = rowsIn(passage, headings)
  const row = rows.find(({ end }) => end > place) ?? rows.at(-1)
  if (!row) return undefined
  const words = tellRow(row).split(/\s+/)
  const text = words.length > limits.replyWords ? `${words.slice(0, limits.replyWords).join(' ')} …` : words.join(' ')
  return { line: { start: row.start, end: row.end }, text }
}
