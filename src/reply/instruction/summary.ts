// A text in its key sentences: those that stand in the middle of what it says, each saying something else, in their
// order.
import { type Length, leansBack, sentences, shareHeld, stems } from '../../language/language.ts'
import type { Embedder } from '../../ports/models.ts'
import { limits } from '../limits.ts'

export type SummaryNeeds = { embedder: Embedder; onTrouble?: ((error: unknown) => void) | undefined }

export async function keySentences(needs: SummaryNeeds, text: string, length: Length = {}): Promise<string[]> {
  const candidates = chooseCandidates(await sentencesOf(proseOf(text.slice(0, limits.summaryCharacters))))
  if (candidates.length === 0) return []
  const vectors = await embedAll(needs, candidates)
  const scores = scoreAll(candidates, vectors)
  return choose(candidates, scores, vectors, enough(candidates, length))
}

// What is written in whole sentences: no headings, tables or code, no bullets, and lines joined that were only broken
// to fit a page.
function proseOf(text: string): string[] {
  const lines: { parts: string[]; length: number }[] = []
  const add = (line: string) => lines.push({ parts: [line], length: line.length })
  let isCode = false
  for (const line of text.split('\n')) {
    const above = lines.at(-1)
    if (/^\s*```/.test(line)) isCode = !isCode
    else if (isCode || /^\s*(?:#{1,6}\s|\||>\s)/.test(line)) add('')
    else if (above && /^\p{L}/u.test(line.trim()) && isBroken(above)) {
      above.parts.push(line.trim())
      above.length += 1 + line.trim().length
    } else add(line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trimEnd())
  }
  return lines.map(({ parts }) => parts.join(' '))
}

const PAGE_WIDTH = 50 // characters: a shorter line was ended on purpose

const isBroken = ({ parts, length }: { parts: string[]; length: number }): boolean =>
  length >= PAGE_WIDTH && !/[.!?:]$/.test(parts.at(-1)!)

type Sentence = { sentence: string; stems: Set<string> }

// Some lines at a time: others have their turn between.
async function sentencesOf(lines: string[]): Promise<Sentence[]> {
  const all: Sentence[] = []
  for (let from = 0; from < lines.length; ) {
    let to = from
    for (let length = 0; to < lines.length && length < limits.summaryTurnCharacters; to++)
      length += lines[to]!.length + 1
    for (const sentence of sentences(lines.slice(from, to).join('\n'))) all.push({ sentence, stems: stems(sentence) })
    from = to
    await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

type Candidate = Sentence & { place: number } // place: 0–1 of the text

// Headings, questions and scraps say nothing on their own. Of a long text, those that hold its frequent words.
function chooseCandidates(sentences: Sentence[]): Candidate[] {
  const all = sentences.map((one, at) => ({ ...one, place: at / sentences.length }))
  const whole = all.filter(
    ({ sentence, stems }) => stems.size >= 3 && stems.size <= 60 && /[.!…:"”)\]]$/.test(sentence),
  )
  const candidates = whole.length > 0 ? whole : all.filter(({ stems }) => stems.size > 0)
  if (candidates.length <= limits.summaryCandidates) return candidates
  const values = scoreByWords(candidates)
  return candidates
    .map((candidate, at) => ({ candidate, value: values[at]! }))
    .sort((one, two) => two.value - one.value)
    .slice(0, limits.summaryCandidates)
    .map(({ candidate }) => candidate)
    .sort((one, two) => one.place - two.place)
}

// Words alone still find the middle of a text when the embedder fails.
async function embedAll(
  { embedder, onTrouble }: SummaryNeeds,
  candidates: Candidate[],
): Promise<Float32Array[] | null> {
  try {
    return await embedder.embed(
      candidates.map(({ sentence }) => sentence),
      'memory',
    )
  } catch (error) {
    onTrouble?.(error)
    return null
  }
}

function scoreAll(candidates: Candidate[], vectors: Float32Array[] | null): number[] {
  const words = spread(scoreByWords(candidates))
  const meaning = vectors ? spread(scoreByMeaning(vectors)) : words
  return candidates.map(({ place, sentence }, at) => {
    const position = place === 0 ? 1 : place < 0.1 ? 0.6 : place > 0.95 ? 0.3 : 0
    return (
      0.45 * meaning[at]! +
      0.3 * words[at]! +
      0.25 * position -
      (leansBack(sentence) ? 0.25 : 0) -
      (sentence.endsWith('?') ? 0.5 : 0)
    )
  })
}

// How frequent the words of a sentence are in the other sentences.
function scoreByWords(candidates: Candidate[]): number[] {
  const holding = new Map<string, number>()
  for (const { stems } of candidates) for (const word of stems) holding.set(word, (holding.get(word) ?? 0) + 1)
  return candidates.map(({ stems }) => {
    let sum = 0
    for (const word of stems) sum += Math.log2(holding.get(word)!)
    return sum / (stems.size + 4) // a short sentence is not central for one frequent word
  })
}

// How near the meaning of a sentence is to that of all together.
function scoreByMeaning(vectors: Float32Array[]): number[] {
  const middle = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (let at = 0; at < middle.length; at++) middle[at]! += vector[at]!
  return vectors.map((vector) => dot(vector, middle) / vectors.length)
}

const TOO_ALIKE = 0.8
const AVOID_ALIKE = 0.5

// The best one that says something else than those taken, until there are enough; then as the text has them.
function choose(candidates: Candidate[], values: number[], vectors: Float32Array[] | null, isEnough: Enough): string[] {
  const taken: number[] = []
  const alike = candidates.map(() => 0) // to the taken one it is most like
  while (!isEnough(taken.map((at) => candidates[at]!.sentence))) {
    let best = -1
    for (let at = 0; at < candidates.length; at++) {
      if (taken.includes(at) || alike[at]! > TOO_ALIKE) continue
      if (best < 0 || worth(at) > worth(best)) best = at
    }
    if (best < 0) break
    taken.push(best)
    for (let at = 0; at < candidates.length; at++) alike[at] = Math.max(alike[at]!, likeness(at, best))
  }
  return taken.sort((one, two) => one - two).map((at) => candidates[at]!.sentence)

  function worth(at: number): number {
    return values[at]! - AVOID_ALIKE * alike[at]!
  }
  function likeness(one: number, two: number): number {
    const shared = overlap(candidates[one]!.stems, candidates[two]!.stems)
    return vectors ? Math.max(shared, dot(vectors[one]!, vectors[two]!)) : shared
  }
}

type Enough = (taken: string[]) => boolean

// As many as were asked for; else a third of a short text, and a handful of a long one.
function enough(candidates: Candidate[], { sentences, words }: Length): Enough {
  if (words !== undefined && sentences === undefined)
    return (taken) => taken.length >= limits.summarySentencesMax || countWords(taken) >= words * 0.8
  const wanted = sentences ?? Math.min(limits.summarySentences, Math.ceil(candidates.length / 3))
  return (taken) => taken.length >= Math.min(wanted, limits.summarySentencesMax)
}

const countWords = (sentences: string[]): number => sentences.join(' ').split(/\s+/).filter(Boolean).length

// The share of the shorter one's words that the other holds.
const overlap = (one: Set<string>, two: Set<string>): number =>
  one.size <= two.size ? shareHeld(one, two) : shareHeld(two, one)

function dot(one: Float32Array, two: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * two[at]!
  return sum
}

// To 0–1 between the least and the most.
function spread(values: number[]): number[] {
  const least = Math.min(...values)
  const range = Math.max(...values) - least
  return values.map((value) => (range === 0 ? 1 : (value - least) / range))
}
