// Times as people name them ("in May 2023", "last week", "two days ago"), relative to a moment.
import { numberFromWord, numberWords } from './numbers.ts'
import { contentWords } from './words.ts'

// Minutes since 1970, both ends included.
export type TimeRange = { from: number; to: number }

const DAY = 24 * 60
// People report things some days after they happened.
const REPORTED_LATER = 7 * DAY

export function timeIn(question: string, at: Date): TimeRange | null {
  const text = question.toLowerCase()
  const named = absolute(text, at) ?? relative(text, at, weekdayAsked)
  if (!named) return null
  const { from, to, start, length } = named
  const before = /\b(before|until|prior to|by)\s+(?:the\s+)?$/.test(text.slice(0, start))
  const after = /\b(after|since|from)\s+(?:the\s+)?$/.test(text.slice(0, start))
  if (before) return { from: -Infinity, to: from }
  if (after) return { from, to: Infinity }
  return length <= 31 * DAY ? { from, to: to + REPORTED_LATER } : { from, to }
}

const OF_TIME = new Set(
  'happen happened happening going go went been year month week day summer winter spring autumn last this'.split(' '),
)

// "What did you do in 2024?" names a time and nothing else.
export const namesTimeAlone = (question: string): boolean =>
  contentWords(question).every((word) => OF_TIME.has(word) || MONTHS.includes(word) || /^\d/.test(word))

// A time as the words name it: `start` is where in the text, `length` in minutes, `about` where nobody means it
// exactly.
export type NamedTime = TimeRange & { start: number; length: number; about?: true }

export function namedTime(words: string, at: Date): NamedTime | null {
  const text = words.toLowerCase()
  return absolute(text, at) ?? relative(text, at, weekdayTold)
}

// Only where the words count from the moment they were said: "yesterday", not "8 May".
export function relativeTime(words: string, at: Date): NamedTime | null {
  const text = words.toLowerCase()
  return absolute(text, at) ? null : relative(text, at, weekdayTold)
}

const between = (from: number, to: number, start: number): NamedTime => ({ from, to: to - 1, start, length: to - from })
const minuteOf = (year: number, month: number, day = 1): number => Date.UTC(year, month, day) / 60_000

export const MONTHS = 'january february march april may june july august september october november december'.split(' ')
export const MONTH = `(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`
const monthOf = (name: string): number => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)))

const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b/
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+${MONTH}(?:,?\\s+(\\d{4}))?\\b`)
const MONTH_DAY = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4})\\b)?`)
const MONTH_YEAR = new RegExp(`\\b${MONTH},?\\s+(?:of\\s+)?(\\d{4})\\b`)
// "may" and "march" alone are verbs more often than months.
const IN_MONTH = new RegExp(`\\b(?:in|during|last|this|since|before|after|until)\\s+${MONTH}\\b`)
const IN_YEAR = /\b(?:in|during|since|before|after|until|of|your|my|our)\s+((?:19|20)\d{2})\b/

function absolute(text: string, at: Date): NamedTime | null {
  let match = ISO_DAY.exec(text)
  if (match) return aDay(Number(match[1]), Number(match[2]) - 1, Number(match[3]), match.index)
  match = DAY_MONTH.exec(text)
  if (match) return aDay(yearOf(match[3], monthOf(match[2]!), at), monthOf(match[2]!), Number(match[1]), match.index)
  match = MONTH_DAY.exec(text)
  if (match) return aDay(yearOf(match[3], monthOf(match[1]!), at), monthOf(match[1]!), Number(match[2]), match.index)
  match = MONTH_YEAR.exec(text)
  if (match) return aMonth(Number(match[2]), monthOf(match[1]!), match.index)
  match = IN_MONTH.exec(text)
  if (match) {
    const month = monthOf(match[1]!)
    return aMonth(yearOf(undefined, month, at), month, match.index + match[0].lastIndexOf(match[1]!))
  }
  match = IN_YEAR.exec(text)
  if (match) {
    const year = Number(match[1])
    return between(minuteOf(year, 0), minuteOf(year + 1, 0), match.index + match[0].indexOf(match[1]!))
  }
  return null
}

