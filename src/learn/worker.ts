// Learns what was accepted, in the background: takes leases, keeps them alive, tries again, gives up with a reason.
import { AppError } from '../domain/errors.ts'
import { limits } from '../domain/limits.ts'
import type { Claim, Store } from '../ports/store.ts'
import { type LearnNeeds, learn } from './learn.ts'

export type WorkerNeeds = LearnNeeds & {
  store: Pick<Store, 'documents' | 'work'>
  // Told of what is not the document's fault.
  onTrouble(error: unknown): void
}

export type Worker = {
  // Something may be due: look now instead of at the next poll.
  wake(): void
  // Resolves when nothing is due any more.
  idle(): Promise<void>
  // Finishes what is being learned, then stops.
  stop(): Promise<void>
}

export function startWorker(needs: WorkerNeeds, pollMs: number = limits.learnPollMs): Worker {
  let stopping = false
  let running: Promise<void> | null = null
  let wokenMeanwhile = false

  const look = (): Promise<void> => {
    wokenMeanwhile = true
    running ??= (async () => {
      while (wokenMeanwhile && !stopping) {
        wokenMeanwhile = false
        await drain(needs, () => stopping).catch(needs.onTrouble)
      }
      running = null
    })()
    return running
  }
  const poll = setInterval(look, pollMs)
  look()

  return {
    wake: look,
    idle: look,
    async stop() {
      stopping = true
      clearInterval(poll)
      await running
    },
  }
}

// Claims and learns until nothing is due.
async function drain(needs: WorkerNeeds, isStopping: () => boolean): Promise<void> {
  const batch = { documents: limits.learnBatch, characters: limits.learnBatchCharacters, leaseMs: limits.learnLeaseMs }
  while (!isStopping()) {
    const claims = await needs.store.work.claim(new Date(), batch)
    if (claims.length === 0) return
    for (const claim of claims) await learnOne(needs, claim)
  }
}

async function learnOne(needs: WorkerNeeds, claim: Claim): Promise<void> {
  const { store } = needs
  const { document } = claim
  let percent = 0
  const alive = () =>
    store.work.progress(claim, percent, new Date(Date.now() + limits.learnLeaseMs)).catch(needs.onTrouble)
  const heartbeat = setInterval(alive, limits.learnLeaseMs / 3)
  const onProgress = (share: number) => {
    const now = Math.floor(share * 99)
    if (now <= percent) return
    percent = now
    alive()
  }
  try {
    await store.work.begin(claim)
    if (document.attempts > limits.learnBreaks) {
      throw new AppError('unreadable', `The service stopped ${limits.learnBreaks} times while learning it.`)
    }
    const learned = await learn(needs, document, onProgress)
    await store.work.finish(claim, learned)
  } catch (error) {
    await giveUpOrRetry(needs, claim, error)
  } finally {
    clearInterval(heartbeat)
  }
}

// What cannot be read today cannot be read tomorrow; anything else may pass.
async function giveUpOrRetry({ store, onTrouble }: WorkerNeeds, claim: Claim, error: unknown): Promise<void> {
  const { attempts } = claim.document
  if (error instanceof AppError) return store.work.fail(claim, error.message, null)
  onTrouble(error)
  const last = attempts >= limits.learnAttempts
  const sentence = last
    ? `Learning it failed ${attempts} times. The service's log says why.`
    : `Attempt ${attempts} of ${limits.learnAttempts} failed; it will be tried again.`
  const retryAt = last ? null : new Date(Date.now() + limits.learnBackoffMs * 2 ** (attempts - 1))
  return store.work.fail(claim, sentence, retryAt)
}
