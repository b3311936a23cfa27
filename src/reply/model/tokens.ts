// How long a text is for a chat model whose tokeniser is unknown: a careful estimate, and cutting by it.

const CHARACTERS = 3.5 // a token of English; other alphabets take more, and one each is on the safe side

export function tokensOf(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) others++
  return Math.ceil((text.length - others) / CHARACTERS + others)
}

// The most characters that so many tokens can be.
export const charactersIn = (tokens: number): number => Math.ceil(tokens * CHARACTERS)

// The beginning that fits, ended at a word.
export function cutTo(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text
  let fits = 0
  let not = text.length
  while (not - fits > 1) {
    const middle = (fits + not) >> 1
    if (tokensOf(text.slice(0, middle)) < tokens) fits = middle
    else not = middle
  }
  return `${text
    .slice(0, fits)
    .replace(/\s+\S{0,40}$/, '')
    .replace(/[\uD800-\uDBFF]$/, '')}…`
}
