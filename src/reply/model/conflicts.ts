// Exact checks beside the reader: a negation, a number, a name or a person that a memory tells otherwise, and what a
// memory orders instead of telling.
import type { Recollection } from '../../domain/memory.ts'
import { evenWeights, isDenied, sentenceRanges, shareInText, writeDate } from '../../language/language.ts'
import { type Exchange, findExchange } from './exchanged.ts'
import { type Fact, type FactKind, factsIn, keysOf } from './facts.ts'

export type Conflict = 'negation' | 'order' | Exchange

const SAME_MATTER = 0.6 // share of a sentence's plain words in one of the memory's: they speak of the same

// `given`: what anyone may say who answers, such as the names of both sides.
export function findConflict(sentence: string, { memory, title }: Recollection, given: Set<string>): Conflict | null {
  if (isOrder(memory.text)) return 'order'
  const said = [...factsIn(sentence)]
  const words = keysOfKind(said, 'word')
  const all = evenWeights(said.map(({ key }) => key))
  const plain = words.length > 0 ? evenWeights(words) : all // "I'm Ada Byron": names are all there is
  const closest = sentenceRanges(memory.text)
    .map(({ start, end }) => memory.text.slice(start, end))
    .map((text) => ({ text, share: shareInText(plain, text), near: shareInText(plain, text) + shareInText(all, text) }))
    .reduce((best, one) => (one.near > best.near ? one : best), { text: '', share: -1, near: -1 })
  if (plain.size === 0 || closest.share < SAME_MATTER) return null
  if (deniesOtherwise(sentence, closest.text)) return 'negation'
  const told = [...factsIn(closest.text)]
  const held = new Set(keysOf([memory.text, title, memory.place.speaker ?? '', writeDate(memory.time)].join('\n')))
  for (const kind of ['number', 'name'] as const) {
    const isNew = keysOfKind(said, kind).some((key) => !held.has(key) && !given.has(key))
    if (isNew && keysOfKind(told, kind).length > 0) return kind
  }
  if (isSaidOfAnother(sentence, closest.text, memory.text, given)) return 'person'
  const names = new Set([memory.text, sentence].flatMap((text) => keysOfKind([...factsIn(text)], 'name')))
  return findExchange(sentence, closest.text, given, names)
}

const keysOfKind = (facts: Fact[], wanted: FactKind): string[] =>
  facts.filter(({ kind }) => kind === wanted).map(({ key }) => key)

// One denies what the other says.
function deniesOtherwise(sentence: string, closest: string): boolean {
  const [said, told] = [deniedIn(sentence), deniedIn(closest)]
  return (
    [...said.denied].some((key) => told.all.has(key) && !told.denied.has(key)) ||
    [...told.denied].some((key) => said.all.has(key) && !said.denied.has(key))
  )
}

const REACH = 2 // words of its clause that a negation denies

function deniedIn(text: string): { denied: Set<string>; all: Set<string> } {
  const [denied, all] = [new Set<string>(), new Set<string>()]
  let left = 0
  for (const [word] of text.matchAll(/[\p{L}\p{N}'’-]+|[,;:()–—]/gu)) {
    if (isDenied(word)) left = REACH
    else if (/^[,;:()–—]$/.test(word)) left = 0
    for (const { key } of factsIn(`x ${word}`)) {
      if (key === 'x' || isDenied(word)) continue
      all.add(key)
      if (left-- > 0) denied.add(key)
    }
  }
  return { denied, all }
}

// "Tom sold the boat", where the memory says "I sold the boat" and Tom is someone else in it.
function isSaidOfAnother(sentence: string, closest: string, memory: string, given: Set<string>): boolean {
  if (!/^(?:I|We)\b/.test(closest) || /^(?:I|We|My|Our)\b/.test(sentence)) return false
  const [first] = factsIn(sentence)
  const isName = first && /^\p{Lu}/u.test(first.written) && sentence.startsWith(first.written)
  if (!isName || given.has(first.key) || keysOf(closest).includes(first.key)) return false
  return keysOfKind([...factsIn(memory)], 'name').includes(first.key)
}

// Said to whoever answers, not told.
const ORDERS = [
  '(?:ignore|forget|disregard) (?:all|any|the|your|every|what|everything)',
  'note to the (?:assistant|model|ai)',
  '(?:answer|reply to) (?:every|all|any)',
  'always (?:say|answer|reply)',
  'system prompt',
  'if (?:someone|somebody|anyone|anybody) (?:asks|writes)',
  '(?:tell|recommend|inform) (?:them|everybody|everyone|anybody|anyone)',
  'from now on (?:answer|say|reply|you)',
]
const ORDER = new RegExp(`\\b(?:${ORDERS.join('|')})\\b`, 'i')

const isOrder = (text: string): boolean => ORDER.test(text)
