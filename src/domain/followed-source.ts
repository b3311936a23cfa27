// A source that a persona follows: a feed, or a whole site by its sitemap. It is looked at again and again, and each
// look brings what is new or has changed there.

export const sourceKinds = ['feed', 'site'] as const
export type SourceKind = (typeof sourceKinds)[number]

// What one look at it came to.
export type LookAccount = {
  new: number // documents
  changed: number
  same: number
  left_out: Record<string, number> // why, and how often
  vanished: number // pages that were there and are not any more; their documents stay
  vanished_pages: { url: string; document_id: string }[] // the first of them
}

export type FollowedSource = {
  personaId: number
  id: string
  url: string
  kind: SourceKind | null // null until somebody looked at it
  title: string // as it calls itself; empty until somebody looked at it
  everyMs: number | null // null: as usual for its kind
  isOn: boolean
  offReason: string | null // null while it is on
  failures: number // in a row
  error: string | null // of the last of them
  dueAt: Date // of the next look, or of its next part
  look: number // which look is under way, or was the last one
  lookBegan: Date | null // null: none is under way
  pagesDone: number // of the look under way
  pagesOf: number
  etag: string | null // of the feed, as of the last look
  lastModified: string | null
  lookedAt: Date | null // when the last look ended
  account: LookAccount | null // of the last look
  createdAt: Date
  updatedAt: Date
}

export type SourceChanges = Partial<Pick<FollowedSource, 'kind' | 'everyMs' | 'isOn'>>

const HOUR_MS = 60 * 60_000
const UNITS = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS } as const
export const everyBounds = { least: '15m', most: '30d' } as const
export const usualEvery: Record<SourceKind, string> = { feed: '1h', site: '1d' }

// Undefined for a text that is no such time, or is out of bounds.
export function parseEvery(text: string): number | undefined {
  const ms = durationOf(text)
  return ms >= durationOf(everyBounds.least) && ms <= durationOf(everyBounds.most) ? ms : undefined
}

function durationOf(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text.trim()) ?? []
  return unit ? Number(number) * UNITS[unit as keyof typeof UNITS] : Number.NaN
}

export function writeEvery(ms: number): string {
  const unit = (['d', 'h'] as const).find((one) => ms % UNITS[one] === 0) ?? 'm'
  return `${Math.round(ms / UNITS[unit])}${unit}`
}

export const everyOf = ({ everyMs, kind }: Pick<FollowedSource, 'everyMs' | 'kind'>): number =>
  everyMs ?? durationOf(usualEvery[kind ?? 'site'])

export const OFF_BY_OWNER = 'It was switched off.'
export const OFF_BY_IMPORT = 'It was imported: switch it on to follow it from here.'
