// Rows of the tables in a text, each with the names of its columns.
import type { Range } from '../domain/reply.ts'

export type Row = Range & {
  table: number // of the text, from 0
  names: string[] // of the columns; none where nobody names them
  cells: string[]
}

export const isRow = (line: string): boolean => /^\s*\|/.test(line) || line.includes('\t')

// `headings`: of the memory. Where a table was cut in two, its later part has the names of its columns among them.
export function rowsIn(text: string, headings: string[]): Row[] {
  const columns = headings.findLast(isRow)
  return tablesIn(text).flatMap((lines, table) => {
    const isCut = columns !== undefined && lines[0]!.text !== columns
    const head = isCut ? columns : hasNames(lines) ? lines[0]!.text : undefined
    const names = head === undefined ? [] : cellsOf(head)
    return lines
      .filter((line) => line.text !== head && !RULE.test(line.text))
      .map(({ start, end, text: row }) => ({ start, end, table, names, cells: cellsOf(row) }))
      .filter(({ cells }) => names.length > 0 || cells.filter(Boolean).length > 1)
  })
}

// As a reader is shown it: "Item: tea; Price: 2".
export const sayRow = ({ names, cells }: Pick<Row, 'names' | 'cells'>): string =>
  filledOf(cells)
    .map(({ text, at }) => (names[at] ? `${names[at]}: ${text}` : text))
    .join('; ')

// As somebody is told it: "Tea: price 2".
export function tellRow({ names, cells }: Pick<Row, 'names' | 'cells'>): string {
  const [first, ...others] = filledOf(cells)
  if (!first || first.at > 0 || others.length === 0 || names.length === 0) return sayRow({ names, cells })
  const told = others.map(({ text, at }) => (isNamed(names[at]) ? `${beginLower(names[at]!)} ${text}` : text))
  // "Day 6", but "Key".
  const lead = names[0] && /^[\d.]+$/.test(first.text) ? `${names[0]} ${first.text}` : first.text
  return `${lead}: ${told.join(told.some((one) => one.includes(',')) ? '; ' : ', ')}`
}

const filledOf = (cells: string[]): { text: string; at: number }[] =>
  cells.map((cell, at) => ({ text: cell.replace(/\.$/, ''), at })).filter(({ text }) => text !== '')

// "Notes: back in May" says no more than "back in May".
const isNamed = (name = ''): boolean =>
  name !== '' &&
  name.split(' ').length <= NAMING_WORDS &&
  !/^(?:meaning|description|notes?|remarks?|details|comments?)$/i.test(name)

const NAMING_WORDS = 4 // more explain

// "Price", but not "KV 20".
const beginLower = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name

type Line = Range & { text: string }

// Neighbouring rows; a blank line between them does not end a table.
function tablesIn(text: string): Line[][] {
  const tables: Line[][] = []
  let [start, isOpen] = [0, false]
  for (const line of text.split('\n')) {
    if (isRow(line)) {
      if (!isOpen) tables.push([])
      tables.at(-1)!.push({ start, end: start + line.length, text: line })
      isOpen = true
    } else if (line.trim() !== '') isOpen = false
    start += line.length + 1
  }
  return tables
}

const RULE = /^[\s|:-]*-[\s|:-]*$/ // between the names of the columns and the first row

// A table of Markdown has a rule below its names; one of cells set apart by tabs begins with them.
const hasNames = ([first, second]: Line[]): boolean =>
  first !== undefined && (first.text.includes('\t') || (second !== undefined && RULE.test(second.text)))

const cellsOf = (row: string): string[] =>
  (row.includes('\t') ? row.split('\t') : row.replace(/^\s*\||(?<!\\)\|\s*$/g, '').split(/(?<!\\)\|/)).map((cell) =>
    cell.trim(),
  )
