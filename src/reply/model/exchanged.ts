// A name or a number in the place of another, where a sentence says the rest as memory does: to the reader both look
// alike.
import { isMutual } from '../../language/language.ts'
import { align, type Gap, type Word, wordsOf } from './align.ts'

export type Exchange = 'number' | 'name' | 'person'

// `given`: what anyone may say who answers. `names`: the keys of the names of both.
export function findExchange(sentence: string, told: string, given: Set<string>, names: Set<string>): Exchange | null {
  const [one, other] = [wordsOf(sentence, names), wordsOf(told, names)]
  if (isJoinedOtherwise(one, other)) return 'name'
  if (isTurnedRound(one, other)) return 'person'
  const gaps = align(one, other)
  const replaced = gaps.filter(({ said, told: instead }) => stated(said).length > 0 && stated(instead).length > 0)
  const isReplaced = (side: keyof Gap, key: string) =>
    replaced.some((gap) => gap[side].some((word) => word.key === key))
  const isMoved = (side: keyof Gap, key: string) =>
    !isReplaced(side, key) && gaps.some((gap) => gap[side].some((word) => word.key === key))
  if (isSaidOfAnother(gaps[0], given) && !isReplaced('told', gaps[0]!.said[0]!.key)) return 'person'
  for (const gap of replaced.filter(isShort))
    for (const kind of ['number', 'name'] as const) {
      const said = gap.said.find((word) => word.kind === kind && !given.has(word.key) && !isMoved('told', word.key))
      const instead = gap.told.find((word) => word.kind === kind && !given.has(word.key) && !isMoved('said', word.key))
      if (!said || !instead) continue
      const isSwap = isReplaced('told', said.key) && isReplaced('said', instead.key)
      if (!isSwap) return kind
      if (!mayChangePlaces(one, other, said.key, instead.key)) return 'person'
    }
  return null
}

// "Tom" in the place of "I".
const isSaidOfAnother = (first: Gap | undefined, given: Set<string>): boolean =>
  first?.said[0]?.kind === 'name' && !given.has(first.said[0].key) && /^(?:i|we)$/.test(keysOf(first.told))

const SHORT = 3 // words that are replaced at one place

const isShort = ({ said, told }: Gap): boolean =>
  stated(said).length <= SHORT && stated(told).length <= stated(said).length + 1

const stated = (words: Word[]): Word[] => words.filter(({ kind }) => kind !== 'link')
const keysOf = (words: Word[]): string => words.map(({ key }) => key).join(' ')

const NEAR = 6 // words, to be about both

// In a list, of people who did it together, and where one of the two sentences is passive.
function mayChangePlaces(said: Word[], told: Word[], one: string, other: string): boolean {
  const [from = 0, to = 0] = [one, other]
    .map((key) => said.findIndex((word) => word.key === key))
    .toSorted((a, b) => a - b)
  const between = said.slice(from, to).map(({ written }) => written)
  const isPassive = (words: Word[]) => words.some(({ key }) => key === 'by')
  const isOfBoth = between.length <= NEAR && isMutual(between.join(' '))
  return isList(said, from, to) || isOfBoth || isPassive(said) !== isPassive(told)
}

// Names, commas, and an "and" or "or" before the last: "Ann, Bea and Carl".
function isList(words: Word[], from: number, to: number): boolean {
  const isIn = ({ kind, key }: Word) => kind === 'name' || /^(?:,|and|or|&)$/.test(key)
  const end = words.findIndex((word, at) => at > from && !isIn(word))
  const list = words.slice(from, end < 0 ? words.length : end)
  const lastName = list.findLastIndex(({ kind }) => kind === 'name')
  const last = list.slice(0, lastName).findLast(({ kind }) => kind === 'link')
  return from + list.length > to && last !== undefined && last.key !== ','
}

// Two words of names side by side that memory has apart: "Ann Carlsen" of "Ann Bergman and Eva Carlsen". "Director Ann"
// of "Ann, Director" is the same.
function isJoinedOtherwise(said: Word[], told: Word[]): boolean {
  const turned = unitTriples(told).flatMap(([one, link, other]) =>
    keysOf(link) === ',' ? `${other.at(-1)!.key} ${one[0]!.key}` : [],
  )
  const known = new Set([...namePairs(told), ...turned])
  const apart = new Set(told.map(({ key }) => key))
  return namePairs(said).some((pair) => !known.has(pair) && pair.split(' ').every((key) => apart.has(key)))
}

const namePairs = (words: Word[]): string[] =>
  words.slice(1).flatMap((word, at) => {
    const before = words[at]!
    return before.kind === 'name' && word.kind === 'name' ? [`${before.key} ${word.key}`] : []
  })

// "From Bergen to Oslo" of "from Oslo to Bergen": two names with the same between them, the other way round.
function isTurnedRound(said: Word[], told: Word[]): boolean {
  const ordered = (words: Word[]) => unitTriples(words).filter(([, between]) => !isEitherWay(between))
  const known = new Set(ordered(told).map((units) => units.map(keysOf).join(' ')))
  return ordered(said).some((units) => known.has(units.toReversed().map(keysOf).join(' ')))
}

const isEitherWay = (between: Word[]): boolean =>
  /^(?:,|(?:, )?(?:and|or|&))$/.test(keysOf(between)) || isMutual(between.map(({ written }) => written).join(' '))

// A name, what stands between it and the next, and that one; names of several words as one.
function unitTriples(words: Word[]): [Word[], Word[], Word[]][] {
  const units: Word[][] = []
  const isName = ({ kind }: Word) => kind === 'name'
  for (const word of words)
    if (units.at(-1)?.every((one) => isName(one) === isName(word))) units.at(-1)!.push(word)
    else units.push([word])
  return units
    .slice(2)
    .flatMap((other, at): [Word[], Word[], Word[]][] =>
      isName(other[0]!) ? [[units[at]!, units[at + 1]!, other]] : [],
    )
}
