// Cards and résumés written with class names: h-card and h-resume, and their elders vcard and hresume.

import type { Page, PageElement } from './facts.ts'

export type Card = { kind: 'card' | 'resume'; name: string | null; lines: string[]; length: number }

// Old names that need no prefix.
const elders = new Set(
  'fn org organization-name organization-unit title role adr street-address extended-address locality region postal-code country-name post-office-box label tel email url nickname note bday category geo tz uid given-name family-name additional-name honorific-prefix honorific-suffix sort-string summary contact experience education skill affiliation dtstart dtend location description'.split(
    ' ',
  ),
)
const roots = '.h-card, .vcard, .h-resume, .hresume'
const inner = `${roots}, .h-event, .vevent, .h-adr, .adr, .h-geo, .h-entry, .hentry`

export function cardsIn(page: Page): Card[] {
  return [...page.querySelectorAll(roots)]
    .filter((element) => !element.parentElement?.closest(roots))
    .slice(0, 200)
    .map((element) => {
      const found = propertiesOf(element)
      const implied = found.has('name') || found.has('fn') ? null : impliedName(element)
      const lines = [...found].map(([name, values]) => `${label(name)}: ${[...new Set(values)].join('; ')}`)
      return {
        kind: /\bh-?resume\b/.test(element.getAttribute('class') ?? '') ? ('resume' as const) : ('card' as const),
        name: found.get('name')?.[0] ?? found.get('fn')?.[0] ?? implied,
        lines: implied ? [`Name: ${implied}`, ...lines] : lines,
        length: element.textContent?.replace(/\s+/g, ' ').length ?? 0,
      }
    })
}

function propertiesOf(root: PageElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const element of [...root.querySelectorAll('[class]')].slice(0, 5_000)) {
    for (const name of (element.getAttribute('class') ?? '').split(/\s+/)) {
      const property = /^(?:p|u|dt|e)-([a-z][a-z-]*)$/.exec(name)?.[1] ?? (elders.has(name) ? name : null)
      if ((property === 'name' || property === 'fn') && element.parentElement?.closest(inner) !== root) continue
      const value = property && property !== 'photo' && property !== 'logo' ? writtenIn(element, name) : ''
      if (property && value) found.set(property, [...(found.get(property) ?? []), value])
    }
  }
  return found
}

function writtenIn(element: PageElement, name: string): string {
  const parts = [...element.querySelectorAll('.value')].map(
    (part) => part.getAttribute('title') ?? part.textContent ?? '',
  )
  if (parts.length > 0) return clean(parts.join(''))
  if (name.startsWith('dt-') || /^(bday|dtstart|dtend)$/.test(name)) {
    const written = element.getAttribute('datetime') ?? element.getAttribute('title')
    if (written) return clean(written)
  }
  const words = clean(element.textContent ?? '')
  const hidden = element.getAttribute('title') ?? element.getAttribute('alt') ?? element.getAttribute('value')
  if (/^(abbr|data|img|area|input)$/i.test(element.nodeName) && hidden) return clean(hidden)
  if (name.startsWith('u-') || name === 'url' || name === 'email') {
    const address = element
      .getAttribute('href')
      ?.replace(/^mailto:/, '')
      .split('?', 1)[0]
    if (address && address !== words) return clean(words ? `${words} (${address})` : address)
  }
  return words
}

function impliedName(element: PageElement): string | null {
  const picture = element.querySelector('img[alt], area[alt]')
  const given = /^(abbr)$/i.test(element.nodeName)
    ? element.getAttribute('title')
    : /^(img|area)$/i.test(element.nodeName)
      ? element.getAttribute('alt')
      : null
  return clean(given ?? element.textContent ?? '') || clean(picture?.getAttribute('alt') ?? '') || null
}

function label(name: string): string {
  const words = name === 'fn' ? 'name' : name.replace(/-/g, ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
