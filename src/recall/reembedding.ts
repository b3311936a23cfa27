// Notices that memories lack vectors of the embedder in use, and embeds them in the background. Until a persona is done
// its questions go by the vectors it has, where the embedder that made them is at hand.
import { setTimeout as wait } from 'node:timers/promises'
import type { Embedder } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import type { IndexCache } from './index/cache.ts'
import { limits } from './limits.ts'
import { lacking, reembed } from './reembed.ts'

// What answers a persona's questions.
export type Serving = { embedder: Embedder; indexes: IndexCache }

export type ReembeddingNeeds = {
  store: Pick<Store, 'traces' | 'personas'>
  embedder: Embedder
  // The embedder that may have been in use before. Asked for once, when it is first needed.
  before?: (() => Serving) | undefined
  // False: another process does it, and this one only watches.
  isDoing: boolean
  onFound(memories: number): void
  onDone(): void
  onTrouble(error: unknown): void
}

export type Reembedding = {
  // Memories without a vector of the embedder in use, of one persona or of all.
  waiting(personaId?: number): number
  // Undefined where the embedder in use serves.
  servingOf(personaId: number): Serving | undefined
  stop(): Promise<void>
}

export function startReembedding(needs: ReembeddingNeeds): Reembedding {
  const { store, embedder, isDoing } = needs
  const stopping = new AbortController()
  const left = new Map<number, number>()
  const served = new Set<number>() // by the embedder before
  let before: Serving | undefined
  const leave = (personaId: number) => {
    left.delete(personaId)
    served.delete(personaId)
  }

  async function look(): Promise<void> {
    for (const { id } of await store.personas.list()) {
      stopping.signal.throwIfAborted()
      const missing = await countLacking(store, embedder, id)
      if (missing === 0) {
        leave(id)
        continue
      }
      left.set(id, missing)
      if (!needs.before) continue
      before ??= needs.before()
      if ((await countLacking(store, before.embedder, id)) < missing) served.add(id)
    }
  }

  async function embedAll(): Promise<void> {
    const { signal } = stopping
    for (const id of left.keys()) {
      const onEmbedded = (memories: number) => left.set(id, Math.max(0, (left.get(id) ?? 0) - memories))
      await reembed({ store, embedder }, { id }, { signal, onEmbedded })
      leave(id)
    }
  }

  // Looks again after it has embedded all: a process with another embedder may still be learning.
  async function run(): Promise<void> {
    for (let found = false; ; ) {
      try {
        await look()
        if (left.size === 0) {
          if (found) needs.onDone()
          return
        }
        if (!found) needs.onFound(total(left))
        found = true
        if (isDoing) await embedAll()
        else await wait(limits.reembedWatchMs, undefined, { signal: stopping.signal, ref: false })
      } catch (error) {
        if (stopping.signal.aborted) return
        needs.onTrouble(error)
        await wait(limits.reembedWatchMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      }
    }
  }

  const running = run()
  return {
    waiting: (personaId) => (personaId === undefined ? total(left) : (left.get(personaId) ?? 0)),
    servingOf: (personaId) => (served.has(personaId) ? before : undefined),
    async stop() {
      stopping.abort()
      await running
      await before?.embedder.close()
    },
  }
}

const total = (left: Map<number, number>): number => [...left.values()].reduce((sum, one) => sum + one, 0)

async function countLacking(store: Pick<Store, 'traces'>, embedder: Pick<Embedder, 'name'>, personaId: number) {
  let count = 0
  for await (const numbers of lacking({ store, embedder }, personaId)) count += numbers.length
  return count
}
