// Fetches what lists something: a feed, a sitemap, or the page that leads to them.
import type { Seen } from '../ports/extractor.ts'
import type { Listing } from '../ports/listing.ts'
import { answeredWith } from './manners.ts'
import type { LookNeeds } from './wanted.ts'

export type Listed = { listing: Listing; url: URL; seen: Seen } // the address after all redirects

// 'same' where it has not changed since it was seen.
export async function fetchListing(needs: LookNeeds, address: string): Promise<Listed>
export async function fetchListing(needs: LookNeeds, address: string, seen: Seen | undefined): Promise<Listed | 'same'>
export async function fetchListing(needs: LookNeeds, address: string, seen?: Seen): Promise<Listed | 'same'> {
  const found = await needs.manners.look(address, seen)
  if (found.is === 'same') return 'same'
  if (found.is === 'refused') throw answeredWith(found.status, found.retryAfterS)
  const listing = await needs.extractor.list(found.content, { signal: needs.signal })
  return { listing, url: new URL(found.content.url), seen: found.seen }
}