const aDay = (year: number, month: number, day: number, start: number) =>
  between(minuteOf(year, month, day), minuteOf(year, month, day + 1), start)
const aMonth = (year: number, month: number, start: number) =>
  between(minuteOf(year, month), minuteOf(year, month + 1), start)

// Without a year, the last one that has had this month.
const yearOf = (given: string | undefined, month: number, at: Date): number =>
  given ? Number(given) : at.getUTCFullYear() - (month > at.getUTCMonth() ? 1 : 0)

const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const AGO = new RegExp(`\\b(\\d{1,3}|an?|a few|a couple of|${numberWords(0, 12)})\\s+(day|week|month|year)s?\\s+ago\\b`)
const DAYS_ON: Record<string, number> = { yesterday: -1, 'last night': -1, tomorrow: 1 }
const LAST = /\b(last|this|past|next)\s+(week|weekend|month|year)\b/
const LAST_WEEKDAY = new RegExp(`\\blast\\s+(${WEEKDAYS.join('|')})\\b`)
const ASKED_WEEKDAY = new RegExp(`\\b(?:last|on)\\s+(${WEEKDAYS.join('|')})\\b`)

type Weekday = (text: string, at: Date) => NamedTime | null

function relative(text: string, at: Date, weekday: Weekday): NamedTime | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  let match = /\b(today|tonight|yesterday|tomorrow|last night|this (?:morning|afternoon|evening))\b/.exec(text)
  if (match) return aDay(year, month, day + (DAYS_ON[match[1]!] ?? 0), match.index)
  match = AGO.exec(text)
  if (match) return ago(match, at)
  const named = weekday(text, at)
  if (named) return named
  match = LAST.exec(text)
  if (!match) return null
  const on = match[1] === 'this' ? 0 : match[1] === 'next' ? 1 : -1
  if (match[2] === 'year') return between(minuteOf(year + on, 0), minuteOf(year + on + 1, 0), match.index)
  if (match[2] === 'month') return aMonth(year, month + on, match.index)
  const monday = day - ((at.getUTCDay() + 6) % 7) + 7 * on
  const first = match[2] === 'weekend' ? monday + 4 : monday
  return between(minuteOf(year, month, first), minuteOf(year, month, monday + 7), match.index)
}

function weekdayAsked(text: string, at: Date): NamedTime | null {
  const match = ASKED_WEEKDAY.exec(text)
  return match && weekdayFrom(match, at, -1)
}

// The nearest such day before or after.
function weekdayFrom(match: RegExpExecArray, at: Date, on: -1 | 1): NamedTime {
  const ahead = (WEEKDAYS.indexOf(match[1]!) - at.getUTCDay() + 7) % 7
  const days = on === 1 ? ahead || 7 : ahead - 7
  return aDay(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days, match.index)
}

const WEEKDAY = new RegExp(
  `(?<!\\b(?:every|each|until|till|by|from|to|and|or|before|after|since) )\\b(${WEEKDAYS.join('|')})\\b`,
)
const CLAUSE = /[^,;.!?\n]+/g
const WAS = new RegExp(
  '\\b(?:was|were|had|did|done|went|came|got|took|saw|met|bought|sold|lost|won|gave|made|said|told|left|born|began|' +
    'broke|brought|built|caught|drove|ate|fell|felt|found|flew|kept|led|heard|held|paid|ran|rang|sang|sat|sent|slept|' +
    'spoke|spent|stood|stole|taught|threw|woke|wrote|(?!closed|hundred|indeed|speed|breed|need)[a-z]{2,20}ed)\\b',
)
const WILL = /\b(?:will|going to|next)\b|['’]ll\b|(?:\b(?:is|are|am)|['’](?:s|re|m)) [a-z]{2,20}ing\b/

