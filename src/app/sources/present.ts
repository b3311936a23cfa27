// A followed source as its owner sees it.
import type { z } from 'zod'
import type { SourceAnswer } from '../../contract/sources-api.ts'
import { everyOf, type FollowedSource, writeEvery } from '../../domain/followed-source.ts'

export const presentSource = (source: FollowedSource): z.output<typeof SourceAnswer> => ({
  id: source.id,
  url: source.url,
  kind: source.kind,
  title: source.title,
  every: writeEvery(everyOf(source)),
  is_on: source.isOn,
  off_reason: source.offReason,
  failures: source.failures,
  error: source.error,
  next_look_at: source.isOn ? source.dueAt.toISOString() : null,
  looking:
    source.lookBegan && source.isOn
      ? { since: earlier(source.lookBegan).toISOString(), done: source.pagesDone, of: source.pagesOf }
      : null,
  last_look: source.lookedAt && source.account && { at: source.lookedAt.toISOString(), ...source.account },
  created_at: source.createdAt.toISOString(),
  updated_at: source.updatedAt.toISOString(),
})

const earlier = (time: Date): Date => new Date(Math.min(time.getTime(), Date.now()))
