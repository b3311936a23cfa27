// Looks at the sources that are due, one at a time over all processes, in the background.
import { AppError } from '../domain/errors.ts'
import { limits as shared } from '../domain/limits.ts'
import type { Extractor, Fetcher } from '../ports/extractor.ts'
import type { SourceClaim } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'
import { inJob, leave, type Tracing } from '../telemetry/scope.ts'
import { limits } from './limits.ts'
import { lookAt } from './look.ts'
import { type Clock, createManners } from './manners.ts'

export type FollowerNeeds = {
  store: Pick<Store, 'sources' | 'origins'>
  fetcher: Fetcher
  extractor: Extractor
  delayMs: number // between two requests to one server, at least
  sitePages: number
  tracing?: Tracing | undefined
  onAccepted(): void
  // Told of what is not the source's fault.
  onTrouble(error: unknown): void
}

export type Follower = {
  // Something may be due: look now instead of at the next poll.
  wake(): void
  // Lets go of what is being looked at, for the next start to take up again.
  stop(): Promise<void>
}

export function startFollower(needs: FollowerNeeds): Follower {
  const stopping = new AbortController()
  const clock: Clock = new Map()
  let running: Promise<void> | null = null
  let wokenMeanwhile = false
  const drain = async () => {
    while (!stopping.signal.aborted) {
      const claim = await needs.store.sources.claim(new Date(), shared.sourceLeaseMs)
      if (!claim) return
      await follow(needs, claim, clock, stopping.signal)
      forgetOld(clock)
    }
  }
  const wake = () => {
    wokenMeanwhile = true
    // By a request, often: what is looked at then may belong to another.
    running ??= leave(async () => {
      while (wokenMeanwhile && !stopping.signal.aborted) {
        wokenMeanwhile = false
        await drain().catch(needs.onTrouble)
      }
      running = null
    })
  }
  const poll = setInterval(wake, limits.pollMs)
  wake()
  return {
    wake,
    async stop() {
      clearInterval(poll)
      stopping.abort()
      await running
    },
  }
}

function forgetOld(clock: Clock): void {
  const before = Date.now() - limits.crawlDelayS * 1000
  for (const [host, at] of clock) if (at < before) clock.delete(host)
}

async function follow(needs: FollowerNeeds, claim: SourceClaim, clock: Clock, stopping: AbortSignal): Promise<void> {
  const { sources } = needs.store
  const lost = new AbortController()
  const alive = () =>
    sources
      .renew(claim, new Date(Date.now() + shared.sourceLeaseMs))
      .then((held) => held || lost.abort(), needs.onTrouble)
  const heartbeat = setInterval(alive, Math.min(shared.sourceLeaseMs / 3, limits.renewMs))
  const signal = AbortSignal.any([lost.signal, stopping])
  const { source } = claim
  const facts = { 'memoir.source_kind': source.kind ?? 'unknown' }
  try {
    await inJob(needs.tracing, source.id, 'look at source', { facts }, () =>
      lookAt({ ...needs, manners: createManners({ ...needs, clock, signal }), signal }, claim),
    )
  } catch (error) {
    if (stopping.aborted) await sources.putOff(claim, new Date()).catch(needs.onTrouble)
    else if (!lost.signal.aborted) await putOff(needs, claim, error).catch(needs.onTrouble)
  } finally {
    clearInterval(heartbeat)
  }
}

async function putOff(needs: FollowerNeeds, claim: SourceClaim, error: unknown): Promise<void> {
  const isStoreAway = error instanceof AppError && (error.code === 'unavailable' || error.code === 'storage_full')
  if (!(error instanceof AppError) || isStoreAway) needs.onTrouble(error)
  const { sources } = needs.store
  const source = (await sources.get(claim.source.personaId, claim.source.id)) ?? claim.source
  const failures = source.failures + 1
  const backoff = limits.backoffMs[Math.min(failures, limits.backoffMs.length) - 1]!
  // No source's fault: it is as if it had not been begun.
  if (isStoreAway) return sources.putOff(claim, new Date(Date.now() + backoff))
  const asked = error instanceof AppError ? (error.retryAfterS ?? 0) * 1000 : 0
  const dueAt = new Date(Date.now() + Math.max(Math.min(asked, limits.retryAfterMs), backoff))
  const sentence = error instanceof AppError ? error.message : "It failed. The service's log says why."
  const offReason = `It could not be followed ${failures} times in a row. The last time: ${sentence}`
  await sources.putOff(claim, dueAt, {
    error: sentence,
    offReason: failures >= limits.failures ? offReason : null,
  })
}
