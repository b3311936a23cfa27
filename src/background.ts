// What goes on beside the requests, unless this process only serves: learning, and following sources.
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type FollowerNeeds, startFollower } from './follow/follower.ts'
import { startWorker, type WorkerNeeds } from './learn/worker.ts'
import type { Embedder } from './ports/models.ts'
import type { Store } from './ports/store.ts'
import { traces } from './recall/index/trace.ts'

type Needs = Pick<WorkerNeeds, 'extractor' | 'collections' | 'tracing'> &
  Pick<FollowerNeeds, 'fetcher'> & { store: Store; embedder: Embedder; log: Logger; isService: boolean }

export type Background = {
  // Something was accepted, here or, by the store, anywhere: it is learned at once and not at the next look.
  onAccepted(): void
  onFollowed(): void
  learned(): Promise<void>
  stop(): Promise<void>
}

export function startBackground({ role, follow }: Config, needs: Needs): Background {
  const { store, embedder, log } = needs
  if (role === 'serve') return idle(store)
  const trouble = (doing: string) => (err: unknown) => log.error({ err }, doing)
  const worker = startWorker({
    ...needs,
    embedderName: embedder.name,
    traces: (memories, options) => traces({ embedder }, memories, options),
    onTrouble: trouble('learning'),
  })
  store.work.onAnnounced(worker.wake)
  const onAccepted = () => {
    worker.wake()
    store.work.announce()
  }
  // A command ends too soon to look at anything.
  const follower = needs.isService
    ? startFollower({ ...needs, ...follow, onAccepted, onTrouble: trouble('following') })
    : undefined
  return {
    onAccepted,
    onFollowed: () => follower?.wake(),
    learned: worker.idle,
    async stop() {
      await follower?.stop()
      await worker.stop()
    },
  }
}

const idle = (store: Store): Background => ({
  onAccepted: () => store.work.announce(),
  onFollowed() {},
  learned: async () => {},
  stop: async () => {},
})
