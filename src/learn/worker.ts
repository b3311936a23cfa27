// Learns what was accepted, in the background: takes leases, keeps them alive, tries again, gives up with a reason.
import { AppError } from '../domain/errors.ts'
import { limits as shared } from '../domain/limits.ts'
import type { Batch, Claim, Lane, Store } from '../ports/store.ts'
import { inJob, leave, type Tracing } from '../telemetry/scope.ts'
import { type LearnNeeds, learn } from './learn.ts'
import { limits } from './limits.ts'
import { createTurns, type Place, type Turns } from './turns.ts'
import { Elsewhere } from './watch.ts'

export type WorkerNeeds = LearnNeeds & {
  store: Pick<Store, 'documents' | 'memories' | 'origins' | 'personas' | 'work'>
  tracing?: Tracing | undefined
  // Told of what is not the document's fault.
  onTrouble(error: unknown): void
}

export type Worker = {
  // Something may be due: look now instead of at the next poll.
  wake(): void
  // Resolves when nothing is due any more.
  idle(): Promise<void>
  // Lets go of what is being learned, for the next start to take up again.
  stop(): Promise<void>
}

export function startWorker(needs: WorkerNeeds, pollMs: number = limits.pollMs): Worker {
  // By a request, often: what is learned then may belong to another.
  const wake = () =>
    leave(() => {
      for (const lane of lanes) lane.look()
    })
  // Two places for long documents, and no persona has both: a book that is read for minutes holds up its own persona
  // only. The same for what waits for another service.
  const placesFor = (lane: 'long' | 'elsewhere') => {
    const turns = createTurns()
    return (['any', 'light'] as const).map((place) =>
      startLane(needs, (stopping) => drainLong(needs, { lane, turns, place }, stopping, wake)),
    )
  }
  const lanes = [
    startLane(needs, (stopping) => drainShort(needs, stopping)),
    ...placesFor('long'),
    ...placesFor('elsewhere'),
  ]
  const pullIn = () => needs.store.work.pullIn(new Date()).then(wake, needs.onTrouble)
  const wasPutBack = watchClock()
  const poll = setInterval(() => (wasPutBack() ? pullIn() : wake()), pollMs)
  // Another process may have been the one whose clock was ahead.
  const pulling = setInterval(pullIn, limits.pullInMs)
  pullIn()
  wake()
  return {
    wake,
    async idle() {
      do await Promise.all(lanes.map((lane) => lane.look()))
      while (lanes.some((lane) => lane.isBusy()))
    },
    async stop() {
      clearInterval(poll)
      clearInterval(pulling)
      await Promise.all(lanes.map((lane) => lane.stop()))
    },
  }
}

// Whether the clock went back since it was last looked at.
function watchClock(): () => boolean {
  const read = () => Date.now() - performance.now()
  let before = read()
  return () => {
    const earlier = before
    before = read()
    return before < earlier - limits.clockBackMs
  }
}

