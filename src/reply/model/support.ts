// How far memory supports an answer: the words, numbers and names it holds that no memory does count against it.
import type { Recollection } from '../../domain/memory.ts'
import { isTalk, sentences, speaksAnotherLanguage, writeDate } from '../../language/language.ts'
import { type FactKind, factsIn, keysOf } from './facts.ts'

export type SentenceSupport = {
  sentence: string
  share: number | null // 0–1 of what it states; null where it states nothing of its own
  missing: string[] // what no memory holds, as written
}

export type Support = {
  share: number | null // over all sentences, by how much each states
  least: number | null // of the sentence that is supported least
  missingNumbers: number
  missingNames: number
  sentences: SentenceSupport[]
}

// `given` is what the answer may repeat without stating anything: the question, its context, the names of both sides.
export function supportOf(answer: string, memories: Recollection[], given: string[]): Support {
  const held = new Set(
    memories.flatMap(({ memory, title, tags }) => [
      ...keysOf([memory.text, title, memory.place.speaker ?? '', ...memory.place.headings, ...tags].join('\n')),
      ...keysOf(writeDate(memory.time)), // a memory knows its own date
    ]),
  )
  const known = new Set(given.flatMap(keysOf))
  // An answer in another language shares numbers with its memories at most: its words cannot be held against it.
  const isForeign = speaksAnotherLanguage(
    answer,
    memories.map(({ memory }) => memory.text),
  )
  const weighed = sentences(answer).map((sentence) => weigh(sentence, held, known, isForeign))
  const stating = weighed.filter(({ total }) => total > 0)
  const total = stating.reduce((sum, one) => sum + one.total, 0)
  const kinds = weighed.flatMap(({ kinds }) => kinds)
  return {
    share: total === 0 ? null : stating.reduce((sum, one) => sum + one.total * one.share!, 0) / total,
    least: total === 0 ? null : Math.min(...stating.map((one) => one.share!)),
    missingNumbers: kinds.filter((kind) => kind === 'number').length,
    missingNames: kinds.filter((kind) => kind === 'name').length,
    sentences: weighed.map(({ sentence, share, missing }) => ({ sentence, share, missing })),
  }
}

// A wrong number or name is a wrong answer; a word may be another word for the same.
const WEIGHTS: Record<FactKind, number> = { number: 4, name: 3, word: 1 }

function weigh(sentence: string, held: Set<string>, known: Set<string>, isForeign: boolean) {
  const missing: string[] = []
  const kinds: FactKind[] = []
  let total = 0
  let lacking = 0
  for (const { written, key, kind } of factsIn(sentence)) {
    if (known.has(key) && !held.has(key)) continue
    if (isTalk(key) || (isForeign && kind !== 'number')) continue
    total += WEIGHTS[kind]
    if (held.has(key)) continue
    lacking += WEIGHTS[kind]
    missing.push(written)
    kinds.push(kind)
  }
  return { sentence, total, share: total === 0 ? null : 1 - lacking / total, missing, kinds }
}

export type Read = { answerable: number; relevant: number; holdsSpan: boolean }

// What the reader found when it read the question with the memories an answer names: do they answer, and with what it
// says?
export function readSupport(answer: string, memories: Recollection[]): Read | null {
  const readings = memories.flatMap(({ reading, passage }) => (reading ? [{ ...reading, passage }] : []))
  if (readings.length === 0) return null
  const said = new Set(keysOf(answer))
  const spans = readings.map(({ passage, start, end }) => keysOf(passage.text.slice(start, end)))
  return {
    answerable: Math.max(...readings.map((one) => one.answerable)),
    relevant: Math.max(...readings.map((one) => one.relevant)),
    holdsSpan: spans.some((keys) => keys.length > 0 && keys.filter((key) => said.has(key)).length >= keys.length / 2),
  }
}
