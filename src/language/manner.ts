// How texts are written: by one or by several, in short or long sentences, as one speaks or as one writes.
import { sentences } from './sentences.ts'

export type Manner = {
  person: 'I' | 'we' | null // null: neither often enough
  length: 'short' | 'long' | null
  tone: 'informal' | 'formal' | null
}

const LEAST_SENTENCES = 2 // less shows no manner
const OFTEN = 0.25 // of the sentences
const [SHORT, LONG] = [9, 22] // words of a sentence, on average
const LONG_WORDS = 5.2 // letters of a word, on average
const CHARACTERS = 20_000 // that are looked at

const ONE = /\b(?:I|my|me)\b/i
const SEVERAL = /\b(?:we|our|us)\b/i
const SPOKEN = /\p{L}['’](?:s|t|re|ve|ll|d|m)\b|!|\b(?:yeah|gonna|okay|ok|haha|lol|wow|hey)\b/iu

export function mannerOf(texts: string[]): Manner {
  const all = sentences(texts.join('\n\n').slice(0, CHARACTERS))
  if (all.length < LEAST_SENTENCES) return { person: null, length: null, tone: null }
  const share = (pattern: RegExp) => all.filter((one) => pattern.test(one)).length / all.length
  const words = all.flatMap((one) => one.match(/[\p{L}\p{N}]+/gu) ?? [])
  const perSentence = words.length / all.length
  const perWord = words.reduce((sum, word) => sum + word.length, 0) / Math.max(1, words.length)
  const [one, several, spoken] = [share(ONE), share(SEVERAL), share(SPOKEN)]
  return {
    person: Math.max(one, several) < OFTEN ? null : several > one ? 'we' : 'I',
    length: perSentence <= SHORT ? 'short' : perSentence >= LONG ? 'long' : null,
    tone: spoken >= OFTEN ? 'informal' : spoken === 0 && perWord >= LONG_WORDS ? 'formal' : null,
  }
}
