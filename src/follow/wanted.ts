// What a look needs, and what it finds to be learned.
import type { Extractor, Seen } from '../ports/extractor.ts'
import type { FeedEntry } from '../ports/listing.ts'
import type { Manners } from './manners.ts'

export type LookNeeds = { manners: Manners; extractor: Extractor; sitePages: number; signal: AbortSignal }

// A page of a site, or an entry of a feed. `version`: while it stays the same, so does the page.
export type Wanted = { url: string; version: string | null; entry?: FeedEntry }

export type Found = {
  kind: 'feed' | 'site'
  title: string
  wanted: Wanted[]
  leftOut: Record<string, number>
  isWhole: boolean // nothing was cut off: what is not in it is not there
  seen: Seen
}
