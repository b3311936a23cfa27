// What a fetched file lists: the entries of a feed, the pages of a sitemap, or the feeds that a page names.

export type FeedEntry = {
  name: string // its id within the feed
  url: string | null
  title: string
  author: string | null
  time: Date | null
  html: string | null // all of it; null where the feed holds only a summary
  summary: string | null // as HTML
}

export type Listing =
  | { kind: 'feed'; title: string; entries: FeedEntry[]; beyond: number } // entries that were too many
  | { kind: 'sitemap'; pages: ListedPage[]; sitemaps: string[]; beyond: number }
  | { kind: 'page'; title: string | null; feeds: string[] }
  | { kind: 'other' }

// `version`: when it last changed, in whatever words the sitemap has for it.
export type ListedPage = { url: string; version: string | null }
