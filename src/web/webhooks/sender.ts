// Sends what waits in the outbox: takes leases, posts, notes what became of it, tries again later.
import { SpanKind } from '@opentelemetry/api'
import { AppError } from '../../domain/errors.ts'
import { limits as shared } from '../../domain/limits.ts'
import type { Attempt } from '../../domain/trigger.ts'
import type { Store } from '../../ports/store.ts'
import type { DeliveryClaim, Settled } from '../../ports/triggers.ts'
import type { Webhooks } from '../../ports/webhooks.ts'
import { inJob, outgoingHeaders, type Tracing } from '../../telemetry/scope.ts'
import { limits } from '../limits.ts'
import { startLoop } from '../loop.ts'
import { retryAt } from './retry.ts'
import { signedHeaders } from './sign.ts'

export type SenderNeeds = {
  store: Pick<Store, 'outbox'>
  webhooks: Pick<Webhooks, 'post'>
  tracing?: Tracing | undefined
  onTrouble(error: unknown): void
}

// Attempts of this process since it started.
export type SenderCounts = { sent: number; failed: number }

export type Sender = {
  // Something may be due: look now instead of at the next poll.
  wake(): void
  // Resolves when nothing is due any more.
  idle(): Promise<void>
  counts(): SenderCounts
  stop(): Promise<void>
}

export function startSender(needs: SenderNeeds, now: () => Date = () => new Date()): Sender {
  const cutOff = new AbortController()
  const counts: SenderCounts = { sent: 0, failed: 0 }
  const places = createPlaces()
  const running = new Set<Promise<void>>()

  // Claims as long as there is something due and a place for it.
  async function look(ending: AbortSignal): Promise<void> {
    while (running.size < limits.deliveries && !ending.aborted) {
      const options = { passOver: places.full(), leaseMs: shared.deliveryLeaseMs }
      const claim = await needs.store.outbox.claim(now(), options)
      if (!claim) return
      const leave = places.take(claim)
      const sending = deliverAsJob(needs, claim, () => deliver(needs, claim, now, cutOff.signal))
        .then((outcome) => outcome && counts[outcome]++, needs.onTrouble)
        .then(() => {
          leave()
          running.delete(sending)
          loop.wake()
        })
      running.add(sending)
    }
  }

  const loop = startLoop(look, { pollMs: limits.deliverPollMs, onTrouble: needs.onTrouble })
  const tidy = setInterval(() => needs.store.outbox.tidy(now()).catch(needs.onTrouble), limits.tidyMs)
  return {
    wake: loop.wake,
    async idle() {
      for (loop.wake(); loop.looking() || running.size > 0; ) await Promise.all([loop.looking(), ...running])
    },
    counts: () => counts,
    async stop() {
      clearInterval(tidy)
      const late = setTimeout(() => cutOff.abort(), limits.deliverStopMs)
      await loop.stop()
      await Promise.all(running)
      clearTimeout(late)
    },
  }
}

// How many deliveries of each trigger are under way: an address that is slow, or fails, does not hold up the others.
function createPlaces() {
  const taken = new Map<string, { count: number; most: number }>()
  return {
    full: () => [...taken].flatMap(([id, { count, most }]) => (count >= most ? [id] : [])),
    take({ trigger: { id, failingSince } }: DeliveryClaim): () => void {
      const place = taken.get(id) ?? { count: 0, most: 0 }
      place.count++
      place.most = failingSince ? 1 : limits.deliveriesEach
      taken.set(id, place)
      return () => {
        place.count--
        if (place.count === 0) taken.delete(id)
      }
    },
  }
}

// Under the id of the request that the event tells of.
function deliverAsJob<T>({ tracing }: SenderNeeds, { delivery, payload, tries }: DeliveryClaim, act: () => Promise<T>) {
  const { data } = JSON.parse(payload) as { data: { request_id?: string } }
  const facts = { 'memoir.event': delivery.type, 'memoir.delivery_id': delivery.id, 'memoir.attempt': tries + 1 }
  const options = { facts, kind: SpanKind.PRODUCER }
  return inJob(tracing, data.request_id ?? delivery.id, 'deliver event', options, act)
}

async function deliver(
  { store, webhooks }: SenderNeeds,
  claim: DeliveryClaim,
  now: () => Date,
  signal: AbortSignal,
): Promise<keyof SenderCounts | undefined> {
  const { delivery, trigger, payload } = claim
  const at = now()
  const began = performance.now()
  const headers = { ...outgoingHeaders(), ...signedHeaders(trigger, delivery.id, at, payload) }
  const posted = await webhooks.post(trigger.url, { body: payload, headers, signal }).catch((error: unknown) => {
    if (error instanceof AppError) return { status: null, response: '', error: error.message }
    throw error
  })
  // Stopped half-way: the receiver may have it, and gets it again under the same id.
  if (signal.aborted && posted.status === null) {
    await store.outbox.release(claim)
    return undefined
  }
  const attempt: Attempt = {
    at,
    tookMs: Math.round(performance.now() - began),
    status: posted.status,
    error: 'error' in posted ? posted.error : wrongStatus(posted.status),
    response: posted.response,
  }
  await store.outbox.settle(claim, attempt, settledBy(claim, attempt, now()))
  return attempt.error === null ? 'sent' : 'failed'
}

function settledBy({ tries }: DeliveryClaim, { status, error }: Attempt, now: Date): Settled {
  if (error === null) return { state: 'sent' }
  if (status === 410) return { state: 'failed', isGone: true }
  const dueAt = retryAt(tries + 1, now)
  return dueAt ? { state: 'waiting', dueAt } : { state: 'failed' }
}

function wrongStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The address redirects (${status}): give the address it leads to.`
  return `The address answered with status ${status}.`
}
