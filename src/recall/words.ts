// The words of a text that carry its meaning.

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu

export function contentWords(text: string): string[] {
  const words = (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).map((word) => word.replace(/['’].*$/, ''))
  const telling = words.filter((word) => !COMMON.has(word))
  // "Who are you?" is made of common words alone: better those than nothing.
  return [...new Set(telling.length > 0 ? telling : words)]
}

// Enough of a stemmer to meet plurals and tenses half-way.
export function stem(word: string): string {
  if (word.length <= 3) return word
  return word
    .replace(/(?:ies)$/, 'y')
    .replace(/(?<=...)(?:'s|ing|ed|es|s)$/, '')
    .replace(/(.)\1$/, '$1')
}

const COMMON = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its ' +
    'me my of on or our ours she should so than that the their them then there these they this those to too us was we were what ' +
    'when where which who whom whose why will with would you your yours about tell know please'
  ).split(' '),
)
