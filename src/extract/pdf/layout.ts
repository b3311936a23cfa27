// The order in which a person reads a page: columns one after another, full-width lines between them in their place.

import type { Line } from './lines.ts'

const deepest = 12

export function linesInOrder(lines: Line[]): Line[] {
  return arrange(lines, 0)
}

function arrange(lines: Line[], depth: number): Line[] {
  if (lines.length < 2) return lines
  if (depth > deepest) return fromTop(lines)
  const gutter = findGutter(lines)
  if (gutter !== null) return splitAt(lines, gutter).flatMap((part) => arrange(part, depth + 1))
  const bands = splitBands(lines)
  return bands ? bands.flatMap((band) => arrange(band, depth + 1)) : fromTop(lines)
}

// Lines across the gutter keep their height; between two of them the left column is read before the right.
function splitAt(lines: Line[], gutter: number): Line[][] {
  const rightFirst = lines.filter((line) => line.rightToLeft).length > lines.length / 2
  const parts: Line[][] = []
  let sides: [Line[], Line[]] = [[], []]
  const close = () => {
    parts.push(...(rightFirst ? sides.toReversed() : sides).filter((side) => side.length > 0))
    sides = [[], []]
  }
  for (const line of lines.toSorted((one, two) => two.bottom - one.bottom)) {
    if (crosses(line, gutter)) {
      close()
      const last = parts.at(-1)
      if (last?.every((other) => crosses(other, gutter))) last.push(line)
      else parts.push([line])
    } else sides[line.left < gutter ? 0 : 1].push(line)
  }
  close()
  return parts
}

// An upright strip that few lines cross, with running text on both sides: a table's columns are not read one by one.
function findGutter(lines: Line[]): number | null {
  if (lines.length < 6) return null
  const left = Math.min(...lines.map((line) => line.left))
  const right = Math.max(...lines.map((line) => line.right))
  const step = Math.max((right - left) / 200, 0.5)
  let best: { at: number; crossing: number; width: number } | null = null
  for (let at = left + (right - left) * 0.15; at < left + (right - left) * 0.85; at += step) {
    let crossing = 0
    let [from, to] = [left, right]
    for (const line of lines) {
      if (crosses(line, at)) crossing++
      else if (line.left < at) from = Math.max(from, line.right)
      else to = Math.min(to, line.left)
    }
    const width = to - from
    if (crossing > lines.length * 0.25) continue
    if (!best || crossing < best.crossing || (crossing === best.crossing && width > best.width))
      best = { at, crossing, width }
  }
  if (!best || best.width < median(lines.map((line) => line.size)) * 0.5) return null
  const { at } = best
  const within = lines.filter((line) => !crosses(line, at))
  return [within.filter((line) => line.left < at), within.filter((line) => line.left >= at)].every(isRunningText)
    ? at
    : null
}

function crosses(line: Line, at: number): boolean {
  return line.left < at && line.right > at
}

function isRunningText(lines: Line[]): boolean {
  const letters = lines.reduce((sum, line) => sum + line.text.length, 0)
  return lines.length >= 3 && letters / lines.length >= 16
}

// Cuts where a full-width line or a blank stretch parts the page, at the widest blank.
function splitBands(lines: Line[]): Line[][] | null {
  const gap = widestGap(lines.map((line) => [line.bottom - line.size * 0.25, line.bottom + line.size * 0.8]))
  if (!gap || gap.width <= 0) return null
  const above = lines.filter((line) => line.bottom >= gap.middle)
  const below = lines.filter((line) => line.bottom < gap.middle)
  return above.length > 0 && below.length > 0 ? [above, below] : null
}

function widestGap(spans: number[][]): { middle: number; width: number } | null {
  const sorted = spans.toSorted((one, two) => one[0]! - two[0]!)
  let end = sorted[0]![1]!
  let best: { middle: number; width: number } | null = null
  for (const [start, stop] of sorted as [number, number][]) {
    const width = start - end
    if (width > 0 && (!best || width > best.width)) best = { middle: end + width / 2, width }
    end = Math.max(end, stop)
  }
  return best
}

function fromTop(lines: Line[]): Line[] {
  const byTop = lines.toSorted((one, two) => two.bottom - one.bottom)
  // Lines whose baselines hardly differ are one row: cells from their reading side.
  const rows: Line[][] = []
  for (const line of byTop) {
    const row = rows.at(-1)
    if (row && Math.abs(row[0]!.bottom - line.bottom) < Math.max(row[0]!.size, line.size) * 0.4) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => {
    if (row.length === 1) return row
    const rightToLeft = row.filter((line) => line.rightToLeft).length > row.length / 2
    const cells = row.toSorted((one, two) => (rightToLeft ? two.right - one.right : one.left - two.left))
    return [joinCells(cells, rightToLeft)]
  })
}

function joinCells(cells: Line[], rightToLeft: boolean): Line {
  const main = cells.reduce((best, cell) => (cell.text.length > best.text.length ? cell : best))
  return {
    ...main,
    text: isJustified(cells)
      ? cells.map((cell) => cell.text).join(' ')
      : cells.map((cell, at) => (at > 0 ? between(cells[at - 1]!, cell, cells.length) : '') + cell.text).join(''),
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
    mixed: cells.some((cell) => cell.mixed || cell.font !== main.font),
    rightToLeft,
  }
}

// Words drawn out to fill a narrow column stand evenly apart; the cells of a row do not.
function isJustified(cells: Line[]): boolean {
  const gaps = cells.slice(1).map((cell, at) => Math.max(cell.left - cells[at]!.right, cells[at]!.left - cell.right))
  return cells.length > 2 && Math.max(...gaps) < cells[0]!.size * 3 && Math.max(...gaps) < Math.min(...gaps) * 1.5
}

// Two stretches a little apart are one line; more of them, or far apart, are a row.
function between(previous: Line, cell: Line, count: number): string {
  const gap = Math.max(cell.left - previous.right, previous.left - cell.right)
  return count === 2 && gap < Math.max(previous.size, cell.size) * 2 ? ' ' : '\t'
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? 0
}
