// Mends typing errors in an English message: a word that neither the language nor the persona's memory knows, and that
// is one slip away from one that they do. The reader takes a misspelled word for a missing detail.
import { readFileSync } from 'node:fs'
import { limits } from './limits.ts'

// Not of an address, a file or a name of a program's.
const WORD = /(?<![\p{L}\p{N}_./@:-])[a-z]+(?:['’][a-z]+)?(?![\p{L}\p{N}_/@]|[.:-][\p{L}\p{N}])/giu
const LEAST_LETTERS = 5 // shorter ones are near too many others
const MOST_LETTERS = 20
const LEAST_COMPOUND = 9
const FREQUENT = 8_000 // rank of a word
const MOST_UNKNOWN = 1 / 3 // of the words: above it the message is in another language
const ENGLISH = new Set(
  (
    'what who whose which when where why how is are was were do does did have has can could will would ' +
    'the a of to your my'
  ).split(' '),
)
const SHORT: Record<string, string> = { u: 'you', ur: 'your', wat: 'what' }
// "doesnt", "youre".
const CONTRACTED = /^(?:(?:do|does|did|is|are|was|were|have|has|had|could|should|would)(?=nt$)|(?:you|they)(?=re$|ve$))/
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

// `isHeld`: whether the persona's memories hold a word.
export function correctSpelling(message: string, isHeld: (word: string) => boolean): string {
  if (message.length > limits.patternCharacters) return message
  const words = (message.match(WORD) ?? []).map((word) => word.toLowerCase())
  if (!words.some((word) => ENGLISH.has(word))) return message
  const unknown = new Set(words.filter((word) => !isKnown(word) && !isHeld(word)))
  if (unknown.size > Math.max(2, words.length * MOST_UNKNOWN)) return message
  return message.replace(WORD, (word, at: number) => {
    const lower = word.toLowerCase()
    const isName = at > 0 && word !== lower // no name is a slip of an everyday word
    const meant =
      SHORT[lower] ?? contractionOf(lower) ?? (unknown.has(lower) ? nearest(lower, isHeld, isName) : undefined)
    return meant === undefined ? word : word[0] === lower[0] ? meant : meant[0]!.toUpperCase() + meant.slice(1)
  })
}

function contractionOf(word: string): string | undefined {
  const [verb] = CONTRACTED.exec(word) ?? []
  if (verb === undefined) return undefined
  const rest = word.slice(verb.length)
  return rest === 'nt' ? `${verb}n't` : `${verb}'${rest}`
}

// A word, or a form of one; what is too short or too long to be mended counts as one.
function isKnown(word: string): boolean {
  if (word.length < LEAST_LETTERS || word.length > MOST_LETTERS || /['’]/.test(word)) return true
  const known = commonWords()
  const stem = word.replace(/(?:ies|e?s|e?d|ing|ly|ers?|est)$/, '')
  const forms = [word, `${word}d`, `${word}s`, stem, `${stem}e`, `${stem}y`, stem.replace(/(.)\1$/, '$1')]
  return forms.some((form) => form.length > 2 && known.has(form)) || isCompound(word)
}

// "throughput", "handrail".
function isCompound(word: string): boolean {
  if (word.length < LEAST_COMPOUND) return false
  const isFrequent = (part: string) => (commonWords().get(part) ?? Infinity) < FREQUENT
  return [...word].some((_, at) => isFrequent(word.slice(0, at)) && isFrequent(word.slice(at)))
}

// What memory holds before what the language does; among these the most frequent.
function nearest(word: string, isHeld: (word: string) => boolean, isName: boolean): string | undefined {
  const known = commonWords()
  const near = slipsOf(word)
  const rank = (one: string) => known.get(one) ?? Number.MAX_SAFE_INTEGER
  const best = (some: string[]) => some.sort((one, two) => rank(one) - rank(two))[0]
  return best(near.filter(isHeld)) ?? (isName ? undefined : best(near.filter((one) => known.has(one))))
}

// One letter left out, put in, exchanged, or two swapped. The first letter is nearly always right.
function slipsOf(word: string): string[] {
  const slips = new Set<string>()
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    if (after) slips.add(before + after.slice(1))
    if (after.length > 1) slips.add(before + after[1] + after[0] + after.slice(2))
    for (const letter of LETTERS) {
      slips.add(before + letter + after)
      if (after) slips.add(before + letter + after.slice(1))
    }
  }
  slips.delete(word)
  return [...slips].filter((one) => one.length >= LEAST_LETTERS - 1)
}

let common: Map<string, number> | undefined

// The vocabulary of the embedding model: whole words, the frequent ones first.
function commonWords(): Map<string, number> {
  if (!common) {
    const file = new URL('../../weights/all-MiniLM-L6-v2/tokenizer.json', import.meta.url)
    const { model } = JSON.parse(readFileSync(file, 'utf8')) as { model: { vocab: Record<string, number> } }
    common = new Map(Object.entries(model.vocab).filter(([word]) => /^[a-z]{3,}$/.test(word)))
  }
  return common
}
