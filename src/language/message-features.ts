// What a message is recognised by: its words and pairs of words, hashed, beside the vector of its meaning.
import { limits } from './limits.ts'

export const BUCKETS = 16384 // a power of two

const TOKEN = /[\p{L}\p{N}]+(?:['’]\p{L}+)?|[?!]/gu
const MOST_TOKENS = 40
const LEADING = 3 // how a message begins tells most: these words count by their place, too

const ASKING = new Set(['which', 'what', 'who', 'whose', 'where'])
const BEHIND = 2 // words after one that asks, which tell one thing from several

const shapeOf = (token: string): string =>
  /^(?:are|were|have|has|is|was|did|do|does|the|you|your)$/.test(token) ? `${token} ` : PLURAL.test(token) ? '+' : '-'

const PLURAL = /.{2}[^siu']s$/

// The buckets of a message, each once.
export function bucketsOf(message: string): number[] {
  const tokens = (message.slice(0, limits.patternCharacters).toLowerCase().match(TOKEN) ?? [])
    .slice(0, MOST_TOKENS)
    .map((token) => token.replace('’', "'"))
  const features = new Set<string>()
  tokens.forEach((token, at) => {
    features.add(`1${token}`)
    if (at < LEADING) features.add(`p${at}${token}`)
    if (at + 1 < tokens.length) features.add(`2${token} ${tokens[at + 1]}`)
    if (ASKING.has(token))
      features.add(
        `s${token} ${tokens
          .slice(at + 1, at + 1 + BEHIND)
          .map(shapeOf)
          .join('')}`,
      )
  })
  features.add(`e${tokens.at(-1) ?? ''}`)
  features.add(`n${Math.floor(Math.min(tokens.length, 12) / 2)}`)
  return [...new Set([...features].map(hash))]
}

// FNV-1a.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0) & (BUCKETS - 1)
}
