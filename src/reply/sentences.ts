// A text in sentences, each where it stands.

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' })

// Trailing white space belongs to its sentence; a line end always ends one.
export function sentenceRanges(text: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n*/g)) {
    for (const { segment, index: within } of splitter.segment(line)) {
      if (segment.trim() !== '') ranges.push({ start: index + within, end: index + within + segment.length })
    }
  }
  return joined(text, ranges)
}

// "Dr. Ada" and "e.g. tea" are no ends: a sentence does not end after these, nor go on with a small letter.
const NO_END = /(?:^|[\s(])(?:(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|approx|e\.g|i\.e)\.|\p{Lu}\.)\s*$/u

function joined(text: string, ranges: { start: number; end: number }[]): { start: number; end: number }[] {
  const kept: { start: number; end: number }[] = []
  for (const range of ranges) {
    const last = kept.at(-1)
    const before = last && text.slice(last.start, last.end)
    if (before && !before.includes('\n') && (NO_END.test(before) || /^\p{Ll}/u.test(text.slice(range.start))))
      last.end = range.end
    else kept.push({ ...range })
  }
  return kept
}

export const sentencesIn = (text: string): string[] =>
  sentenceRanges(text).map(({ start, end }) => text.slice(start, end).trim())
