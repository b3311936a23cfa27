// Pages about a person: what their markup says of them, as lines one can read.

import { isOfType, linkedData, meta, type Page, type PageElement, type Thing } from './facts.ts'
import { type Card, cardsIn } from './microformats.ts'

export type Profile = { name: string | null; lines: string[] }

// Null where the page is about no person in particular: an article's author does not make it a profile.
export function readProfile(page: Page): Profile | null {
  const things = [...linkedData(page), ...microdata(page)]
  const isArticle = things.some((thing) => isOfType(thing, /(Article|Posting|VideoObject|Product|Event)$/))
  const person = things.find((thing) => isOfType(thing, /Person$/))
  const cards = cardsIn(page)
  const resume = cards.find((card) => card.kind === 'resume')
  const declared =
    /^profile$/.test(meta(page, 'og:type') ?? '') || things.some((thing) => isOfType(thing, /ProfilePage$/))
  if (!declared && !resume && (isArticle || (!person && !isAboutCard(page, cards)))) return null

  const lines = person ? linesOf(person) : []
  for (const card of resume ? [resume, ...cards.filter((other) => other !== resume)] : cards) lines.push(...card.lines)
  if (declared) lines.push(...graphLines(page))
  const name =
    text(person?.name) ??
    cards.find((card) => card.name)?.name ??
    joined(meta(page, 'profile:first_name'), meta(page, 'profile:last_name')) ??
    null
  return lines.length > 0 || name ? { name, lines: [...new Set(lines)] } : null
}

// One person's card that is a good part of the page.
function isAboutCard(page: Page, cards: Card[]): boolean {
  const whole = page.querySelector('body')?.textContent?.replace(/\s+/g, ' ').length ?? 0
  return cards.some((card) => card.length * 3 > whole)
}

function graphLines(page: Page): string[] {
  const name = joined(meta(page, 'profile:first_name'), meta(page, 'profile:last_name'))
  const description = meta(page, 'og:description') ?? meta(page, 'description')
  return [name && `Name: ${name}`, meta(page, 'og:title'), description].filter(
    (line) => line !== null && line !== undefined && line !== '',
  ) as string[]
}

const unread = new Set([
  '@type',
  '@id',
  '@context',
  '@graph',
  'image',
  'photo',
  'logo',
  'mainEntityOfPage',
  'interactionStatistic',
  'potentialAction',
])

function linesOf(thing: Thing): string[] {
  const lines: string[] = []
  for (const [key, value] of Object.entries(thing)) {
    if (unread.has(key)) continue
    const words = valueText(value, 0)
    if (words) lines.push(`${label(key)}: ${words}`)
  }
  return lines
}

// A thing inside is told by its name, and by what else it says: an address, an employer, a degree.
function valueText(value: unknown, depth: number): string {
  if (depth > 4) return ''
  if (typeof value === 'string')
    return value
      .replace(/^mailto:/, '')
      .replace(/\s+/g, ' ')
      .trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return value
      .slice(0, 100)
      .map((entry) => valueText(entry, depth + 1))
      .filter(Boolean)
      .join('; ')
  if (!value || typeof value !== 'object') return ''
  const thing = value as Thing
  if (typeof thing['@value'] === 'string') return thing['@value']
  const parts = Object.entries(thing).flatMap(([key, inner]) => {
    if (unread.has(key) || key === 'url' || key === 'sameAs') return []
    const words = valueText(inner, depth + 1)
    if (!words) return []
    return [
      /^(name|streetAddress|addressLocality|addressRegion|postalCode|addressCountry|extendedAddress)$/.test(key)
        ? words
        : `${label(key).toLowerCase()} ${words}`,
    ]
  })
  return parts.join(', ') || valueText(thing.url, depth + 1)
}

function label(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words[0]!.toUpperCase() + words.slice(1)
}

// schema.org in attributes instead of JSON.
function microdata(page: Page): Thing[] {
  const roots = [...page.querySelectorAll('[itemscope][itemtype*="schema.org"]')].filter(
    (element) => !element.closest('[itemprop][itemscope]'),
  )
  return roots.slice(0, 100).map((element) => itemOf(element, 0))
}

function itemOf(root: PageElement, depth: number): Thing {
  const thing: Thing = { '@type': (root.getAttribute('itemtype') ?? '').split(/[/\s]/).filter(Boolean).at(-1) }
  for (const element of root.querySelectorAll('[itemprop]')) {
    // Only what belongs to this thing, not to one inside it.
    const owner = element.parentElement?.closest('[itemscope]')
    if (owner !== root || depth > 4) continue
    const value = element.getAttribute('itemscope') !== null ? itemOf(element, depth + 1) : propertyOf(element)
    for (const name of (element.getAttribute('itemprop') ?? '').split(/\s+/)) {
      const before = thing[name]
      thing[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
    }
  }
  return thing
}

function propertyOf(element: PageElement): string {
  const written = element.getAttribute('content') ?? element.getAttribute('datetime')
  const words = element.textContent?.replace(/\s+/g, ' ').trim()
  return written ?? (words || (element.getAttribute('href') ?? element.getAttribute('value') ?? ''))
}

function joined(...parts: (string | null)[]): string | null {
  return parts.filter(Boolean).join(' ') || null
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() ? value.trim() : null
}
