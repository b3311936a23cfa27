// How politely, how long and how much of it a source is looked at. How many pages of a site, and how often a server is
// asked, are settings.
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const limits = {
  pollMs: 2_000,
  renewMs: 5_000, // a source that was switched off or deleted is let go of so soon
  lookMs: 6 * HOUR_MS, // of one look with all its parts: what is left is for the next
  turnMs: 5 * MINUTE_MS, // then another source that is due has its turn
  lookBytes: 1024 * 1024 * 1024, // fetched in one part of a look
  sitemapDepth: 3, // of indexes that name indexes
  sitemaps: 200, // read for one look
  sitePages: 100_000, // that all sitemaps of a site may name together
  hosts: 100, // that the entries of one feed may lead to
  recheckMs: 7 * 24 * HOUR_MS, // a page that its sitemap calls unchanged is asked for after so long all the same
  failuresInARow: 10, // pages that cannot be had, until the rest is put off
  failures: 8, // looks in a row that failed, until the source is switched off
  backoffMs: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
  retryAfterMs: 24 * HOUR_MS, // a server that wants to be left alone for longer is asked again after so long

  // robots.txt
  robotsCharacters: 512 * 1024,
  robotsRules: 2_000,
  robotsSitemaps: 50,
  crawlDelayS: 60, // a server that asks for more between two requests is not followed
} as const
