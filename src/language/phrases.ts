// Every sentence the service answers with, beside what it quotes.
import type { Comparison } from './comparisons.ts'
import { formatDay, formatDistance, type SpokenTime } from './dates.ts'
import { describesYou, turnYouToI } from './persons.ts'
import { sentences } from './sentences.ts'
import type { SmallTalk } from './small-talk.ts'

export const capitalize = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

// With a full stop where a sentence has no end.
export const endSentence = (text: string): string => (/[.!?…:;”"')\]。！？：；」』）]$/.test(text) ? text : `${text}.`)

type Speaker = { name: string; instructions: string }

export function sayInReturn(talk: SmallTalk, persona: Speaker, userName: string | undefined): string {
  const named = userName ? `, ${userName}` : ''
  switch (talk) {
    case 'greeting':
      return `Hello${named}! I'm ${persona.name}. What would you like to know?`
    case 'wellbeing':
      return `I'm well, thank you${named}. What would you like to know?`
    case 'thanks':
      return `You're welcome${named}.`
    case 'goodbye':
      return `Goodbye${named}.`
    case 'ack':
      return 'Good. Ask me more whenever you like.'
    case 'sorry':
      return 'No harm done.'
    case 'praise':
      return `Thank you${named}.`
    case 'insult':
      return "I'm sorry that I was no help. I can only tell what is in my memory."
    case 'identity':
      return introduce(persona)
  }
}

const INTRODUCING = 2 // sentences of the instructions

export const introduce = (persona: Speaker): string =>
  introduceByInstructions(persona) ?? `I'm ${persona.name}. I answer from my memory.`

// Null where the instructions say nothing of who the persona is.
export function introduceByInstructions({ name, instructions }: Speaker): string | null {
  const about = sentences(instructions).filter(describesYou).slice(0, INTRODUCING).map(turnYouToI)
  if (about.length === 0) return null
  const saysName = /^I(?:'m| am) (\S+)\b/.exec(about[0]!)?.[1] === name.split(' ')[0]
  return [...(saysName ? [] : [`I'm ${name}.`]), ...about].join(' ')
}

// Whoever tells of themselves says who that is.
export function sayWithName(text: string, { name }: Pick<Speaker, 'name'>): string {
  const isNamed = name.split(/\s+/).some((word) => word.length > 3 && text.includes(word)) || text.includes(name)
  return isNamed ? text : `I'm ${name}. ${text}`
}

// After an introduction: what one may ask about.
export function sayHoldings(titles: string[], hasMore: boolean, notes: string[]): string[] {
  if (titles.length === 0 && notes.length === 0) return ['I have not been taught anything yet.']
  const named = [...titles.map((title) => `“${title}”`), ...(hasMore ? ['and more'] : [])].join(', ')
  return [
    ...(titles.length > 0 ? [`Ask me about ${named}.`] : []),
    ...(notes.length > 0 ? ['The latest I was told:', ...notes.map((note) => `- ${note}`)] : []),
  ]
}

const SURELY = 58 // percent
const PROBABLY = 50
const I_THINK = 'I think: '
const CLOSEST = 'The closest I have: '

export const isSure = (score: number): boolean => score >= SURELY

// As sure as the score is.
export function sayAsSure(score: number, text: string): string {
  if (isSure(score)) return text
  return `${score >= PROBABLY ? I_THINK : CLOSEST}${text}`
}

// What such a reply says, without how sure of it the persona was.
export const withoutHedge = (reply: string): string =>
  [I_THINK, CLOSEST].reduce((text, hedge) => (text.startsWith(hedge) ? text.slice(hedge.length) : text), reply)

export const sayUnknown = (nearest?: string | undefined): string =>
  ["I don't know that.", ...(nearest === undefined ? [] : [`${CLOSEST}${nearest}`])].join(' ')

const OWN_PHRASE = new RegExp(
  "^\\s*(?:[\\p{L}\\p{N} .'’-]{1,40}:\\s)?(?:I don['’]t (?:know that|have that in my memory)|" +
    "The (?:closest|nearest) I (?:have|know):|I['’]m sorry that I was no help|I answer from my memory|" +
    'I have not been taught anything)',
  'iu',
)

// What only the service says: a refusal of its own that was stored as a memory is no knowledge.
export const isOwnPhrase = (text: string): boolean => OWN_PHRASE.test(text.slice(0, 120))

export const quoteSpeaker = (speaker: string, time: Date, text: string): string =>
  `${speaker} said on ${formatDay(time)}: “${text}”`

export const sayWhen = (time: string, text: string): string => `${capitalize(time)}: ${text}`

export const sayYesOrNo = (isYes: boolean | null, text: string): string =>
  isYes === null || /^(?:yes|no)\b/i.test(text) ? text : `${isYes ? 'Yes' : 'No'}. ${text}`

export const sayBothSides = (earlier: string, later: string): string =>
  `My memory says both. ${earlier} But also: ${later}`

export const sayAlso = (time: Date, text: string): string => `My memory also says, on ${formatDay(time)}: “${text}”`

export const saySpan = (text: string, span: string): string => `${text} That is ${span}.`

export const sayAge = (text: string, age: string): string => `${text} That makes ${age}.`

// Things from several memories.
export const sayItems = (items: string[]): string => items.map(endSentence).join(' ').replaceAll('… …', '…')

export const sayCells = (cells: string[]): string =>
  endSentence(cells.join(cells.some((cell) => cell.includes(',')) ? '; ' : ', '))

// Worked out from a date, for whoever asks how long or how old.
export const sayAgo = (text: string, distance: string): string => `${text} That was ${distance} ago.`

export const sayCount = (items: string[]): string => `I count ${items.length}: ${items.join('; ')}.`

export const sayWithOrigin = (text: string, origin: string): string => (origin ? `${text} (${origin})` : text)

// "27 or 28. I was born on 9 May 1946. I married in 1974."
export const sayAgeThen = (age: string, told: string[]): string => [`${age}.`, ...new Set(told)].join(' ')

type DatedFact = { fact: string; time: SpokenTime }

export function sayComparison({ asks, unit }: Comparison, first: DatedFact, second: DatedFact): string {
  const dates = `${capitalize(first.fact)}: ${first.time.words}; ${second.fact}: ${second.time.words}.`
  const [one, two] = [first.time.at.getTime(), second.time.at.getTime()]
  if (asks === 'between') return `${capitalize(formatDistance(first.time.at, second.time.at, unit))}. ${dates}`
  if (one === two) return `At the same time, as far as I know. ${dates}`
  if (asks === 'order') return `${capitalize((one < two ? first : second).fact)} came first. ${dates}`
  return sayYesOrNo(one < two === (asks === 'before'), dates)
}

export const sayKnownAbout = (subject: string, lines: string[]): string =>
  [`What I know about ${subject}:`, ...lines].join('\n')

export const sayFromWeb = (results: string[]): string[] => ['', 'From the web:', ...results]

// A quotation in a numbered list.
export const numberQuote = (index: number, text: string, origin: string): string =>
  `${index + 1}. “${text}” (${origin})`
