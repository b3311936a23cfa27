// CSV and TSV: a row a line, whatever sets the cells apart.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { charsetOf, decodeText } from '../encoding.ts'
import { progressed } from '../progress.ts'

const separators = [',', ';', '\t', '|']

export function readTable({ bytes, mediaType }: Content): Extracted {
  const text = decodeText(bytes, charsetOf(mediaType))
  const composer = createComposer()
  const separator = separatorOf(text) ?? ','
  for (const { cells, at } of rowsOf(text, separator)) {
    composer.row(cells)
    progressed(at / text.length)
  }
  return composer.finish('csv')
}

// The separator that divides the first lines most evenly; null where the text seems to be no table.
export function separatorOf(text: string): string | null {
  let best: { separator: string; score: number } | null = null
  for (const separator of separators) {
    const counts: number[] = []
    for (const { cells } of rowsOf(text.slice(0, 16_384), separator)) {
      if (cells.length > 1 || cells[0]?.trim()) counts.push(cells.length)
      if (counts.length >= 24) break
    }
    const usual = counts.toSorted((one, two) => one - two)[Math.floor(counts.length / 2)] ?? 0
    if (usual < 2 || counts.length < 2) continue
    const even = counts.filter((count) => count === usual).length / counts.length
    const score = even + Math.min(usual, 20) / 100
    if (even >= 0.5 && (!best || score > best.score)) best = { separator, score }
  }
  return best?.separator ?? null
}

// Whether text is a table at all: prose has commas too, but not the same number in every line, nor short cells.
export function looksLikeTable(text: string): boolean {
  const separator = separatorOf(text)
  if (!separator) return false
  const counts: number[] = []
  let letters = 0
  for (const { cells } of rowsOf(text.slice(0, 16_384), separator)) {
    if (cells.length === 1 && !cells[0]!.trim()) continue
    counts.push(cells.length)
    letters += cells.join('').length
    if (counts.length >= 24) break
  }
  const cells = counts.reduce((sum, count) => sum + count, 0)
  const same = counts.filter((count) => count === counts[0]).length
  return counts.length >= 3 && counts[0]! >= 2 && same / counts.length >= 0.9 && letters / cells < 40
}

function* rowsOf(text: string, separator: string): Generator<{ cells: string[]; at: number }> {
  let at = 0
  while (at < text.length) {
    const cells: string[] = []
    for (;;) {
      const cell = text[at] === '"' ? quoted(text, at, separator) : bare(text, at, separator)
      cells.push(cell.text)
      at = cell.end
      if (text[at] !== separator) break
      at++
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    yield { cells, at }
  }
}

function bare(text: string, start: number, separator: string): { text: string; end: number } {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { text: text.slice(start, end), end }
}

function quoted(text: string, start: number, separator: string): { text: string; end: number } {
  let value = ''
  let from = start + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0) return bare(text, start, separator) // an opening quote that never closes is a letter
    value += text.slice(from, end)
    if (text[end + 1] !== '"') {
      const rest = bare(text, end + 1, separator)
      return { text: value + rest.text, end: rest.end }
    }
    value += '"'
    from = end + 2
  }
}
