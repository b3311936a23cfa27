// What an instruction orders, as far as it can be carried out without a chat model.
import { limits } from './limits.ts'
import { numberFromWord, numberWords } from './numbers.ts'
import { swapPersons } from './persons.ts'

// How long a summary is to be.
export type Length = { sentences?: number | undefined; words?: number | undefined }

export type Order =
  // `text`: given along with the order
  | { what: 'summarise'; subject: string; quoted: string[]; text: string; length: Length }
  // `named`: as the persona would name it
  | { what: 'list'; subject: string; named: string }

const SUMMARISE = new RegExp(
  '\\b(?:summari[sz](?:e|ing)|summary|sum up|tl;?dr|' +
    '(?:key|main|most important) (?:points?|sentences?|facts?|ideas?)|the gist|condense|shorten|boil down)\\b',
  'i',
)

const LIST = [
  new RegExp(
    '\\bwhat (?:all )?(?:do|can) you (?:know|remember|recall|tell me|have|say)(?: in (?:your )?memory)? ' +
      '(?:about|on|of)\\s+(.+)$',
    'i',
  ),
  new RegExp(
    '\\b(?:everything|anything|all(?: the)?(?: facts| things)?|whatever|what)(?: that)?(?: you| is| we)?' +
      '(?: know| known| remember| recall| have)?(?: in (?:your )?memory)? (?:about|on|regarding|concerning)\\s+(.+)$',
    'i',
  ),
  /^(?:please )?(?:(?:can|could|would) you )?(?:list|enumerate)(?: me| for me)?\s+(.+)$/i,
]

export function understandOrder(instruction: string): Order | undefined {
  const { order, text } = parted(instruction.trim())
  if (order.length > limits.patternCharacters) return undefined
  if (SUMMARISE.test(order)) {
    return { what: 'summarise', subject: subjectOf(order), quoted: quotedIn(order), text, length: lengthOf(order) }
  }
  if (text !== '') return undefined
  for (const pattern of LIST) {
    const named = tidy(pattern.exec(order)?.[1] ?? '')
    const subject = bare(named)
    if (subject !== '') return { what: 'list', subject, named: swapPersons(named) }
  }
  return undefined
}

const LONG_ENOUGH = 120 // characters: less after a colon is a title

// "Summarise this: …" brings its text along.
function parted(instruction: string): { order: string; text: string } {
  const cut = /:\s+|\n+/.exec(instruction)
  const text = cut ? instruction.slice(cut.index + cut[0].length).trim() : ''
  if (!cut || text.length < LONG_ENOUGH) return { order: instruction.replaceAll(/\s+/g, ' '), text: '' }
  return { order: instruction.slice(0, cut.index), text }
}

// What stands after "summarise", "the key points of", …, without what goes around a title.
function subjectOf(order: string): string {
  const after = order.slice(order.search(SUMMARISE)).replace(SUMMARISE, '').replaceAll(LENGTH, ' ')
  return bare(tidy(after.replace(/^\s*(?:of|from|for|in)\b/i, '')))
    .replace(/^(?:documents?|files?|pages?|articles?|texts?)\b(?: (?:called|named|titled|entitled))?\s*/i, '')
    .replace(/\s+(?:document|file)$/i, '')
}

const tidy = (subject: string): string =>
  subject
    .replaceAll(/["“”«»]/g, ' ')
    .replace(/[\s.?!:;,]+$/, '')
    .replace(/\b(?:please|for me|in (?:your|his|her) own words|briefly|shortly|in short|in detail)\b/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\s.?!:;,]+$/, '')

const bare = (subject: string): string => subject.replace(/^(?:the|this|that|a|an|my|your|it)\b\s*/i, '')

const quotedIn = (order: string): string[] =>
  [...order.matchAll(/"([^"]+)"|“([^”]+)”|«([^»]+)»|'([^']{3,})'/g)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? match[4])!.trim(),
  )

const LENGTH = new RegExp(
  '\\b(?:in|as|to|with|using|give me|at most|no more than|up to)?\\s*' +
    `\\b(a single|\\d{1,3}|${numberWords(1, 12)})\\s+(?:short |key |main |bullet |important )*` +
    '(sentences?|points?|bullets?|lines?|words?|facts?|ideas?)\\b',
  'gi',
)
const BRIEFLY = /\b(?:briefly|shortly|in short|tl;?dr)\b/i

function lengthOf(order: string): Length {
  const [found] = order.matchAll(LENGTH)
  if (!found) return BRIEFLY.test(order) ? { sentences: 2 } : {}
  const word = found[1]!.toLowerCase()
  const count = Math.max(1, word === 'a single' ? 1 : (numberFromWord(word) ?? Number(word)))
  return found[2]!.toLowerCase().startsWith('word') ? { words: count } : { sentences: count }
}

// A subject without the words that lead to it.
export const withoutAbout = (subject: string): string => subject.replace(/^(?:about|on) (?:(?:the|my|your) )?/i, '')
