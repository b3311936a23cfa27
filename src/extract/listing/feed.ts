// The entries of an RSS or Atom feed.
import { parseTime } from '../../domain/time.ts'
import type { FeedEntry, Listing } from '../../ports/listing.ts'
import { limits } from '../limits.ts'
import { all, child, childrenOf, type Element, readXml, textIn } from '../office/xml.ts'
import { absolute } from './address.ts'

export function readFeed(xml: string, base: string): Listing {
  const root = childrenOf(readXml(xml))[0]
  // In RSS 1.0 the items stand beside the channel.
  const channel = root?.name === 'feed' ? root : (child(root, 'channel') ?? root)
  const items = root?.name === 'feed' ? childrenOf(root, 'entry') : all(root, 'item')
  const entries = items.slice(0, limits.listingEntries).map((item) => entryOf(item, base))
  const title = plain(child(channel, 'title'))
  return { kind: 'feed', title, entries, beyond: Math.max(0, items.length - entries.length) }
}

function entryOf(item: Element, base: string): FeedEntry {
  const link = linkOf(item)
  const url = link ? absolute(link, base) : null
  const title = plain(child(item, 'title'))
  const whole = htmlOf(child(item, 'encoded')) ?? (isAtom(item) ? htmlOf(child(item, 'content')) : null)
  const summary = htmlOf(child(item, isAtom(item) ? 'summary' : 'description'))
  const isWhole = whole === null && summary !== null && summary.length > SUMMARY_CHARACTERS
  return {
    name: plain(child(item, 'id') ?? child(item, 'guid')) || url || title,
    url,
    title,
    author: authorOf(item),
    time: timeOf(item),
    html: isWhole ? summary : whole,
    summary,
  }
}

// A description of this length is the text itself: many feeds know no other place for it.
const SUMMARY_CHARACTERS = 3_000

const isAtom = (item: Element): boolean => item.name === 'entry'

function linkOf(item: Element): string | null {
  const links = childrenOf(item, 'link')
  const alternate = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate' && attributes.href)
  if (alternate) return alternate.attributes.href!
  const written = links.map((link) => textIn(link).trim()).find((text) => text !== '')
  if (written) return written
  const guid = child(item, 'guid')
  const isAddress = guid?.attributes.isPermaLink !== 'false' && /^https?:\/\//i.test(textIn(guid).trim())
  return isAddress ? textIn(guid).trim() : null
}

function authorOf(item: Element): string | null {
  const author = child(item, 'author')
  const name = plain(child(author, 'name')) || plain(child(item, 'creator')) || plain(author)
  // RSS writes ada@example.org (Ada Lovelace).
  const inBrackets = /^\S{1,200}@\S{1,200} \((.{1,200})\)$/.exec(name)?.[1]
  return (inBrackets ?? name).slice(0, AUTHOR_CHARACTERS) || null
}

const AUTHOR_CHARACTERS = 200

function timeOf(item: Element): Date | null {
  for (const name of ['published', 'pubDate', 'date', 'issued', 'updated', 'modified']) {
    const time = parseTime(textIn(child(item, name)).trim().slice(0, 100))
    if (time) return time
  }
  return null
}

function htmlOf(element: Element | undefined): string | null {
  if (!element) return null
  const { type = 'html' } = element.attributes
  // An address in place of the text: what is behind it is fetched with the page.
  if (element.attributes.src !== undefined) return null
  const html = type === 'xhtml' ? markupOf(element) : type === 'text' ? escapeHtml(textIn(element)) : textIn(element)
  return html.trim() === '' ? null : html
}

// Elements with the attributes that say something.
function markupOf(element: Element): string {
  return element.children
    .map((entry) => {
      if (typeof entry === 'string') return escapeHtml(entry)
      const { href } = entry.attributes
      return `<${entry.name}${href ? ` href="${escapeHtml(href)}"` : ''}>${markupOf(entry)}</${entry.name}>`
    })
    .join('')
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

// Titles may be HTML, too.
const plain = (element: Element | undefined): string =>
  withoutTags(textIn(element).slice(0, MARKED_CHARACTERS))
    .replaceAll(/&(amp|lt|gt|quot|apos|#39|#8217|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, limits.titleCharacters)

const MARKED_CHARACTERS = 10_000

// A sign that opens no tag stands for itself.
const withoutTags = (text: string): string =>
  text
    .split('<')
    .map((part, at) => {
      const end = part.indexOf('>')
      return at === 0 ? part : end < 0 ? `<${part}` : part.slice(end + 1)
    })
    .join('')

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#8217': '’',
  nbsp: ' ',
}
