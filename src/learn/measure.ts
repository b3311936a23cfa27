// How long a text is to a language model, estimated without one, and where a long text may be cut.

import { limits } from '../domain/limits.ts'

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
  const tokens = tokensIn(text.slice(start, end))
  if (tokens <= limits.memoryTokensMax) return [{ start, end, tokens }]
  const ranges: Range[] = []
  for (const sentence of sentences(text, start, end)) {
    const last = ranges.at(-1)
    if (last && last.tokens + sentence.tokens <= limits.memoryTokens) {
      last.end = sentence.end
      last.tokens += sentence.tokens
    } else if (sentence.tokens <= limits.memoryTokensMax) ranges.push(sentence)
    else ranges.push(...wordRuns(text, sentence))
  }
  return ranges
}

function sentences(text: string, start: number, end: number): Range[] {
  return cutAfter(text, start, end, /(?<=[.!?…]["'”’)\]]*)\s+(?=["'“‘(¿¡\p{Lu}\p{N}\p{Lo}])|(?<=[。！？｡])\s*|\n+/gu)
}

function wordRuns(text: string, range: Range): Range[] {
  const runs: Range[] = []
  for (const word of cutAfter(text, range.start, range.end, /\s+/g).flatMap((long) => slices(text, long))) {
    const last = runs.at(-1)
    if (last && last.tokens + word.tokens <= limits.memoryTokens) {
      last.end = word.end
      last.tokens += word.tokens
    } else runs.push(word)
  }
  return runs
}

// Text without any space, such as long Chinese lines or encoded data, is cut by length, never inside a character.
function slices(text: string, range: Range): Range[] {
  if (range.tokens <= limits.memoryTokensMax) return [range]
  const step = Math.max(1, Math.floor(((range.end - range.start) * limits.memoryTokens) / range.tokens))
  const ranges: Range[] = []
  for (let at = range.start; at < range.end; ) {
    let next = Math.min(range.end, at + step)
    if (next < range.end && /[\udc00-\udfff]/.test(text[next]!)) next++
    ranges.push({ start: at, end: next, tokens: tokensIn(text.slice(at, next)) })
    at = next
  }
  return ranges
}

function cutAfter(text: string, start: number, end: number, boundary: RegExp): Range[] {
  const ranges: Range[] = []
  const stretch = text.slice(start, end)
  let from = 0
  const push = (to: number, next: number) => {
    if (to > from) ranges.push({ start: start + from, end: start + to, tokens: tokensIn(stretch.slice(from, to)) })
    from = next
  }
  for (const found of stretch.matchAll(boundary)) push(found.index, found.index + found[0].length)
  push(stretch.length, stretch.length)
  return ranges
}
