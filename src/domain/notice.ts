// A way: where and how somebody wants to be told of what waits for them.

export const wayKinds = ['mail', 'push'] as const
export type WayKind = (typeof wayKinds)[number]

export const noticeLanguages = ['en', 'de'] as const
export type NoticeLanguage = (typeof noticeLanguages)[number]

// A browser's address for notices, and what encrypts them (RFC 8291), as the browser gave them.
export type PushTarget = { endpoint: string; p256dh: string; auth: string; device: string }

export type Way = {
  id: string
  accountId: string
  kind: WayKind
  language: NoticeLanguage
  target: PushTarget | null // null: the mail address of the account
  onDrafts: boolean
  onDigest: boolean
  timeZone: string
  digestAt: Date | null // when the next one is due
  trouble: string | null // why the last notice did not get through
  createdAt: Date
}

export type WayChanges = Partial<Pick<Way, 'language' | 'onDrafts' | 'onDigest' | 'timeZone' | 'digestAt'>>

export const noticeTypes = ['notice.drafts', 'notice.digest', 'notice.test'] as const
export type NoticeType = (typeof noticeTypes)[number]

const DIGEST_HOUR = 7

// The next morning there.
export function nextDigest(timeZone: string, now: Date): Date {
  const hour = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  const next = new Date(Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS)
  for (let hours = 0; hours < 25 && Number(hour.format(next)) !== DIGEST_HOUR; hours++)
    next.setTime(next.getTime() + HOUR_MS)
  return next
}

const HOUR_MS = 3_600_000
