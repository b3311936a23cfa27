// Long lists come in pages: a full page has a next one, named by its last row.
import { parseTime } from '../domain/time.ts'

export const nextOf = (rows: { id: string }[], limit: number): string | null =>
  rows.length < limit ? null : rows.at(-1)!.id

export const pageOf = ({ limit, before }: { limit?: unknown; before?: string | undefined }) => ({
  limit: Number(limit),
  before,
})

export const timesOf = ({ since, until }: { since?: string | undefined; until?: string | undefined }) => ({
  since: since === undefined ? undefined : parseTime(since),
  until: until === undefined ? undefined : parseTime(until),
})
