// The words of a text that can be right or wrong: numbers, names and others, in a form that can be compared.
import { isCommon, normalizeNumber, stem } from '../../language/language.ts'

export type FactKind = 'number' | 'name' | 'word'
export type Fact = { written: string; key: string; kind: FactKind }

const TOKEN = /\d{4}-\d\d-\d\d|\p{N}+(?:[.,:]\p{N}+)*|\p{L}+(?:['’]\p{L}+)*/gu

export function* factsIn(text: string): Generator<Fact> {
  let isFirst = true
  for (const [written] of text.normalize('NFKC').matchAll(TOKEN)) {
    const word = written.toLowerCase().replace(/['’].*$/, '')
    const number = normalizeNumber(written)
    const isName = !isFirst && /^\p{Lu}/u.test(written)
    isFirst = false
    if (number !== undefined) yield { written, key: number, kind: 'number' }
    else if (!isCommon(word)) yield { written, key: stem(word), kind: isName ? 'name' : 'word' }
  }
}

export const keysOf = (text: string): string[] => [...factsIn(text)].map(({ key }) => key)
