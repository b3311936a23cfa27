// The pages of a site, by its sitemaps: those below the address that is followed, as far as robots.txt allows them.
import { AppError } from '../domain/errors.ts'
import { limits as shared } from '../domain/limits.ts'
import type { ListedPage } from '../ports/listing.ts'
import { limits } from './limits.ts'
import { fetchListing, type Listed } from './listed.ts'
import type { Found, LookNeeds } from './wanted.ts'

// Null where there is no sitemap.
export async function listSite(needs: LookNeeds, first: Listed): Promise<Found | null> {
  const { listing, url } = first
  const named = await readSitemaps(needs, first)
  if (!named) return null
  // A sitemap that is followed itself stands for its whole site.
  const below = listing.kind === 'sitemap' ? '/' : folderOf(url.pathname)
  const leftOut: Record<string, number> = {}
  const leave = (why: string, pages = 1) => {
    leftOut[why] = (leftOut[why] ?? 0) + pages
  }
  if (named.beyond > 0) leave('beyond what is read of a sitemap', named.beyond)
  const { allows } = await needs.manners.robots(url)
  const wanted = new Map<string, ListedPage>()
  for (const page of named.pages) {
    const address = new URL(page.url)
    if (siteOf(address) !== siteOf(url)) leave('on another host')
    else if (!address.pathname.startsWith(below)) leave(`outside ${below}`)
    else if (page.url.length > shared.sourceUrlCharacters) leave('an address too long')
    else if (!allows(address)) leave('robots.txt asks not to fetch it')
    else if (wanted.size < needs.sitePages || wanted.has(page.url)) wanted.set(page.url, page)
    else leave(`beyond the ${needs.sitePages} pages that are followed of a site`)
  }
  const title = (listing.kind === 'page' && listing.title) || url.host
  const isWhole = named.isWhole && named.beyond === 0
  return {
    kind: 'site',
    title,
    wanted: [...wanted.values()],
    leftOut,
    isWhole,
    seen: { etag: null, lastModified: null },
  }
}

// The same with or without www, and with or without TLS.
const siteOf = ({ hostname, port }: URL): string => `${hostname.replace(/^www\./, '')}:${port}`

// /blog/index.html lies in /blog/, and so does all that is followed with it.
const folderOf = (path: string): string => {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' || last.includes('.') ? path.slice(0, path.lastIndexOf('/') + 1) : path
}

type Named = { pages: ListedPage[]; beyond: number; isWhole: boolean }

// From where the site says they are, index by index.
async function readSitemaps(needs: LookNeeds, first: Listed): Promise<Named | null> {
  const { origin } = first.url
  const pages: ListedPage[] = []
  let [read, beyond, isWhole] = [0, 0, true]
  const take = async ({ listing }: Listed, depth: number): Promise<void> => {
    if (listing.kind === 'feed') for (const { url } of listing.entries) if (url) pages.push({ url, version: null })
    if (listing.kind !== 'sitemap') return
    const room = Math.max(0, limits.sitePages - pages.length)
    beyond += listing.beyond + Math.max(0, listing.pages.length - room)
    for (const page of listing.pages.slice(0, room)) pages.push(page)
    if (depth >= limits.sitemapDepth && listing.sitemaps.length > 0) isWhole = false
    else for (const address of listing.sitemaps) await fetchOne(address, depth + 1)
  }
  const fetchOne = async (address: string, depth: number): Promise<void> => {
    if (++read > limits.sitemaps) {
      isWhole = false
      return
    }
    try {
      await take(await fetchListing(needs, address), depth)
    } catch (error) {
      // One that is not there, or is none, leaves the others; a server in trouble is asked again later.
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'unreadable')) throw error
      isWhole = false
    }
  }
  if (first.listing.kind === 'sitemap') await take(first, 1)
  else {
    const { sitemaps } = await needs.manners.robots(first.url)
    const named = sitemaps.flatMap((address) => URL.parse(address, origin)?.href ?? [])
    for (const address of named.length > 0 ? named : [`${origin}/sitemap.xml`]) await fetchOne(address, 1)
  }
  return pages.length > 0 ? { pages, beyond, isWhole } : null
}
