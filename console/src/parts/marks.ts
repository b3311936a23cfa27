// The places that an address marks in a document: `start` and `end` are lists of characters' positions.
type Range = { start: number; end: number }

export const marksIn = (ranges: Range[]): string =>
  `start=${ranges.map(({ start }) => start)}&end=${ranges.map(({ end }) => end)}`

// In their order, none over another, none beyond the text.
export function marksOf(search: URLSearchParams, length: number): Range[] {
  const list = (name: string) => (search.get(name) ?? '').split(',').map(Number)
  const ends = list('end')
  const sorted = list('start')
    .map((start, at) => ({ start, end: Math.min(ends[at] ?? 0, length) }))
    .sort((one, two) => one.start - two.start)
  const marks: Range[] = []
  for (const { start, end } of sorted) {
    const from = Math.max(start, marks.at(-1)?.end ?? 0)
    if (end > from) marks.push({ start: from, end })
  }
  return marks
}