// Looks for work when told to, and once more when it was told so meanwhile.
function startLane(needs: WorkerNeeds, drain: (stopping: AbortSignal) => Promise<void>) {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let wokenMeanwhile = false
  return {
    look(): Promise<void> {
      // What ends at once would be taken for what goes on: `running` is set after it was unset.
      if (stopping.signal.aborted) return running ?? Promise.resolve()
      wokenMeanwhile = true
      running ??= (async () => {
        while (wokenMeanwhile && !stopping.signal.aborted) {
          wokenMeanwhile = false
          await drain(stopping.signal).catch(needs.onTrouble)
        }
        running = null
      })()
      return running
    },
    isBusy: () => running !== null,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

// Claims and learns until nothing is due.
async function drainShort(needs: WorkerNeeds, stopping: AbortSignal): Promise<void> {
  let afterPersona = 0
  while (!stopping.aborted) {
    const claims = await claim(needs, { lane: 'short', afterPersona, documents: limits.batch })
    if (claims.length === 0) return
    afterPersona = claims.at(-1)!.document.personaId
    await makeReady(needs)
    // Side by side, so that many small texts are embedded together, but finished in the order they came.
    let turn = Promise.resolve()
    for (const claim of claims) turn = learnOne(needs, claim, turn, stopping)
    await turn
  }
}

async function drainLong(
  needs: WorkerNeeds,
  { lane, turns, place }: { lane: Lane; turns: Turns; place: Place },
  stopping: AbortSignal,
  onFree: () => void,
): Promise<void> {
  let afterPersona = 0
  while (!stopping.aborted) {
    const taken = await turns.take(place, async (passOver) => {
      const [first] = await claim(needs, { lane, afterPersona, documents: 1, passOver })
      return first
    })
    if (!taken) return
    afterPersona = taken.document.personaId
    await turns.spend(taken, async () => {
      await makeReady(needs)
      await learnOne(needs, taken, Promise.resolve(), stopping, lane === 'elsewhere')
    })
    // What this persona has left may now be read in either place.
    onFree()
  }
}

// With nothing to trace it only makes ready for it: being stopped meanwhile is no document's fault.
const makeReady = (needs: WorkerNeeds) => needs.traces([], { isPlain: true })

const claim = (needs: WorkerNeeds, batch: Pick<Batch, 'lane' | 'afterPersona' | 'documents' | 'passOver'>) =>
  needs.store.work.claim(new Date(), {
    ...batch,
    characters: limits.batchCharacters,
    leaseMs: shared.learnLeaseMs,
  })

function learnOne(
  needs: WorkerNeeds,
  claim: Claim,
  turn: Promise<void>,
  stopping: AbortSignal,
  mayWait = false,
): Promise<void> {
  const { requestId, kind, fileBytes, attempts } = claim.document
  const facts = { 'memoir.document_kind': kind, 'memoir.file_bytes': fileBytes, 'memoir.attempt': attempts }
  return inJob(needs.tracing, requestId, 'learn document', { facts }, () =>
    learnClaimed(needs, claim, turn, { stopping, mayWait }),
  )
}

type Terms = { stopping: AbortSignal; mayWait: boolean }

async function learnClaimed(needs: WorkerNeeds, claim: Claim, turn: Promise<void>, { stopping, mayWait }: Terms) {
  const { store } = needs
  const { document } = claim
  const lost = new AbortController()
  let percent = 0
  const alive = () =>
    store.work
      .progress(claim, percent, new Date(Date.now() + shared.learnLeaseMs))
      .then((held) => held || lost.abort(), needs.onTrouble)
  const heartbeat = setInterval(alive, shared.learnLeaseMs / 3)
  const onProgress = (share: number) => {
    const now = Math.floor(share * 99)
    if (now <= percent) return
    percent = now
    alive()
  }
  // What may stop the whole process is read alone, and its attempt counts from the beginning.
  const isLarge = document.fileBytes > 0 || document.text.length > shared.learnShortCharacters
  let begun: Promise<void> | undefined
  const begin = () => {
    begun ??= store.work.begin(claim).catch(needs.onTrouble)
    return begun
  }
  try {
    if (isLarge) await turn.then(begin)
    if (document.attempts > limits.breaks) {
      throw new AppError('unreadable', `The service stopped ${limits.breaks} times while learning it.`)
    }
    const signal = AbortSignal.any([lost.signal, stopping])
    const learned = await learn(needs, document, { onProgress, signal, mayWait })
    await turn
    await begin()
    await store.work.finish(claim, learned)
  } catch (error) {
    if (stopping.aborted) await store.work.release(claim).catch(needs.onTrouble)
    else if (error instanceof Elsewhere) await store.work.release(claim, { lane: 'elsewhere' }).catch(needs.onTrouble)
    else if (isStoreAway(error)) await releaseWhenBack(needs, claim, stopping)
    else if (!lost.signal.aborted) {
      await begin()
      await giveUpOrRetry(needs, claim, error).catch(needs.onTrouble)
    }
  } finally {
    await turn
    clearInterval(heartbeat)
  }
}

// No document's fault: it is as if it had not been begun.
const isStoreAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unavailable' || error.code === 'storage_full')

async function releaseWhenBack({ store }: WorkerNeeds, claim: Claim, stopping: AbortSignal): Promise<void> {
  for (const giveUpAt = performance.now() + shared.learnLeaseMs; performance.now() < giveUpAt && !stopping.aborted; ) {
    try {
      return await store.work.release(claim)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, limits.pollMs))
    }
  }
}

// What cannot be read today cannot be read tomorrow; anything else may pass, a service that does not answer later.
async function giveUpOrRetry({ store, onTrouble }: WorkerNeeds, claim: Claim, error: unknown): Promise<void> {
  const { attempts } = claim.document
  const isAway = error instanceof AppError && error.code === 'unreachable'
  if (error instanceof AppError && !isAway) return store.work.fail(claim, error.message, null)
  onTrouble(error)
  const last = attempts >= limits.attempts
  const why = isAway ? error.message : undefined
  const sentence = last
    ? `${why ? `${why} ` : ''}Learning it failed ${attempts} times.${why ? '' : " The service's log says why."}`
    : `${why ?? ''} Attempt ${attempts} of ${limits.attempts} failed; it will be tried again.`.trim()
  const pause = isAway ? limits.awayBackoffMs : limits.backoffMs
  const retryAt = last ? null : new Date(Date.now() + pause * 2 ** (attempts - 1))
  return store.work.fail(claim, sentence, retryAt)
}
