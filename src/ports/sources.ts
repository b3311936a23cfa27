// The socket for sources that a persona follows. One is looked at a time, whichever process does it; what a look did is
// kept page by page, so that one that was broken off goes on where it was.
import type { FollowedSource, SourceChanges, SourceKind } from '../domain/followed-source.ts'
import type { Incoming } from './origins.ts'

// The right to look at a source, held by one process at a time.
export type SourceClaim = { source: FollowedSource; lease: string }

export const pageOutcomes = ['new', 'changed', 'same', 'vanished', 'left out'] as const
export type PageOutcome = (typeof pageOutcomes)[number]

// What is known of a page of a site, or of an entry of a feed, since it was last looked at.
export type SourcePage = {
  url: string
  look: number // the last that came by
  outcome: PageOutcome
  reason: string | null // why it was left out
  version: string | null // what the sitemap or the feed says of it: another version is another text
  hash: string | null // of what was learned from it
  etag: string | null
  lastModified: string | null
  documentId: string | null
  fetchedAt: Date // when it was last asked for
}

// What becomes of pages that this look did not come by: they are told as vanished, forgotten (an entry that left its
// feed), the same (the feed has not changed), or left as they are, for the look did not see everything.
export type LookEnd = {
  leftOut: Record<string, number>
  others: 'vanished' | 'forgotten' | 'same' | 'left'
  etag: string | null
  lastModified: string | null
}

export type Sources = {
  // AppError('conflict') when the persona follows it already, or has as many as it may have.
  create(source: FollowedSource): Promise<void>
  list(personaId: number): Promise<FollowedSource[]>
  get(personaId: number, id: string): Promise<FollowedSource | undefined>
  // Switched on, it is due at once and its failures are forgotten.
  update(personaId: number, id: string, changes: SourceChanges, at: Date): Promise<FollowedSource | undefined>
  // Its documents stay.
  remove(personaId: number, id: string): Promise<boolean>
  // Due at once, also where it waits after a failure.
  hasten(personaId: number, id: string, at: Date): Promise<FollowedSource | undefined>

  // The source that has been due longest, with its look begun; undefined while any other is being looked at.
  claim(at: Date, leaseMs: number): Promise<SourceClaim | undefined>
  isAnyDue(at: Date): Promise<boolean>
  // False when the lease was lost: the source was deleted, or switched off, or is someone else's now.
  renew(claim: SourceClaim, until: Date): Promise<boolean>
  recognise(claim: SourceClaim, found: { kind: SourceKind; title: string; pagesOf: number }): Promise<boolean>
  pages(claim: SourceClaim): Promise<SourcePage[]>
  // A page and the document it became, in one transaction. False when the lease was lost: then nothing was written.
  keep(claim: SourceClaim, page: SourcePage, incoming?: Incoming): Promise<boolean>
  finish(claim: SourceClaim, end: LookEnd, at: Date): Promise<boolean>
  // The look goes on later; `error`: it failed, and `offReason`: too often.
  putOff(claim: SourceClaim, dueAt: Date, failed?: { error: string; offReason: string | null }): Promise<void>
}
