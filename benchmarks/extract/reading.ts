// Reads files for the measurements, and compares texts.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Content, Extracted, Extractor } from '../../src/ports/extractor.ts'

export type Measured = {
  set: string
  what: string
  aim: string
  result: string
  reached: boolean | null
  details: string[]
}

export type Outcome = { extracted: Extracted | null; failure: string; ms: number }
export type Reading = {
  file(path: string): Promise<Outcome>
  content(content: Content): Promise<Outcome>
}

export function createReading(extractor: Extractor): Reading {
  async function content(given: Content): Promise<Outcome> {
    const started = performance.now()
    try {
      const extracted = await extractor.extract(given)
      return { extracted, failure: '', ms: performance.now() - started }
    } catch (error) {
      return { extracted: null, failure: (error as Error).message, ms: performance.now() - started }
    }
  }
  return {
    content,
    file: (path) => content({ bytes: readFileSync(path), name: basename(path), mediaType: null }),
  }
}

// Letters and digits in runs; single characters of languages without spaces. What nobody sees does not part a word: marks
// of no width, a soft hyphen between letters. A spacing accent, which NFKC turns into a mark, does not belong to the next.
export function tokens(text: string): string[] {
  return (
    text
      .replace(/[\u200b-\u200f\u2060\ufeff]|(?<=\p{L})\u00ad(?=\p{L})/gu, '')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\u0640/g, '')
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  )
}

// The share of the reference's tokens that are found, each as often as it occurs.
export function recall(reference: string[], found: string[]): number {
  if (reference.length === 0) return 1
  const counts = new Map<string, number>()
  for (const token of found) counts.set(token, (counts.get(token) ?? 0) + 1)
  let hits = 0
  for (const token of reference) {
    const left = counts.get(token) ?? 0
    if (left === 0) continue
    counts.set(token, left - 1)
    hits++
  }
  return hits / reference.length
}

export function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
}
