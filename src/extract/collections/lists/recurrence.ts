// How an event repeats, in a sentence. It is told, not expanded: a rule may have no end.

import type { Component } from './content-lines.ts'
import { linesNamed, wordsOf } from './content-lines.ts'
import { dayWords, type Moment, type Zones } from './when.ts'

const UNITS: Record<string, string> = {
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const DAYS: Record<string, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const ORDINALS: Record<string, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth', '-1': 'last' }
const VALUES = 12
const EXCEPTIONS = 10

// "It repeats every week on Monday and Friday, until 30 June 2024, but not on 10 May 2024." Empty where it does not.
export function recurrenceWords(event: Component, zones: Zones): string {
  const rule = new Map(
    wordsOf(event, 'RRULE')
      .split(';', 32)
      .map((part) => [part.slice(0, part.indexOf('=')).toUpperCase(), part.slice(part.indexOf('=') + 1)] as const),
  )
  const unit = UNITS[rule.get('FREQ') ?? '']
  if (!unit) return ''
  const interval = Number(rule.get('INTERVAL') ?? 1)
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`
  const times = rule.get('COUNT')
  const until = zones.momentOf({ group: '', name: '', parameters: new Map(), value: rule.get('UNTIL') ?? '' })
  const parts = [
    `${every}${onWords(rule)}`,
    times ? `${Number(times)} times` : '',
    until ? `until ${dayWords(until.clock, { weekday: false })}` : '',
    exceptWords(event, zones),
  ]
  return `It repeats ${parts.filter(Boolean).join(', ')}.`
}

function onWords(rule: Map<string, string>): string {
  const of = (name: string) => rule.get(name)?.split(',', VALUES).filter(Boolean) ?? []
  const position = ORDINALS[rule.get('BYSETPOS') ?? '']
  const days = of('BYDAY').flatMap((day) => {
    const [, nth, name] = /^([+-]?\d{0,2})([A-Z]{2})$/.exec(day.toUpperCase()) ?? []
    const ordinal = ORDINALS[nth?.replace('+', '') ?? ''] ?? position
    return name && DAYS[name] ? [ordinal ? `the ${ordinal} ${DAYS[name]}` : DAYS[name]] : []
  })
  const dates = of('BYMONTHDAY').map((day) => (day === '-1' ? 'the last day' : `day ${Number(day)}`))
  const months = of('BYMONTH').flatMap((month) => MONTHS[Number(month) - 1] ?? [])
  const on = [...days, ...dates]
  return [on.length > 0 && ` on ${joined(on)}`, months.length > 0 && ` in ${joined(months)}`].filter(Boolean).join('')
}

function exceptWords(event: Component, zones: Zones): string {
  const moments = linesNamed(event, 'EXDATE')
    .flatMap((line) => line.value.split(',', EXCEPTIONS * 10).map((value) => zones.momentOf({ ...line, value })))
    .filter((moment): moment is Moment => moment !== null)
  if (moments.length === 0) return ''
  const days = moments.slice(0, EXCEPTIONS).map(({ clock }) => dayWords(clock, { weekday: false }))
  if (moments.length > EXCEPTIONS) days.push(`${moments.length - EXCEPTIONS} other days`)
  return `but not on ${joined(days)}`
}

export const joined = (words: string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
