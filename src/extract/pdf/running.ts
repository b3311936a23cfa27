// What runs over the pages of a PDF: heads and feet, which are read once, and the numbers of pages, which are not read.

import { pageBadge } from '../page-badge.ts'
import type { Line, Page } from './lines.ts'

const EDGE = 30 // points from the first or last line of a page

// Says whether a line is to be passed over; asked line by line, in order.
export function createRunning(pages: Page[]): (line: Line, page: Page) => boolean {
  const filled = pages.filter((page) => page.lines.length > 3)
  const edges = new Map(filled.map((page) => [page, edgesOf(page)]))
  const running = runningKeys(edges)
  const counting = countingOffsets(edges)
  const seen = new Set<string>()
  return (line, page) => {
    if (!edges.get(page)?.has(line)) return false
    const badge = pageBadge(line.text)
    if (badge && (badge.isSure || counting.has(badge.number - page.number))) return true
    const key = runningKey(line, page.number)
    if (!running.has(key)) return false
    const isSecond = seen.has(key)
    seen.add(key)
    return isSecond
  }
}

function edgesOf({ lines }: Page): Set<Line> {
  const heights = lines.map((line) => line.bottom)
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)]
  return new Set(lines.filter((line) => line.bottom >= top - EDGE || line.bottom <= bottom + EDGE))
}

type Edges = Map<Page, Set<Line>>

// Lines at the same height on many pages that differ in nothing but the page's number.
function runningKeys(edges: Edges): Set<string> {
  const keys = [...edges].flatMap(([page, lines]) => [
    ...new Set([...lines].map((line) => runningKey(line, page.number))),
  ])
  return often(keys, edges.size)
}

// By how much the numbers at the edges differ from those of their pages.
function countingOffsets(edges: Edges): Set<number> {
  const offsets = [...edges].flatMap(([page, lines]) => {
    const badges = [...lines].map((line) => pageBadge(line.text)).filter((badge) => badge !== null)
    return [...new Set(badges.map(({ number }) => number - page.number))]
  })
  return often(offsets, edges.size)
}

function often<Key>(keys: Key[], pages: number): Set<Key> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= Math.max(3, pages * 0.3)).map(([key]) => key))
}

// A number at either end that counts with the pages does not make a line another one, nor does one before "of 10".
function runningKey(line: Line, page: number): string {
  const text = line.text
    .slice(0, 160)
    .replace(
      /\b(\d{1,4})(?= ?(?:of|von|de|di|sur|\/) ?\d{1,4}$)|^\d{1,4}\b|\b\d{1,4}$/g,
      (number, _counted, at, whole) => (isTotal(whole, at) ? number : `#${Number(number) - page}`),
    )
  return `${Math.round(line.bottom / 6)}:${text}`
}

const isTotal = (text: string, at: number): boolean =>
  /\d ?(?:of|von|de|di|sur|\/) ?$/.test(text.slice(Math.max(0, at - 8), at))
