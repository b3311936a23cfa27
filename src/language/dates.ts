// Times written out as people say them: "8 May 2023", "about February 2023", "2 weeks".
import { MONTH, MONTHS, type NamedTime, namedTime, relativeTime } from './times.ts'

const DAY = 24 * 60

// A moment and the words for it.
export type SpokenTime = { at: Date; middle: Date; words: string; isDay: boolean }

// "Yesterday" and its like, as the date they mean; null for a sentence that names its time by a date, or not at all.
export function resolveRelativeTime(sentence: string, saidAt: Date): SpokenTime | null {
  const named = relativeTime(sentence, saidAt)
  return named && speak(named)
}

// Any time that a sentence names.
export function resolveTime(sentence: string, saidAt: Date): SpokenTime | null {
  const named = namedTime(sentence, saidAt)
  return named && speak(named)
}

// The same for a page, which names a day only where it names its year, too.
export function resolveFullDate(sentence: string, saidAt: Date): SpokenTime | null {
  if (!/\b(?:1[5-9]|20)\d{2}\b/.test(sentence) || relativeTime(sentence, saidAt)) return null
  return resolveTime(sentence, saidAt)
}

const speak = (named: NamedTime): SpokenTime => ({
  at: new Date(named.from * 60_000),
  middle: new Date((named.from + named.length / 2) * 60_000),
  words: wordsFor(named),
  isDay: named.length <= 7 * DAY,
})

function wordsFor({ from, length, about }: NamedTime): string {
  const start = new Date(from * 60_000)
  if (about) {
    const middle = new Date((from + length / 2) * 60_000)
    if (length > 300 * DAY) return `about ${middle.getUTCFullYear()}`
    if (length > 20 * DAY) return `about ${formatMonth(middle)}`
    return length > 3 * DAY ? `about ${formatDay(middle)}` : formatDay(middle)
  }
  if (length > 300 * DAY) return String(start.getUTCFullYear())
  if (length > 20 * DAY) return formatMonth(start)
  if (length >= 7 * DAY) return `the week of ${formatDay(start)}`
  return length > DAY ? `the weekend of ${formatDay(new Date(start.getTime() + DAY * 60_000))}` : formatDay(start)
}

export const formatDay = (date: Date): string => `${date.getUTCDate()} ${formatMonth(date)}`

function formatMonth(date: Date): string {
  const month = MONTHS[date.getUTCMonth()]!
  return `${month[0]!.toUpperCase()}${month.slice(1)} ${date.getUTCFullYear()}`
}

// A date in every way of writing it.
export const writeDate = (time: Date): string =>
  `${time.toISOString().slice(0, 10)} ${LONG_DATE.format(time)} ${SHORT_DATE.format(time)}`

const fields = { year: 'numeric', day: 'numeric', timeZone: 'UTC' } as const
const LONG_DATE = new Intl.DateTimeFormat('en', { ...fields, month: 'long', weekday: 'long' })
const SHORT_DATE = new Intl.DateTimeFormat('en', { ...fields, month: 'short' })

// How long ago something was, in the unit people would use.
export function formatAge(then: Date, now: Date): string {
  const days = (now.getTime() - then.getTime()) / 86_400_000
  if (days >= 2 * 365.25) return `about ${Math.round(days / 365.25)} years`
  if (days >= 60) return `about ${Math.round(days / 30.44)} months`
  return formatDistance(then, now)
}

const YEAR = '((?:1[5-9]|20)\\d\\d)'
const TO = '(?: to | until | till | ?[–—-] ?)'
const EVENT = '(?:the [a-z]{2,20} (?:of|in) )?' // "until the fire of 1911"
const YEARS = new RegExp(`(?<!\\d[-–—])\\b(?:between ${YEAR} and |${YEAR}${TO})${EVENT}${YEAR}\\b(?![-–—]\\d)`, 'i')
const DAYS = new RegExp(
  `\\b(?:from|between)(?: the)? (\\d{1,2})(?:st|nd|rd|th)?(?:${TO}| and )(?:the )?(\\d{1,2})(?:st|nd|rd|th)? ${MONTH}`,
  'i',
)

// How long a time is that a text names by its ends: "from 2021 to 2024", "from 5 to 16 August".
export function formatSpan(text: string): string | null {
  const [, between, from, to] = YEARS.exec(text) ?? []
  const years = Number(to) - Number(between ?? from)
  if (years > 0) return years === 1 ? 'about a year' : `about ${years} years`
  const [, first, last] = DAYS.exec(text) ?? []
  const days = Number(last) - Number(first) + 1
  return days > 1 ? `${days} days` : null
}

export type TimeUnit = 'day' | 'week' | 'month' | 'year'

// How far two days are apart, as people say it.
export function formatDistance(one: Date, two: Date, unit?: TimeUnit): string {
  const days = Math.round(Math.abs(two.getTime() - one.getTime()) / 86_400_000)
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (unit === 'week') return counted(Math.round((days / 7) * 10) / 10, 'week')
  if (unit === 'month') return counted(Math.round((days / 30.44) * 10) / 10, 'month')
  if (unit === 'year') return counted(Math.round((days / 365.25) * 10) / 10, 'year')
  return counted(days, 'day')
}
