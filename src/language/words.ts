// The words of a text that carry its meaning, as people write them, as stems, and as the numbers an index holds.
import { stem } from './stem.ts'

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu

export function contentWords(text: string): string[] {
  const words = wordsOf(text)
  const content = words.filter((word) => !COMMON.has(word))
  // "Who are you?" is made of common words alone: better those than nothing.
  return [...new Set(content.length > 0 ? content : words)]
}

// The stems of the content words, each once.
export const stems = (text: string): Set<string> => new Set(contentWords(text).map(stem))

// Whether a word is so frequent that it says nothing; in lower case.
export const isCommon = (word: string): boolean => COMMON.has(word)

// The stems of the content words, in the order of the text, each as a number of 32 bits.
export function termsOf(text: string): Uint32Array {
  const terms: number[] = []
  for (const word of wordsOf(text)) if (!COMMON.has(word)) terms.push(hash(stem(word)))
  return Uint32Array.from(terms)
}

// The share, 0–1, of some terms that a text holds, by what each is worth.
export function shareHeld<Term>(
  terms: Iterable<Term>,
  held: ReadonlySet<Term>,
  worth: (term: Term) => number = () => 1,
): number {
  let [shared, all] = [0, 0]
  for (const term of terms) {
    all += worth(term)
    if (held.has(term)) shared += worth(term)
  }
  return all === 0 ? 0 : shared / all
}

// The same for stems and a text.
export const shareInText = (weights: ReadonlyMap<string, number>, text: string): number =>
  shareHeld(weights.keys(), stems(text), (word) => weights.get(word)!)

// Stems that are worth the same.
export const evenWeights = (words: Iterable<string>): Map<string, number> =>
  new Map([...words].map((word) => [word, 1]))

// "Don't" is "do": that it is denied, words do not tell.
const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).map(
    (word) => word.replace(/n['’]t$/, '').split(/['’]/, 1)[0]!,
  )

// FNV-1a. Two words of a persona with one number are so rare that they do not show.
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  return value >>> 0
}

const COMMON = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in ' +
    'into is it its me my of on or our ours she should so than that the their them then there these they this those ' +
    'to too us was we were what when where which who whom whose why will with would you your yours about also am ' +
    'just no not tell know please ' +
    // As they are typed without an apostrophe, and what is left of "can't" and "won't" without its end.
    'dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt hasnt havent hadnt wont whats wheres ' +
    'whos hows im ive youre ca wo'
  ).split(' '),
)

// How people talk around what they say.
const TALK = stems(
  'yes yeah sure sorry hello hi thanks thank well actually really indeed remember recall memory memories mention ' +
    'mentioned said say according based knowledge answer question information unfortunately however although because ' +
    'currently certain exactly',
)

// Whether a stem is one of those words.
export const isTalk = (word: string): boolean => TALK.has(word)

export const commonIn = (words: string[]): number => words.filter((word) => COMMON.has(word.toLowerCase())).length
