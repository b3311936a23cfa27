// Pages: articles without their menus, videos, people's profiles.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Measured, mean, type Reading } from './reading.ts'

export async function measureArticles(read: Reading, folder: string): Promise<Measured[]> {
  const truth = JSON.parse(readFileSync(join(folder, 'html_aeb/ground-truth.json'), 'utf8')) as Record<
    string,
    { articleBody: string; url: string }
  >
  const scores: { precision: number; recall: number }[] = []
  const details: { f1: number; line: string }[] = []
  for (const [id, { articleBody, url }] of Object.entries(truth)) {
    const bytes = gunzipSync(readFileSync(join(folder, `html_aeb/html/${id}.html.gz`)))
    const { extracted, failure } = await read.content({ bytes, name: null, mediaType: 'text/html', url })
    const score = compare(shingles(articleBody), shingles(extracted?.text ?? ''))
    scores.push(score)
    const f1 = harmonic(score)
    if (f1 < 0.9)
      details.push({
        f1,
        line: `${id.slice(0, 12)} ${new URL(url).hostname}: precision ${score.precision.toFixed(2)}, recall ${score.recall.toFixed(2)} ${failure}`,
      })
  }
  const overall = {
    precision: mean(scores.map((score) => score.precision)),
    recall: mean(scores.map((score) => score.recall)),
  }
  return [
    {
      set: 'html_aeb',
      what: `F1 over 4-word shingles (precision ${overall.precision.toFixed(3)}, recall ${overall.recall.toFixed(3)})`,
      aim: '≥ 0.960',
      result: harmonic(overall).toFixed(3),
      reached: harmonic(overall) >= 0.96,
      details: details.sort((one, two) => one.f1 - two.f1).map(({ line }) => line),
    },
  ]
}

export async function measureVideos(_read: Reading, _folder: string): Promise<Measured[]> {
  return []
}

export async function measureProfiles(_read: Reading, _folder: string): Promise<Measured[]> {
  return []
}

type Counts = Map<string, number>

function shingles(text: string): Counts {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  const counts: Counts = new Map()
  const size = Math.min(4, Math.max(1, words.length))
  for (let at = 0; at + size <= words.length; at++) {
    const shingle = words.slice(at, at + size).join(' ')
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

// True and false positives as shares of each page's own shingles, so that a long page counts no more than a short one.
function compare(wanted: Counts, found: Counts): { precision: number; recall: number } {
  let [both, onlyFound, onlyWanted] = [0, 0, 0]
  for (const shingle of new Set([...wanted.keys(), ...found.keys()])) {
    const [one, two] = [wanted.get(shingle) ?? 0, found.get(shingle) ?? 0]
    both += Math.min(one, two)
    onlyFound += Math.max(0, two - one)
    onlyWanted += Math.max(0, one - two)
  }
  return {
    precision: both + onlyFound > 0 ? both / (both + onlyFound) : 1,
    recall: both + onlyWanted > 0 ? both / (both + onlyWanted) : 1,
  }
}

function harmonic({ precision, recall }: { precision: number; recall: number }): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
}

export function filesIn(folder: string, name: string, ending: RegExp): string[] {
  return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, name, path))
}
