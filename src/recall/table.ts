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

// "Item: tea; Price: 2".
export const sayRow = ({ names, cells }: Row): string =>
  cells
    .flatMap((cell, at) => {
      const text = cell.replace(/\.$/, '')
      return text === '' ? [] : [names[at] ? `${names[at]}: ${text}` : text]
    })
    .join('; ')

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
