// What is at an address that is followed: a feed with its entries, or a site with the pages that its sitemaps name.
import { AppError } from '../domain/errors.ts'
import type { FollowedSource } from '../domain/followed-source.ts'
import { foundFeed } from './feed.ts'
import { fetchListing, type Listed } from './listed.ts'
import { listSite } from './site.ts'
import type { Found, LookNeeds } from './wanted.ts'

// 'same' for a feed that has not changed since the last look.
export async function recognise(needs: LookNeeds, source: FollowedSource): Promise<Found | 'same'> {
  const first = await fetchListing(needs, source.url, source.kind === 'feed' ? source : undefined)
  if (first === 'same') return 'same'
  if (source.kind !== 'site' && first.listing.kind === 'feed') return foundFeed(first.url, first.listing, first.seen)
  const site = source.kind === 'feed' ? null : await listSite(needs, first)
  if (site) return site
  if (source.kind === 'site')
    throw new AppError(
      'unreadable',
      'The site has no sitemap: robots.txt names none that can be read, nor is there one.',
    )
  return namedFeed(needs, source, first)
}

// The feed that a page names. It is fetched whole each time: what was seen last is the page's, not the feed's.
async function namedFeed(needs: LookNeeds, source: FollowedSource, { listing }: Listed): Promise<Found> {
  const named = listing.kind === 'page' ? listing.feeds[0] : undefined
  if (!named) {
    const what = source.kind === 'feed' ? 'no feed' : 'neither a feed nor a sitemap'
    throw new AppError('unreadable', `There is ${what} at this address.`)
  }
  const feed = await fetchListing(needs, named)
  if (feed.listing.kind !== 'feed')
    throw new AppError('unreadable', `What the page names as its feed is none: ${named}`)
  return foundFeed(feed.url, feed.listing, { etag: null, lastModified: null })
}
