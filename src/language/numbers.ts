// Numbers written as words.

const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ')

// The value of a number word in any case; undefined for any other word.
export function numberFromWord(word: string): number | undefined {
  const value = WORDS.indexOf(word.toLowerCase())
  return value < 0 ? undefined : value
}

// Alternatives of a pattern: the words from one number to another.
export const numberWords = (from: number, to: number): string => WORDS.slice(from, to + 1).join('|')

const NUMBER = new RegExp(
  `\\d|\\b(?:${numberWords(1, 12)}|dozen|hundred|thousand|million|billion|` +
    'once|twice|single|half|several|both|no|none)\\b',
  'i',
)

// Whether a text holds a number, in digits or in words.
export const holdsNumber = (text: string): boolean => NUMBER.test(text)

const TENS = 'thirty forty fifty sixty seventy eighty ninety'.split(' ')

// "1,000", "1000" and "007" are what they count; "nine" is 9. "one" is mostly no number. A date is its digits.
export function normalizeNumber(written: string): string | undefined {
  if (/^\p{N}/u.test(written)) {
    const plain = written.replaceAll(/,(?=\d{3}\b)/g, '')
    return /^\d+$/.test(plain) ? String(BigInt(plain)) : plain
  }
  const tens = TENS.indexOf(written.toLowerCase())
  const value = tens < 0 ? numberFromWord(written) : 10 * (tens + 3)
  return value !== undefined && value > 1 ? String(value) : undefined
}
