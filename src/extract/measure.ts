// How long a text is to a language model, estimated without one, and where a long text may be cut.

import { limits } from './limits.ts'

export type Range = { start: number; end: number; tokens: number }

// Words of the languages with spaces are about 1.3 tokens, long ones more; of those without, a character is about one.
export function tokensIn(text: string): number {
  let tokens = 0
  for (const [run] of text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{N}]+/gu,
  )) {
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(run))
      tokens += run.length
    else if (/^[\p{L}\p{M}]/u.test(run)) tokens += Math.max(1.2, run.length / 5)
    else tokens += Math.max(1, run.length / 3)
  }
  return Math.ceil(tokens)
}

// The ranges of a stretch of text that is too long to be one piece: cut between lines, sentences, words, in this order.
export function cutLong(text: string, start: number, end: number): Range[] {
  const stretch = text.slice(start, end)
  const tokens = tokensIn(stretch)
  const isShort = tokens <= limits.memoryTokensMax && stretch.length <= limits.memoryCharacters
  if (isShort && !hasLongBlank(stretch)) return [{ start, end, tokens }]
  const ranges: Range[] = []
  for (const sentence of cutAt(text, start, end, sentenceGaps)) {
    if (sentence.tokens <= limits.memoryTokensMax && lengthOf(sentence) <= limits.memoryCharacters)
      joinOrPush(ranges, sentence)
    else ranges.push(...wordRuns(text, sentence))
  }
  return ranges
}

// White space that nobody reads would make a memory of any length.
export const isLongBlank = (start: number, end: number): boolean => end - start > limits.blankCharacters

function hasLongBlank(text: string): boolean {
  for (const { 0: blank } of text.matchAll(/\s+/g)) if (isLongBlank(0, blank.length)) return true
  return false
}

const lengthOf = ({ start, end }: Range): number => end - start

// Joins a range to the last one while both fit in one piece.
function joinOrPush(ranges: Range[], next: Range): void {
  const last = ranges.at(-1)
  const fits =
    last &&
    last.tokens + next.tokens <= limits.memoryTokens &&
    next.end - last.start <= limits.memoryCharacters &&
    !isLongBlank(last.end, next.start)
  if (!fits) ranges.push(next)
  else {
    last.end = next.end
    last.tokens += next.tokens
  }
}

function wordRuns(text: string, range: Range): Range[] {
  const runs: Range[] = []
  for (const word of cutAt(text, range.start, range.end, wordGaps).flatMap((long) => slices(text, long)))
    joinOrPush(runs, word)
  return runs
}

// Text without any space, such as long Chinese lines or encoded data, is cut by length, never inside a character.
function slices(text: string, range: Range): Range[] {
  if (range.tokens <= limits.memoryTokensMax) return [range]
  const step = Math.max(1, Math.floor((lengthOf(range) * limits.memoryTokens) / range.tokens))
  const ranges: Range[] = []
  for (let at = range.start; at < range.end; ) {
    let next = Math.min(range.end, at + step)
    if (next < range.end && /[\udc00-\udfff]/.test(text[next]!)) next++
    ranges.push({ start: at, end: next, tokens: tokensIn(text.slice(at, next)) })
    at = next
  }
  return ranges
}

type Gap = { at: number; next: number }

function cutAt(text: string, start: number, end: number, gaps: (text: string) => Iterable<Gap>): Range[] {
  const ranges: Range[] = []
  const stretch = text.slice(start, end)
  let from = 0
  const push = (to: number, next: number) => {
    if (to > from) ranges.push({ start: start + from, end: start + to, tokens: tokensIn(stretch.slice(from, to)) })
    from = next
  }
  for (const { at, next } of gaps(stretch)) push(at, next)
  push(stretch.length, stretch.length)
  return ranges
}

function* wordGaps(text: string): Iterable<Gap> {
  for (const { 0: blank, index } of text.matchAll(/\s+/g)) yield { at: index, next: index + blank.length }
}

// One pass over the white space: a pattern that looks back from each place over closing marks takes their square.
function* sentenceGaps(text: string): Iterable<Gap> {
  for (const { 0: found, index } of text.matchAll(/[。！？｡]\s*|\s+/g)) {
    const next = index + found.length
    if ('。！？｡'.includes(found[0]!)) yield { at: index + 1, next }
    else if (
      found.includes('\n') ||
      isLongBlank(index, next) ||
      (endsSentence(text, index) && opensSentence(text, next))
    )
      yield { at: index, next }
  }
}

const CLOSING_MARKS = 8

function endsSentence(text: string, at: number): boolean {
  let last = at - 1
  for (let marks = 0; marks < CLOSING_MARKS && last >= 0 && `"'”’)]`.includes(text[last]!); marks++) last--
  return last >= 0 && '.!?…'.includes(text[last]!)
}

const opensSentence = (text: string, at: number): boolean => /^["'“‘(¿¡\p{Lu}\p{N}\p{Lo}]/u.test(text.slice(at, at + 2))
