// The times of a calendar: an instant for sorting, and the words for it on the clock of its own zone.

import { timeOf } from '../json.ts'
import type { Component, Line } from './content-lines.ts'
import { lineOf, wordsOf } from './content-lines.ts'

// `clock`: what a clock there shows, written as if it were UTC.
export type Moment = { clock: Date; instant: Date; zone: string; isDay: boolean }

export type Zones = ReturnType<typeof createZones>

// The names that Outlook writes, of zones where many people live.
const OUTLOOK: Record<string, string> = {
  'w. europe standard time': 'Europe/Berlin',
  'romance standard time': 'Europe/Paris',
  'central europe standard time': 'Europe/Budapest',
  'central european standard time': 'Europe/Warsaw',
  'gmt standard time': 'Europe/London',
  'greenwich standard time': 'Atlantic/Reykjavik',
  'gtb standard time': 'Europe/Athens',
  'fle standard time': 'Europe/Helsinki',
  'russian standard time': 'Europe/Moscow',
  'turkey standard time': 'Europe/Istanbul',
  'israel standard time': 'Asia/Jerusalem',
  'arabian standard time': 'Asia/Dubai',
  'india standard time': 'Asia/Kolkata',
  'china standard time': 'Asia/Shanghai',
  'singapore standard time': 'Asia/Singapore',
  'tokyo standard time': 'Asia/Tokyo',
  'korea standard time': 'Asia/Seoul',
  'aus eastern standard time': 'Australia/Sydney',
  'new zealand standard time': 'Pacific/Auckland',
  'south africa standard time': 'Africa/Johannesburg',
  'e. south america standard time': 'America/Sao_Paulo',
  'argentina standard time': 'America/Buenos_Aires',
  'eastern standard time': 'America/New_York',
  'central standard time': 'America/Chicago',
  'mountain standard time': 'America/Denver',
  'pacific standard time': 'America/Los_Angeles',
}

const ZONES = 500

export function createZones() {
  const clocks = new Map<string, Intl.DateTimeFormat | null>()
  const described = new Map<string, { place: string; offsetMs: number }>()
  let ownZone = 'UTC'

  // Null where nobody knows the zone.
  const clockOf = (zone: string): Intl.DateTimeFormat | null => {
    const known = clocks.get(zone)
    if (known !== undefined) return known
    const made = clocks.size < ZONES ? clockFor(zone) : null
    clocks.set(zone, made)
    return made
  }
  // How far the clocks of a zone are ahead when they show this.
  const offsetAt = (zone: string, clock: Date): number => {
    const shown = clockOf(zone)
    if (!shown) return described.get(zone)?.offsetMs ?? 0
    const first = shownAt(shown, clock) - clock.getTime()
    return shownAt(shown, new Date(clock.getTime() - first)) - (clock.getTime() - first)
  }

  return {
    setOwn(zone: string): void {
      if (clockOf(zone)) ownZone = zone
    },
    // A zone as the calendar itself describes it.
    describe(component: Component): void {
      const standard = component.inner.find(({ kind }) => kind === 'STANDARD')
      const [, sign, hours, minutes] =
        /^([+-])(\d\d)(\d\d)/.exec((standard && wordsOf(standard, 'TZOFFSETTO')) ?? '') ?? []
      const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
      if (described.size < ZONES)
        described.set(wordsOf(component, 'TZID'), { place: wordsOf(component, 'X-LIC-LOCATION'), offsetMs })
    },
    momentOf(line: Line | undefined): Moment | null {
      const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?/.exec(
        line?.value.trim().replaceAll('-', '') ?? '',
      )
      if (!found) return null
      const [, year, month, day, hour, minute, second, utc] = found
      const clock = timeOf(`${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`)
      if (!clock) return null
      if (hour === undefined) return { clock, instant: clock, zone: '', isDay: true }
      const named = line!.parameters.get('TZID') ?? ''
      const place = OUTLOOK[named.toLowerCase()] ?? described.get(named)?.place
      const zone = utc ? 'UTC' : clockOf(named) && named ? named : place || named || ownZone
      return { clock, instant: new Date(clock.getTime() - offsetAt(zone, clock)), zone, isDay: false }
    },
  }
}

function clockFor(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  } catch {
    return null
  }
}

function shownAt(clock: Intl.DateTimeFormat, at: Date): number {
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!)
}

const DAY_MS = 24 * 60 * 60_000

export const dayWords = (clock: Date, { weekday = true } = {}): string =>
  clock
    .toLocaleDateString('en-GB', {
      ...(weekday && { weekday: 'long' }),
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    .replace(/^(\w+day),? /, '$1, ')
const hourWords = (clock: Date): string => clock.toISOString().slice(11, 16)

// "on Friday, 3 May 2024, 14:00 to 15:00 (Europe/Berlin)"
export function spanWords(start: Moment, end: Moment | null): string {
  if (start.isDay) {
    const last = end && new Date(end.clock.getTime() - DAY_MS) // the day behind the last one is written
    const isLonger = last && last > start.clock
    return isLonger ? `from ${dayWords(start.clock)} to ${dayWords(last)}` : `on ${dayWords(start.clock)}`
  }
  const zone = start.zone ? ` (${start.zone})` : ''
  const isSpan = end !== null && end.clock > start.clock
  if (!isSpan) return `on ${dayWords(start.clock)}, ${hourWords(start.clock)}${zone}`
  const isSameDay = end.clock.toISOString().slice(0, 10) === start.clock.toISOString().slice(0, 10)
  const until = isSameDay ? hourWords(end.clock) : `${dayWords(end.clock)}, ${hourWords(end.clock)}`
  return `${isSameDay ? 'on' : 'from'} ${dayWords(start.clock)}, ${hourWords(start.clock)} to ${until}${zone}`
}

// The end as it is written, or by how long it takes: "PT1H30M".
export function endOf(event: Component, start: Moment, zones: Zones): Moment | null {
  const end = zones.momentOf(lineOf(event, 'DTEND') ?? lineOf(event, 'DUE'))
  if (end) return end
  const [, weeks, days, hours, minutes] =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?)?/.exec(wordsOf(event, 'DURATION')) ?? []
  const ms =
    ((Number(weeks ?? 0) * 7 + Number(days ?? 0)) * 24 + Number(hours ?? 0)) * 3_600_000 + Number(minutes ?? 0) * 60_000
  if (ms === 0) return null
  return { ...start, clock: new Date(start.clock.getTime() + ms), instant: new Date(start.instant.getTime() + ms) }
}
