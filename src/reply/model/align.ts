// Lays a sentence beside another word by word, and finds what stands in the place of something else.
import { isCommon, normalizeNumber, stem } from '../../language/language.ts'
import { limits } from '../limits.ts'

export type WordKind = 'number' | 'name' | 'word' | 'link' // links: what joins the others, commas and the like too
export type Word = { written: string; key: string; kind: WordKind }

// What each of them says between two places where both say the same. One side may be empty, not both.
export type Gap = { said: Word[]; told: Word[] }

// `names`: the keys of what is a name also where it begins a sentence. Of what is very long the beginning is taken.
export const wordsOf = (text: string, names: Set<string>): Word[] =>
  (text.normalize('NFKC').match(/\p{N}+(?:[.,:]\p{N}+)*|\p{L}+(?:['’]\p{L}+)*|[,;:/&()–—]/gu) ?? [])
    .slice(0, limits.alignedWords)
    .map((written) => {
      const word = written.toLowerCase().replace(/['’].*$/, '')
      const number = word === 'one' ? '1' : normalizeNumber(written)
      if (number !== undefined) return { written, key: number, kind: 'number' }
      if (!/[\p{L}\p{N}]/u.test(word) || isCommon(word)) return { written, key: word, kind: 'link' }
      const key = stem(word)
      return { written, key, kind: names.has(key) && /^\p{Lu}/u.test(written) ? 'name' : 'word' }
    })

const SAME: Record<WordKind, number> = { number: 2, name: 2, word: 2, link: 0.5 }
const REPLACED = -0.25 // a name for a name, a number for a number
const LEFT_OUT = -1

// The gaps of the best alignment, in order.
export function align(said: Word[], told: Word[]): Gap[] {
  const pair = (one: Word, two: Word) =>
    one.key === two.key ? SAME[one.kind] : one.kind === two.kind ? REPLACED : -Infinity
  // best[i][j]: the score of all that follows from the i-th word of one and the j-th of the other.
  const best = Array.from({ length: said.length + 1 }, () => new Float64Array(told.length + 1))
  const stepsFrom = (i: number, j: number) => ({
    both: i < said.length && j < told.length ? pair(said[i]!, told[j]!) + best[i + 1]![j + 1]! : -Infinity,
    said: i < said.length ? LEFT_OUT + best[i + 1]![j]! : -Infinity,
    told: j < told.length ? LEFT_OUT + best[i]![j + 1]! : -Infinity,
  })
  for (let i = said.length; i >= 0; i--)
    for (let j = told.length; j >= 0; j--) {
      const steps = stepsFrom(i, j)
      best[i]![j] = i === said.length && j === told.length ? 0 : Math.max(steps.both, steps.said, steps.told)
    }
  const gaps: Gap[] = [{ said: [], told: [] }]
  for (let i = 0, j = 0; i < said.length || j < told.length; ) {
    const steps = stepsFrom(i, j)
    const takesBoth = steps.both >= steps.said && steps.both >= steps.told
    const takesSaid = takesBoth || steps.said >= steps.told
    const takesTold = takesBoth || !takesSaid
    if (takesBoth && said[i]!.key === told[j]!.key) gaps.push({ said: [], told: [] })
    else {
      if (takesSaid) gaps.at(-1)!.said.push(said[i]!)
      if (takesTold) gaps.at(-1)!.told.push(told[j]!)
    }
    if (takesSaid) i++
    if (takesTold) j++
  }
  return gaps.filter((gap) => gap.said.length + gap.told.length > 0)
}
