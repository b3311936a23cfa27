// Pages: articles without their menus, videos, people's profiles.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

// A recorded watch page, and recorded players' answers put into a page of their own.
export async function measureVideos(read: Reading, folder: string): Promise<Measured[]> {
  const details: string[] = []
  let right = 0
  const paths = filesIn(folder, 'youtube/transcript_api_assets', /\.(html|json)\.static$/)
  for (const path of paths) {
    const name = path.split('/').at(-1)!
    const recorded = readFileSync(path, 'utf8')
    const html = name.includes('.json')
      ? `<html><body><script>var ytInitialPlayerResponse = ${recorded};</script></body></html>`
      : recorded
    const url = 'https://www.youtube.com/watch?v=x'
    const { extracted, failure } = await read.content({
      bytes: Buffer.from(html),
      name: null,
      mediaType: 'text/html',
      url,
    })
    const found = extracted?.captions ? 'captions' : extracted?.kind === 'video' ? 'description' : 'nothing'
    const hasTracks = recorded.includes('"captionTracks"')
    const wanted = hasTracks ? ['captions'] : recorded.includes('"shortDescription"') ? ['description'] : ['nothing']
    if (wanted.includes(found)) right++
    else details.push(`${name}: ${found}, wanted ${wanted.join(' or ')} ${failure}`)
  }
  return [
    {
      set: 'youtube',
      what: `pages read as what they offer, of ${paths.length}`,
      aim: 'all',
      result: `${right}`,
      reached: right === paths.length,
      details,
    },
  ]
}

// Every text among a profile's recorded properties should be found in what was read of its page.
export async function measureProfiles(read: Reading, folder: string): Promise<Measured[]> {
  const cards: number[] = []
  const details: string[] = []
  for (const path of filesIn(folder, 'profile_microformats', /\.html$/)) {
    const recorded = path.replace(/\.html$/, '.json')
    if (!existsSync(recorded)) continue
    const wanted = strings(JSON.parse(readFileSync(recorded, 'utf8')).items)
    if (wanted.length === 0) continue
    const share = found(wanted, (await read.file(path)).extracted?.text ?? '')
    cards.push(share)
    if (share < 0.9) details.push(`${path.split('/').at(-1)}: ${share.toFixed(2)}`)
  }
  const people: number[] = []
  for (const line of readFileSync(join(folder, 'profile_schemaorg/person_examples.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)) {
    const example = JSON.parse(line) as { types: string; jsonld: string; html_microdata: string }
    const json = /<script[^>]*>([\s\S]*?)<\/script>/.exec(example.jsonld)?.[1]
    if (!json || JSON.parse(json)['@type'] !== 'Person') continue
    for (const markup of [example.jsonld, example.html_microdata].filter((text) => /itemprop|ld\+json/.test(text))) {
      const { extracted } = await read.content({
        bytes: Buffer.from(`<html><body>${markup}</body></html>`),
        name: null,
        mediaType: 'text/html',
      })
      const share = found(strings(JSON.parse(json)), extracted?.text ?? '')
      people.push(share)
      if (share < 0.9)
        details.push(
          `${example.types.slice(0, 60)} ${markup === example.jsonld ? 'JSON' : 'attributes'}: ${share.toFixed(2)}`,
        )
    }
  }
  return [
    {
      set: 'profile_microformats',
      what: `texts of cards and résumés found, ${cards.length} pages`,
      aim: '–',
      result: mean(cards).toFixed(3),
      reached: null,
      details,
    },
    {
      set: 'profile_schemaorg',
      what: `texts of people found, ${people.length} pages`,
      aim: '–',
      result: mean(people).toFixed(3),
      reached: null,
      details: [],
    },
  ]
}

// Texts only: types, keys, addresses of pictures and pages are not read aloud.
function strings(value: unknown, key = ''): string[] {
  if (typeof value === 'string')
    return /^(@type|@context|@id|type|html|lang|image|photo|logo|url|sameAs|value|uid|geo)$/.test(key) ||
      /^https?:|^\/|\.(jpe?g|png|gif)$/.test(value) ||
      !value.trim()
      ? []
      : [value]
  if (Array.isArray(value)) return value.flatMap((entry) => strings(entry, key))
  return value && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, inner]) => strings(inner, name))
    : []
}

function found(wanted: string[], text: string): number {
  const flat = (words: string) =>
    words
      .replace(/^mailto:/, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase()
  const whole = flat(text)
  return wanted.filter((words) => whole.includes(flat(words))).length / Math.max(1, wanted.length)
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
