// What waits for people in the store, where they want to be told of it, and what is on its way to them.
import type { NoticeType, Way, WayChanges } from '../domain/notice.ts'

// Of one persona: how many, and since when the oldest.
export type Waiting = { personaId: number; count: number; since: Date }

export type SwitchedOff = { personaId: number; id: string; name: string; reason: string; since: Date }

// What is told in one go: everything that waited for this way, of one kind.
export type NoticeClaim = {
  way: Way
  type: NoticeType
  drafts: { personaId: number; id: string }[]
  tries: number // that failed before
  lease: string
}

// `retryAt` undefined: it is given up.
export type NoticeOutcome =
  | { is: 'told' }
  | { is: 'gone' }
  | { is: 'failed'; trouble: string; retryAt: Date | undefined }

export type Notices = {
  // Each of these personas, or of all.
  drafts(personas: number[] | '*'): Promise<Waiting[]>
  // Documents that could not be learned.
  failures(personas: number[] | '*'): Promise<Waiting[]>
  // Triggers that were not switched off by their owner.
  switchedOff(personas: number[] | '*'): Promise<SwitchedOff[]>
  // Followed sources that were switched off because they could not be followed.
  sourcesOff(personas: number[] | '*'): Promise<SwitchedOff[]>

  ways(accountId: string): Promise<Way[]>
  // AppError('conflict') when the account has `most` of them.
  add(way: Way, most: number): Promise<void>
  change(accountId: string, id: string, changes: WayChanges): Promise<Way | undefined>
  // With what was on its way there.
  remove(accountId: string, id: string): Promise<boolean>

  // One more notice, for this way alone.
  write(wayId: string, type: NoticeType): Promise<void>
  // Writes the digests that are due, each once, and when the next one is.
  writeDigests(at: Date, next: (way: Way) => Date): Promise<void>
  // What one way is to be told now: drafts that waited so long, together with all that came after them. Leased to the
  // caller; what a process began to tell and did not finish is not told again.
  claim(
    at: Date,
    options: { mailAfterMs: number; pushAfterMs: number; leaseMs: number },
  ): Promise<NoticeClaim | undefined>
  settle(claim: NoticeClaim, outcome: NoticeOutcome): Promise<void>

  // A text of the service's own, such as a secret: the one that is kept under this name, or this one from now on.
  keepOnce(name: string, made: string): Promise<string>
}
