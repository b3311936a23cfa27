// Calendars: the .ics files that every calendar program exports (RFC 5545), a document for each event.

import type { Item } from '../../../ports/collections.ts'
import { limits } from '../../limits.ts'
import { type Context, type Format, itemOf, shortName } from '../format.ts'
import type { SourceFile } from '../source.ts'
import {
  type Component,
  componentsIn,
  isComponent,
  type Line,
  lineOf,
  linesNamed,
  plain,
  wordsOf,
} from './content-lines.ts'
import { joined, recurrenceWords } from './recurrence.ts'
import { createZones, dayWords, endOf, spanWords, type Zones } from './when.ts'

export const calendar: Format = {
  name: 'Calendar',
  matches: (head) => /^\ufeff?\s{0,99}BEGIN:VCALENDAR\s/i.test(head),
  async *read(files, context) {
    for (const file of files) yield* readCalendar(file, context)
  },
}

const KINDS = ['VEVENT', 'VTODO', 'VJOURNAL', 'VTIMEZONE', 'VFREEBUSY']
const PEOPLE = 20

async function* readCalendar(file: SourceFile, context: Context): AsyncGenerator<Item> {
  const zones = createZones()
  let name = ''
  for await (const one of componentsIn(file, KINDS)) {
    if (!isComponent(one)) {
      if (one.name === 'X-WR-CALNAME' || (one.name === 'NAME' && !name)) name = plain(one.value).trim()
      if (one.name === 'X-WR-TIMEZONE') zones.setOwn(one.value.trim())
    } else if (one.kind === 'VTIMEZONE') zones.describe(one)
    else if (one.kind !== 'VEVENT') context.leaveOut('tasks and other entries that are no events')
    else yield* readEvent(one, name, zones, context)
  }
}

function* readEvent(event: Component, calendarName: string, zones: Zones, context: Context): Generator<Item> {
  if (/^cancelled$/i.test(wordsOf(event, 'STATUS'))) return context.leaveOut('cancelled events')
  const start = zones.momentOf(lineOf(event, 'DTSTART'))
  const title = wordsOf(event, 'SUMMARY')
  if (!start || !title) return context.leaveOut('events without a name or a time')
  const end = endOf(event, start, zones)
  const place = wordsOf(event, 'LOCATION').replaceAll(/\s+/g, ' ')
  const instead = zones.momentOf(lineOf(event, 'RECURRENCE-ID'))
  const uid = wordsOf(event, 'UID') || `${title} ${start.instant.toISOString()}`
  const text = [
    // Not with a colon: nobody named “Dentist” says this.
    `${title}, ${spanWords(start, end)}${place ? `, at ${place}` : ''}.`,
    instead ? `This one takes the place of the one on ${dayWords(instead.clock)}.` : '',
    recurrenceWords(event, zones),
    peopleWords(event),
    wordsOf(event, 'DESCRIPTION'),
  ]
  yield itemOf({
    name: `calendar/${shortName(instead ? `${uid} ${instead.instant.toISOString()}` : uid)}`,
    title,
    text: text.filter(Boolean).join('\n').slice(0, limits.collectionItemCharacters),
    time: start.instant,
    endTime: end && end.instant > start.instant ? end.instant : null,
    tags: [
      ...(calendarName ? [calendarName] : []),
      ...linesNamed(event, 'CATEGORIES').flatMap(({ value }) => value.split(',', PEOPLE)),
    ],
    source: 'Calendar',
    counts: { events: 1 },
  })
}

function peopleWords(event: Component): string {
  const coming = linesNamed(event, 'ATTENDEE').filter(({ parameters }) => parameters.get('PARTSTAT') !== 'DECLINED')
  const declined = linesNamed(event, 'ATTENDEE').filter(({ parameters }) => parameters.get('PARTSTAT') === 'DECLINED')
  const organizer = lineOf(event, 'ORGANIZER')
  const sentences = [
    coming.length > 0 && `With ${namesIn(coming)}.`,
    organizer && `Organised by ${nameOf(organizer)}.`,
    declined.length > 0 && `Declined by ${namesIn(declined)}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

const nameOf = ({ parameters, value }: Line): string =>
  parameters.get('CN')?.trim() || value.replace(/^mailto:/i, '').trim() || 'somebody'

function namesIn(people: Line[]): string {
  const names = [...new Set(people.map(nameOf))]
  return joined(names.length > PEOPLE ? [...names.slice(0, PEOPLE), `${names.length - PEOPLE} others`] : names)
}