// "Kees died Sunday", told in a note: the day before or after it that is meant, by the clause it stands in. "Closed on
// Monday" means every Monday, and "Funeral on Friday" may be either.
function weekdayTold(text: string, at: Date): NamedTime | null {
  const last = LAST_WEEKDAY.exec(text)
  if (last) return weekdayFrom(last, at, -1)
  for (const [clause] of text.matchAll(CLAUSE)) {
    const match = WEEKDAY.exec(clause)
    if (match && WILL.test(clause)) return weekdayFrom(match, at, 1)
    if (match && WAS.test(clause)) return weekdayFrom(match, at, -1)
  }
  return null
}

// "Two weeks ago" is about two weeks ago: half a unit to each side.
function ago(match: RegExpExecArray, at: Date): NamedTime {
  const word = match[1]!
  const few = word === 'a couple of' ? 2 : word.startsWith('a') ? (word === 'a few' ? 3 : 1) : Number(word)
  const count = numberFromWord(word) ?? few
  const unit = { day: DAY, week: 7 * DAY, month: 30.4 * DAY, year: 365.25 * DAY }[match[2]!]!
  const middle = Math.floor(at.getTime() / 60_000) - count * unit
  const slack = match[2] === 'day' ? DAY : unit / 2
  return { ...between(Math.floor(middle - slack), Math.floor(middle + slack), match.index), about: true }
}

const TIME = new RegExp(
  `\\d|\\b(?:${MONTHS.join('|')}|${WEEKDAYS.join('|')}|today|yesterday|tomorrow|tonight|ago|last|next|century|` +
    'morning|evening|afternoon|night|noon|midnight|spring|summer|autumn|fall|winter|weekend|week|month|year|' +
    'day|after|before|during|when|while|since|until)\\b',
  'i',
)

// Whether a text names a time at all, however loosely.
export const holdsTime = (text: string): boolean => TIME.test(text)

const DATE = new RegExp(
  `\\b(?:1\\d|20)\\d\\d\\b|\\b\\d{1,2}[:.]\\d\\d\\b|\\b(?:${MONTHS.join('|')}|${WEEKDAYS.join('|')}|century|` +
    'spring|summer|autumn|winter|christmas|easter)\\b',
  'i',
)

// Whether it names one that can be looked up: "it rained all day" does not.
export const namesDate = (text: string): boolean => DATE.test(text)

const DURATION = new RegExp(
  `(?:\\d|\\b(?:${numberWords(1, 12)}|an?|few|several|many|half|dozen|twenty|thirty|forty|fifty|sixty))[\\s-]+` +
    '(?:\\w+[\\s-]+)?(?:years?|months?|weeks?|days?|hours?|minutes?|decades?|nights?)\\b|\\baged?\\b|\\bold\\b',
  'i',
)

// Whether a text gives a length of time or an age.
export const holdsDuration = (text: string): boolean => DURATION.test(text)

const IS_NOW = new RegExp(
  '\\b(?:is|are|am|do|does|has|have|(?:can|may) (?:i|we)|current|currently|now|latest|' +
    "(?:what|who|where|when|how)s)\\b|['’]s\\b",
  'i',
)
const WAS_THEN = new RegExp(
  '\\b(?:was|were|did|had|first|before|after|ago|last|original|originally|previous|previously|initial|initially|' +
    'used to)\\b|\\b\\d{4}\\b',
  'i',
)

// Whether a question asks for what is so now.
export const asksForNow = (question: string): boolean => IS_NOW.test(question) && !WAS_THEN.test(question)

const STRESSED =
  /\b(?:now|nowadays|these days|currently|current|at the moment|by now|today|still|latest|lately|any ?more)\b/i

// Whether it stresses that: as though it might have been otherwise before.
export const stressesNow = (question: string): boolean => STRESSED.test(question)
