// Whether a reply is right: it holds a gold answer or, where that is long, most of what it says.
import { contentWords, stem } from '../../src/language/language.ts'

const SHORT = 6 // content words
const MOST = 0.5
const LEADING = 6 // words

export const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')
    .replaceAll(/\b(?:a|an|the)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()} `

export const holds = (reply: string, golds: string[]): boolean =>
  golds.some((gold) => normal(gold).trim() !== '' && normal(reply).includes(normal(gold)))

// A gold answer that names a contradiction is not given by one of its sides.
const CONTRADICTS = /\bcontradict|\bconflicting\b/i
const TELLS_BOTH = /\bcontradict|\bconflict|\bboth\b|\balso says\b/i

export function isRight(reply: string, { golds, answerable }: { golds: string[]; answerable: boolean }): boolean {
  if (!answerable) return false
  if (golds.some((gold) => CONTRADICTS.test(gold)) && !TELLS_BOTH.test(reply)) return false
  if (holds(reply, golds)) return true
  const said = new Set(contentWords(reply).map(stem))
  return golds.some((gold) => {
    const asked = new Set(contentWords(gold).map(stem))
    const shared = [...asked].filter((word) => said.has(word)).length
    const recall = shared / asked.size
    // "31 days passed between …": without the number, all the other words are no answer.
    const [number] =
      gold
        .split(/\s+/)
        .slice(0, LEADING)
        .join(' ')
        .match(/\d[\d,.]*/) ?? []
    if (number && !reply.includes(number)) return false
    // A long answer has many wordings: a reply that is most of it, or is mostly it, is right.
    return asked.size > SHORT ? Math.max(recall, shared / Math.max(said.size, SHORT)) >= MOST : recall > MOST
  })
}
