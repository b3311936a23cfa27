// The words of a text that carry its meaning, as people write them, as stems, and as the numbers an index holds.
import { stem } from './stem.ts'

export { stem }

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu

export function contentWords(text: string): string[] {
  const words = wordsOf(text)
  const telling = words.filter((word) => !COMMON.has(word))
  // "Who are you?" is made of common words alone: better those than nothing.
  return [...new Set(telling.length > 0 ? telling : words)]
}

// Whether a word is so frequent that it tells nothing; in lower case.
export const isCommon = (word: string): boolean => COMMON.has(word)

// The stems of the telling words, in the order of the text, each as a number of 32 bits.
export function termsOf(text: string): Uint32Array {
  const terms: number[] = []
  for (const word of wordsOf(text)) if (!COMMON.has(word)) terms.push(hash(stem(word)))
  return Uint32Array.from(terms)
}

const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).map((word) => word.replace(/['’].*$/, ''))

// FNV-1a. Two words of a persona with one number are so rare that they do not show.
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  return value >>> 0
}

const COMMON = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its ' +
    'me my of on or our ours she should so than that the their them then there these they this those to too us was we were what ' +
    'when where which who whom whose why will with would you your yours about also am just no not tell know please'
  ).split(' '),
)
