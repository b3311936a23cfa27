// The entries of a feed as what is to be learned of it.
import { createHash } from 'node:crypto'
import { limits as shared } from '../domain/limits.ts'
import type { Content, Seen } from '../ports/extractor.ts'
import type { FeedEntry, Listing } from '../ports/listing.ts'
import type { Found, Wanted } from './wanted.ts'

export function foundFeed(url: URL, listing: Extract<Listing, { kind: 'feed' }>, seen: Seen): Found {
  const wanted = new Map<string, Wanted>()
  const linked = new Map<string | null, number>()
  for (const entry of listing.entries) linked.set(entry.url, (linked.get(entry.url) ?? 0) + 1)
  for (const entry of listing.entries) {
    const name = nameOf(url, entry, linked.get(entry.url)! === 1)
    if (!wanted.has(name)) wanted.set(name, { url: name, version: versionOf(entry), entry })
  }
  return {
    kind: 'feed',
    title: listing.title || url.host,
    wanted: [...wanted.values()],
    leftOut: listing.beyond > 0 ? { 'more entries than are read of a feed': listing.beyond } : {},
    isWhole: true,
    seen,
  }
}

// Its address; without one of its own, its id in the feed.
function nameOf(feed: URL, { url, name }: FeedEntry, isOwn: boolean): string {
  if (url && isOwn && url.length <= shared.sourceUrlCharacters) return url
  return `${feed.href.slice(0, shared.sourceUrlCharacters / 2)}#${hashOf(name)}`
}

const versionOf = ({ title, author, time, html, summary }: FeedEntry): string =>
  hashOf(JSON.stringify([title, author, time, html, summary]))

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

// An entry as the page it would be, so that it is read as one.
export function pageOf(entry: FeedEntry, body: string): Content & { url: string } {
  const day = entry.time?.toISOString().slice(0, 10)
  const byline = [entry.author && `By ${entry.author}`, day].filter(Boolean).join(', ')
  const html = [
    `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(entry.title)}</title></head><body>`,
    entry.title && `<h1>${escapeHtml(entry.title)}</h1>`,
    byline && `<p>${escapeHtml(byline)}</p>`,
    body,
    '</body></html>',
  ]
  const bytes = Buffer.from(html.filter(Boolean).join('\n'))
  return { bytes, name: null, mediaType: 'text/html; charset=utf-8', url: entry.url ?? '' }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
