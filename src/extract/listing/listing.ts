// What a fetched file lists, by looking into it: a feed, a sitemap (XML, text, compressed) or a page that names feeds.
import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { AppError } from '../../domain/errors.ts'
import type { Content } from '../../ports/extractor.ts'
import type { ListedPage, Listing } from '../../ports/listing.ts'
import { charsetOf, declaredCharset, decodeText } from '../encoding.ts'
import { limits } from '../limits.ts'
import { eachXml } from '../office/xml.ts'
import { absolute } from './address.ts'
import { readFeed } from './feed.ts'

export function readListing({ bytes, mediaType, url }: Content): Listing {
  const text = textOf(bytes, mediaType)
  const root = rootOf(text)
  const base = url ?? ''
  if (root === 'rss' || root === 'feed' || root === 'rdf') return readFeed(text, base)
  if (root === 'urlset' || root === 'sitemapindex') return readSitemap(text, base)
  if (root === 'html' || root === 'head' || root === 'body') return readPage(text, base)
  const lines = root === null ? readLines(text) : []
  if (lines.length > 0) return { kind: 'sitemap', ...bounded(lines), sitemaps: [] }
  return root === null ? { kind: 'other' } : readPage(text, base)
}

function textOf(bytes: Uint8Array, mediaType: string | null): string {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? unzipped(bytes) : bytes
  return decodeText(plain, charsetOf(mediaType) ?? declaredCharset(plain))
}

function unzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.listingBytes })
  } catch (error) {
    throw new AppError('unreadable', 'The sitemap is damaged, or too large once it is unpacked.', { cause: error })
  }
}

// The name of the first element, without its prefix; null where there is none.
function rootOf(text: string): string | null {
  let at = 0
  for (let steps = 0; steps < 100; steps++) {
    while (at < text.length && /\s|\ufeff/.test(text[at]!)) at++
    if (text[at] !== '<') return null
    const next = text[at + 1]
    if (next !== '?' && next !== '!') {
      const name = /^<([\w:.-]{1,100})/.exec(text.slice(at, at + 102))?.[1]
      return name ? name.slice(name.lastIndexOf(':') + 1).toLowerCase() : null
    }
    const end = text.startsWith('<!--', at) ? text.indexOf('-->', at) + 2 : text.indexOf('>', at)
    if (end < at) return null
    at = end + 1
  }
  return null
}

function readSitemap(text: string, base: string): Listing {
  const pages: ListedPage[] = []
  const sitemaps: string[] = []
  let [inside, field]: [string | null, string | null] = [null, null]
  let [loc, lastmod] = ['', '']
  eachXml(text, {
    open(name) {
      if (name === 'url' || name === 'sitemap') [inside, loc, lastmod] = [name, '', '']
      field = inside && (name === 'loc' || name === 'lastmod') ? name : null
    },
    text(words) {
      if (field === 'loc') loc += words
      if (field === 'lastmod') lastmod += words
    },
    close(name) {
      field = null
      if (name !== inside) return
      inside = null
      const url = absolute(loc, base)
      if (!url) return
      if (name === 'url') pages.push({ url, version: lastmod.trim().slice(0, VERSION_CHARACTERS) || null })
      else sitemaps.push(url)
    },
  })
  return { kind: 'sitemap', ...bounded(pages), sitemaps: sitemaps.slice(0, limits.listingSitemaps) }
}

const VERSION_CHARACTERS = 100

function bounded(pages: ListedPage[]) {
  return { pages: pages.slice(0, limits.listingPages), beyond: Math.max(0, pages.length - limits.listingPages) }
}

// The plain form of a sitemap: an address a line.
function readLines(text: string): ListedPage[] {
  const lines = text.split('\n').map((line) => line.trim())
  const addresses = lines.filter((line) => line !== '')
  if (!addresses.every((line) => /^https?:\/\//i.test(line))) return []
  return addresses.flatMap((line) => {
    const url = absolute(line, line)
    return url ? [{ url, version: null }] : []
  })
}

// Only its head is looked at.
function readPage(html: string, base: string): Listing {
  const feeds: string[] = []
  let title = ''
  let inTitle = false
  const parser = new Parser({
    onopentag(name, { rel = '', type = '', href }) {
      if (name === 'title' && title === '') inTitle = true
      const isFeed = /\b(rss|atom)\+xml\b/i.test(type) && /\balternate\b/i.test(rel)
      const url = name === 'link' && isFeed && href ? absolute(href, base) : null
      if (url && feeds.length < FEEDS) feeds.push(url)
    },
    ontext(words) {
      if (inTitle && title.length < limits.titleCharacters) title += words
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
    },
  })
  parser.end(html.slice(0, HEAD_CHARACTERS))
  return { kind: 'page', title: title.replaceAll(/\s+/g, ' ').trim().slice(0, limits.titleCharacters) || null, feeds }
}

const HEAD_CHARACTERS = 512 * 1024
const FEEDS = 10
