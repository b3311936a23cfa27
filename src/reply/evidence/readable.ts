// What can be read by itself near a quote: a sentence, or a row of a table with the names of its columns. Never a bare
// cell, a heading, or code.
import type { Range } from '../../domain/reply.ts'
import { sentenceRanges } from '../../language/language.ts'
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
  const row = kind === 'row' ? rowAt(lines, answer.start, columnsIn(headings)) : undefined
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

type Line = Range & { text: string; kind: 'prose' | 'heading' | 'row' | 'code' | 'blank' }

const FENCE = /^\s*(?:```|~~~)/
const UNDERLINE = /^\s*(?:=+|-+)\s*$/
const isRow = (text: string): boolean => /^\s*\|/.test(text) || text.includes('\t')

function linesOf(passage: string, headings: string[]): Line[] {
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

// Where a table was cut in two, its later part knows the names of its columns as a heading.
const columnsIn = (headings: string[]): string | undefined => headings.findLast(isRow)

const RULE = /^[\s|:-]*-[\s|:-]*$/ // between the names of the columns and the first row

// The row at a place, or, at the names of the columns, the first one.
function rowAt(lines: Line[], place: number, columns: string | undefined): { line: Line; text: string } | undefined {
  const at = lines.findLastIndex((line) => line.start <= place)
  const isOther = (line: Line) => line.kind !== 'row' && line.kind !== 'blank'
  const from = lines.findLastIndex((line, index) => index < at && isOther(line)) + 1
  const to = lines.findIndex((line, index) => index > at && isOther(line))
  const table = lines.slice(from, to < 0 ? lines.length : to).filter((line) => line.kind === 'row')
  const isNamed = columns !== undefined && table[0]?.text !== columns
  const names = isNamed ? columns : hasNames(table) ? table[0]!.text : undefined
  const rows = table.filter(({ text }) => text !== names && !RULE.test(text))
  const line = rows.find((row) => row.end > place) ?? rows.at(-1)
  const text = line && formatRow(cellsOf(line.text), names === undefined ? [] : cellsOf(names))
  return line && text ? { line, text } : undefined
}

// A table of Markdown has a rule below its names; one of cells set apart by tabs begins with them.
const hasNames = ([first, second]: Line[]): boolean =>
  first !== undefined && (first.text.includes('\t') || (second !== undefined && RULE.test(second.text)))

const cellsOf = (row: string): string[] =>
  (row.includes('\t') ? row.split('\t') : row.replace(/^\s*\||(?<!\\)\|\s*$/g, '').split(/(?<!\\)\|/)).map((cell) =>
    cell.trim(),
  )

function formatRow(cells: string[], names: string[]): string | undefined {
  const named = cells.flatMap((cell, at) => {
    const text = cell.replace(/\.$/, '')
    return text === '' ? [] : [names[at] ? `${names[at]}: ${text}` : text]
  })
  if (named.length < 2 && names.length === 0) return undefined
  const words = named.join('; ').split(/\s+/)
  return words.length > limits.replyWords ? `${words.slice(0, limits.replyWords).join(' ')} …` : words.join(' ')
}
