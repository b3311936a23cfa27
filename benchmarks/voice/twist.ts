// Makes wrong statements of right ones, and right ones of other wording, by rule: no model writes here.
import { isDenied } from '../../src/language/language.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty'.split(' ')
const AUXILIARIES = /\b(is|was|are|were|has been|have been|had been|can|could|will|would|must|should)\b(?! not|n't)/

export type Twist = (statement: string, others: string) => string | undefined

// Undefined where a statement has nothing that could be twisted so.
export const twists = {
  negated: (statement) => {
    if (isDenied(statement)) return undefined
    if (AUXILIARIES.test(statement)) return statement.replace(AUXILIARIES, '$1 not')
    if (/\b(?:has|have|had) (?:a|an|two|three|four)\b/.test(statement))
      return statement.replace(/\b(has|have|had) (?:a|an|two|three|four)\b/, '$1 no')
    const never = statement.replace(/^(I|We|They|He|She) (?=[a-z]+)/, '$1 never ')
    return never === statement ? undefined : never
  },
  'other name': (statement, others) => {
    const [name] = namesIn(statement)
    const isAnother = (one: string) => !statement.includes(one) && !one.includes(name!) && one.length > 2
    const other = name && namesIn(others).find(isAnother)
    return name && other ? statement.replaceAll(name, other) : undefined
  },
  'other number': (statement) => {
    const figure = /\b\d+(?:[.,]\d+)*\b/.exec(statement)?.[0]
    if (figure) return statement.replace(figure, shift(figure))
    const word = NUMBERS.find((one) => new RegExp(`\\b${one}\\b`, 'i').test(statement))
    return (
      word &&
      statement.replace(new RegExp(`\\b${word}\\b`, 'i'), NUMBERS[(NUMBERS.indexOf(word) + 3) % NUMBERS.length]!)
    )
  },
  'other time': (statement) => {
    for (const names of [MONTHS, DAYS]) {
      const name = names.find((one) => new RegExp(`\\b${one}\\b`).test(statement))
      if (name) return statement.replace(new RegExp(`\\b${name}\\b`), names[(names.indexOf(name) + 2) % names.length]!)
    }
    const year = /\b(?:1[5-9]|20)\d\d\b/.exec(statement)?.[0]
    return year && statement.replace(year, String(Number(year) - 7))
  },
  // Someone else of the same memory, in the place of the one who did it.
  'other person': (statement, others) => {
    const [first, second] = namesIn(statement)
    if (first && second && areApart(statement, first, second))
      return statement.replaceAll(first, '\0').replaceAll(second, first).replaceAll('\0', second)
    const other = namesIn(others)[0]
    return /^I\b/.test(statement) && other
      ? statement.replace(/^I (?:am|was)\b/, `${other} was`).replace(/^I\b/, other)
      : undefined
  },
} satisfies Record<string, Twist>

// "Ann and Bea" says the same the other way round; "Ann" and "Ann Lind", or parts of one name, cannot change places.
const areApart = (statement: string, one: string, other: string): boolean =>
  !one.includes(other) &&
  !other.includes(one) &&
  !/^(?:,? (?:and|or|&))? $/.test(statement.slice(statement.indexOf(one) + one.length, statement.indexOf(other)))

export type TwistName = keyof typeof twists

const shift = (figure: string): string =>
  figure.replace(/\d+$/, (digits) =>
    String((Number(digits) + 3) % 10 ** digits.length || 4).padStart(digits.length, '1'),
  )

// Capitalised words within a sentence, for at its beginning every word is; none of the calendar's.
export function namesIn(text: string): string[] {
  const found = [...text.matchAll(/(?<=[a-z,;] )\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,})?/gu)].map(([name]) => name)
  return [...new Set(found)].filter((name) => ![...MONTHS, ...DAYS].includes(name.split(' ')[0]!.replace(/s$/, '')))
}

// The same in other words: what stands behind a comma or a preposition of time comes first, and some words have others.
export function paraphrase(statement: string): string | undefined {
  let text = statement
  for (const [word, other] of SYNONYMS) text = text.replace(new RegExp(`\\b${word}\\b`, 'g'), other)
  const moved = /^(.{12,}?),? ((?:in|on|since|after|before|during|at) (?:the )?(?:[A-Z0-9][^,.]{2,30}))\.$/.exec(text)
  if (moved) text = `${capital(moved[2]!)}, ${small(moved[1]!)}.`
  return text === statement ? undefined : text
}

const SYNONYMS: [string, string][] = [
  ['began', 'started'],
  ['started', 'began'],
  ['about', 'around'],
  ['because', 'since'],
  ['children', 'kids'],
  ['built', 'constructed'],
  ['big', 'large'],
  ['large', 'big'],
  ['called', 'named'],
  ['died', 'passed away'],
  ['buy', 'purchase'],
  ['bought', 'purchased'],
  ['got', 'received'],
  ['many', 'a lot of'],
  ['until', 'till'],
  ['also', 'too'],
  ['such as', 'like'],
  ['several', 'a number of'],
  ['often', 'frequently'],
  ['however', 'but'],
  ['lives', 'resides'],
  ['near', 'close to'],
  ['use', 'make use of'],
  ['used', 'made use of'],
  ['show', 'demonstrate'],
  ['important', 'significant'],
  ['every', 'each'],
  ['house', 'home'],
  ['wanted', 'wished'],
  ['gave', 'handed'],
]

// Up to the first comma or "and" behind what was asked for.
export function cutShort(statement: string, gold: string): string | undefined {
  const at = statement.toLowerCase().indexOf(gold.toLowerCase())
  if (at < 0) return undefined
  const rest = statement.slice(at + gold.length)
  const end = /^[^,;.]{0,40}?(?=,|;| and | because | which | with )/.exec(rest)?.[0]
  return end === undefined ? undefined : `${statement.slice(0, at + gold.length)}${end}.`
}

// "Who built the tower?" and "Ada" are "Ada built the tower."
export function state(question: string, answer: string): string | undefined {
  const asked = question.trim().replace(/\?+$/, '')
  const is = /^(?:What|Who) (is|was|are|were) (?!there|it|he|she|they)(.{6,80})$/i.exec(asked)
  if (is) return `${capital(is[2]!)} ${is[1]} ${answer}.`
  const subject =
    /^(?:Who|What|Which [a-z]+(?: [a-z]+)?|What [a-z]+(?: [a-z]+)?) (?!is |was |are |were |do |does |did |can |could |will |would |has |have |had |should )([a-z]+(?:s|ed) .{6,})$/.exec(
      asked,
    )
  return subject ? `${capital(answer)} ${subject[1]}.` : undefined
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const small = (text: string): string =>
  /^(?:I\b|I'|[A-Z][a-z]+ [A-Z])/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
