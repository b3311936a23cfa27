// The parts in which a reader is given a passage: a few sentences at a time, since in a long text much looks like an
// answer, and the rows of a table with the names of their columns.
import type { Passage, Reading } from '../domain/memory.ts'
import type { Range } from '../domain/reply.ts'
import { sentenceRanges } from '../language/language.ts'
import { limits } from './limits.ts'
import { isRow, rowsIn, sayRow } from './table.ts'

// A place of the passage, and what is read for it.
type Unit = Range & { said: string; isRow: boolean }
export type Part = { text: string; units: (Unit & { at: number })[] } // without units: the passage as it stands

// `headings`: of the memory that the passage is of.
export function partsOf({ text, own }: Passage, headings: string[]): Part[] {
  const rows = rowsIn(text, headings).filter(({ start }) => start >= own.start)
  if (rows.length === 0 && own.end - own.start <= limits.partWhole) return [{ text, units: [] }]
  const header = text.slice(0, own.start)
  const sentences = sentenceRanges(text)
    .filter(({ start }) => start >= own.start && !isRow(lineAt(text, start)))
    .map(({ start, end }) => ({ start, end, said: text.slice(start, end), isRow: false }))
  const said = rows.map((row) => ({ start: row.start, end: row.end, said: sayRow(row), isRow: true }))
  const units = [...sentences, ...said].sort((one, two) => one.start - two.start)
  return units.length === 0 ? [{ text, units: [] }] : group(units).map((some) => composePart(header, text, some))
}

function lineAt(text: string, place: number): string {
  const end = text.indexOf('\n', place)
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, end < 0 ? text.length : end)
}

// As many as fit, each part of prose beginning with the last sentence of the one before.
function group(units: Unit[]): Unit[][] {
  const groups: Unit[][] = []
  for (let first = 0; first < units.length; ) {
    let [last, length] = [first, units[first]!.said.length]
    while (last + 1 < units.length && length + units[last + 1]!.said.length < limits.partCharacters) {
      last++
      length += units[last]!.said.length + 1
    }
    groups.push(units.slice(first, last + 1))
    if (last + 1 === units.length) break
    first = last > first && !units[last]!.isRow ? last : last + 1
  }
  return groups
}

function composePart(header: string, text: string, units: Unit[]): Part {
  let said = header
  const placed = units.map((unit, number) => {
    const before = units[number - 1]
    if (before) said += text.slice(before.end, unit.start).includes('\n') ? '\n' : ' '
    const at = said.length
    said += unit.said
    return { ...unit, at }
  })
  return { text: said, units: placed }
}

// What was read in a part, as places of the passage. Of a row that is all of it; what lies in the header stays there.
export function inPassage(reading: Reading, { units }: Part): Reading {
  if (units.length === 0 || reading.end <= units[0]!.at) return reading
  const place = (at: number, isEnd: boolean) => {
    const unit = units.findLast((one) => (isEnd ? one.at < at : one.at <= at)) ?? units[0]!
    if (unit.isRow) return isEnd ? unit.end : unit.start
    return Math.min(unit.end, Math.max(unit.start, unit.start + at - unit.at))
  }
  return { ...reading, start: place(reading.start, false), end: place(reading.end, true) }
}
