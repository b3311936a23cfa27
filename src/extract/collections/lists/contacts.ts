// Contacts: the .vcf files of phones and address books (vCard 2.1, 3.0 and 4.0), a document and so a memory for each.

import type { Item } from '../../../ports/collections.ts'
import { type Context, type Format, itemOf, MEDIA, shortName } from '../format.ts'
import {
  type Component,
  componentsIn,
  isComponent,
  type Line,
  lineOf,
  linesNamed,
  partsOf,
  plain,
  wordsOf,
} from './content-lines.ts'
import { joined } from './recurrence.ts'

export const contacts: Format = {
  name: 'Contacts',
  matches: (head) => /^\ufeff?\s{0,99}BEGIN:VCARD\s/i.test(head),
  async *read(files, context) {
    const names = new Map<string, number>()
    for (const file of files)
      for await (const one of componentsIn(file, ['VCARD'])) if (isComponent(one)) yield* readCard(one, names, context)
  },
}

const NOTE_CHARACTERS = 20_000
const VALUES = 20 // of one kind, such as phone numbers

function* readCard(card: Component, names: Map<string, number>, context: Context): Generator<Item> {
  if (lineOf(card, 'PHOTO') || lineOf(card, 'LOGO')) context.leaveOut(MEDIA)
  const name = nameOf(card)
  if (!name) return context.leaveOut('contacts without a name')
  const lines = [...factsOf(card, name)]
  if (lines.length === 0) return context.leaveOut('contacts of which only the name is known')
  const uid = wordsOf(card, 'UID')
  const times = (names.get(name.toLowerCase()) ?? 0) + 1
  if (!uid) names.set(name.toLowerCase(), times)
  yield itemOf({
    name: `contacts/${shortName(uid || `${name.toLowerCase()} ${times}`)}`,
    title: name,
    text: lines.join('\n'),
    tags: linesNamed(card, 'CATEGORIES').flatMap(({ value }) => partsOf(value, ',').slice(0, VALUES)),
    source: 'Contacts',
    counts: { contacts: 1 },
  })
}

function nameOf(card: Component): string {
  const [family, given, more, before, behind] = partsOf(lineOf(card, 'N')?.value ?? '')
  const whole = [before, given, more, family, behind].filter(Boolean).join(' ')
  const name =
    wordsOf(card, 'FN') ||
    whole ||
    partsOf(lineOf(card, 'ORG')?.value ?? '')
      .filter(Boolean)
      .join(', ')
  return name.replaceAll(/\s+/g, ' ').trim()
}

// A sentence for each, with the name: so each can be quoted alone.
function* factsOf(card: Component, name: string): Generator<string> {
  const own = name.endsWith('s') ? `${name}’` : `${name}’s`
  const some = (kind: string) => linesNamed(card, kind).slice(0, VALUES)
  const nicknames = some('NICKNAME')
    .flatMap(({ value }) => partsOf(value, ','))
    .filter(Boolean)
  if (nicknames.length > 0) yield `${name} is also called ${joined(nicknames)}.`
  const [title, company] = [
    wordsOf(card, 'TITLE') || wordsOf(card, 'ROLE'),
    partsOf(lineOf(card, 'ORG')?.value ?? '')
      .filter(Boolean)
      .join(', '),
  ]
  if (company && company !== name)
    yield title ? `${name} works at ${company} as ${title}.` : `${name} works at ${company}.`
  else if (title) yield `${name} works as ${title}.`
  const born = dayOf(lineOf(card, 'BDAY'))
  if (born) yield `${own} birthday is ${born}.`
  for (const line of [...some('ANNIVERSARY'), ...some('X-ANNIVERSARY'), ...some('X-ABDATE')]) {
    const day = dayOf(line)
    if (day) yield `${own} ${labelOf(card, line) || 'anniversary'} is ${day}.`
  }
  for (const line of some('TEL')) yield `${own} ${kindOf(card, line, 'phone number')} is ${bare(line.value, 'tel:')}.`
  for (const line of some('EMAIL'))
    yield `${own} ${kindOf(card, line, 'e-mail address')} is ${bare(line.value, 'mailto:')}.`
  for (const line of some('ADR')) {
    const [box, more, street, town, region, code, country] = partsOf(line.value)
    const place = [street, more, box, [code, town].filter(Boolean).join(' '), region, country].filter(Boolean)
    if (place.length > 0)
      yield `${own} ${kindOf(card, line, 'address')} is ${place.join(', ').replaceAll(/\s+/g, ' ')}.`
  }
  for (const line of [...some('RELATED'), ...some('X-ABRELATEDNAMES')])
    if (!/^urn:/i.test(line.value))
      yield `${own} ${labelOf(card, line) || typeOf(line) || 'relation'} is ${bare(line.value)}.`
  for (const line of some('URL')) yield `${own} website is ${bare(line.value)}.`
  const note = some('NOTE')
    .map(({ value }) => plain(value))
    .join('\n')
    .trim()
  if (note) yield `Note about ${name}. ${note.slice(0, NOTE_CHARACTERS)}`
}

const bare = (value: string, scheme = ''): string => {
  const words = plain(value).replaceAll(/\s+/g, ' ').trim()
  return words.toLowerCase().startsWith(scheme) ? words.slice(scheme.length) : words
}

const TYPES: Record<string, string> = { cell: 'mobile', mobile: 'mobile', home: 'home', work: 'work', fax: 'fax' }

const typeOf = ({ parameters }: Line): string =>
  (parameters.get('TYPE') ?? '')
    .toLowerCase()
    .split(',')
    .find((type) => /^(?:spouse|child|parent|sibling|friend|colleague|partner|kin|emergency)$/.test(type)) ?? ''

// "home phone number": by the words of the standard, or those the owner wrote.
function kindOf(card: Component, line: Line, what: string): string {
  const types = (line.parameters.get('TYPE') ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((type) => TYPES[type] ?? [])
  const label = labelOf(card, line)
  return [...new Set(label ? [label] : types), what].join(' ')
}

// Apple writes it in a line of its own: "item1.X-ABLabel:_$!<Mother>!$_".
function labelOf(card: Component, { group }: Line): string {
  if (!group) return ''
  const label = linesNamed(card, 'X-ABLABEL').find((line) => line.group === group)?.value ?? ''
  return bare(label.replace(/^_\$!</, '').replace(/>!\$_$/, ''))
    .toLowerCase()
    .slice(0, 40)
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

// "1980-05-03", "19800503T000000Z", "--0503", "1980-05"; Apple writes 1604 where the year is not known.
function dayOf(line: Line | undefined): string {
  const [, year, month, day] = /^(\d{4}|--)-?(\d\d)?-?(\d\d)?/.exec(line?.value.trim() ?? '') ?? []
  if (!year) return line?.parameters.get('VALUE')?.toLowerCase() === 'text' ? bare(line.value) : ''
  const isKnown = year !== '--' && year !== '1604'
  const words = [day && Number(day), month && MONTHS[Number(month) - 1], isKnown && year]
  return words.filter(Boolean).join(' ')
}
