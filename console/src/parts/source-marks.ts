// Numbers of sources in a text, carried through markdown as characters that no text of ours holds.
import type { Mark } from './turn.ts'

export type Cited = { memoryId: string; title: string }

const OPEN = '\uE000'
const CLOSE = '\uE001'
const MARK = /\uE000(\d+)\uE001/

export const withoutMarks = (text: string): string => text.replaceAll(/\uE000\d*\uE001|[\uE000\uE001]/g, '')

// Each memory has one number, in the order in which the text cites them.
export function cite(text: string, marks: Mark[]): { text: string; cited: Cited[] } {
  const cited: Cited[] = []
  let marked = ''
  let from = 0
  for (const { at, memory_id, title } of marks.toSorted((one, two) => one.at - two.at)) {
    let number = cited.findIndex((one) => one.memoryId === memory_id) + 1
    if (number === 0) number = cited.push({ memoryId: memory_id, title })
    const mark = `${OPEN}${number}${CLOSE}`
    const piece = text.slice(from, at)
    if (piece === '' && marked.endsWith(mark)) continue
    marked += piece + mark
    from = Math.max(from, at)
  }
  return { text: marked + text.slice(from), cited }
}

export const splitAtMarks = (text: string): (string | number)[] =>
  text
    .split(MARK)
    .map((part, at) => (at % 2 === 1 ? Number(part) : part))
    .filter((part) => part !== '')
