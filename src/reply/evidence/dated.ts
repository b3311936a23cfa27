// Times that a memory speaks of, told as dates: "yesterday" in a note of 8 May 2023 is 7 May 2023.
import type { Recollection } from '../../domain/memory.ts'
import { type Named, namedTime, relativeTime } from '../../language/times.ts'

const DAY = 24 * 60
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

export type Told = { at: Date; words: string }

// Only notes and turns say "yesterday" of their own time; a page of a book does not.
export const isDated = ({ memory, title }: Recollection): boolean => title === '' || memory.place.speaker !== null

// "Yesterday" and its like, as the date they mean.
export function timeTold(sentence: string, time: Date): Told | null {
  const named = relativeTime(sentence, time)
  return named && told(named)
}

// When something was, by a memory that speaks of it: the time its sentence names, else the time it was told.
export function timeOf(recollection: Recollection, sentence: string): Told | null {
  const { time } = recollection.memory
  const named = isDated(recollection) ? namedTime(sentence, time) : absoluteTime(sentence, time)
  if (named) return told(named)
  return isDated(recollection) ? { at: time, words: day(time) } : null
}

// A page tells a day only where it names its year, too.
function absoluteTime(sentence: string, time: Date): Named | null {
  if (!/\b(?:1[5-9]|20)\d{2}\b/.test(sentence) || relativeTime(sentence, time)) return null
  return namedTime(sentence, time)
}

const told = (named: Named): Told => ({ at: new Date(named.from * 60_000), words: wordsFor(named) })

function wordsFor({ from, length, about }: Named): string {
  const start = new Date(from * 60_000)
  if (about) {
    const middle = new Date((from + length / 2) * 60_000)
    if (length > 300 * DAY) return `about ${middle.getUTCFullYear()}`
    if (length > 20 * DAY) return `about ${monthOf(middle)}`
    return length > 3 * DAY ? `about ${day(middle)}` : day(middle)
  }
  if (length > 300 * DAY) return String(start.getUTCFullYear())
  if (length > 20 * DAY) return monthOf(start)
  if (length >= 7 * DAY) return `the week of ${day(start)}`
  return length > DAY ? `the weekend of ${day(new Date(start.getTime() + DAY * 60_000))}` : day(start)
}

export const day = (date: Date): string => `${date.getUTCDate()} ${monthOf(date)}`
const monthOf = (date: Date): string => `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`

// How far two days are apart, as people say it.
export function apart(one: Date, two: Date, unit?: 'day' | 'week' | 'month' | 'year'): string {
  const days = Math.round(Math.abs(two.getTime() - one.getTime()) / 86_400_000)
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (unit === 'week') return counted(Math.round((days / 7) * 10) / 10, 'week')
  if (unit === 'month') return counted(Math.round((days / 30.44) * 10) / 10, 'month')
  if (unit === 'year') return counted(Math.round((days / 365.25) * 10) / 10, 'year')
  return counted(days, 'day')
}
