// The indexes of the personas recalled lately, cached in memory: loaded on first use, updated by their changes, the
// least recently used evicted.
import type { Embedder } from '../../ports/models.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { createArena } from './arena.ts'
import { documentKey } from './columns.ts'
import { createPersonaIndex, type PersonaIndex } from './persona-index.ts'

export type IndexCache = {
  // Acts on the persona's index as of now. The index is good for that long only: afterwards its place may be another's.
  use<T>(personaId: number, act: (index: PersonaIndex) => T): Promise<T>
  bytes(): number
  personas(): number
}

type Cached = { index: PersonaIndex; sequence: number; bytes: number }
type CacheNeeds = { store: Pick<Store, 'traces'>; embedder: Pick<Embedder, 'name' | 'dimensions'> }

export function createIndexCache({ store: { traces }, embedder }: CacheNeeds, memoryMib: number): IndexCache {
  const arena = createArena()
  // In order of last use.
  const cached = new Map<number, Cached>()
  const turns = new Map<number, Promise<unknown>>()
  let bytes = 0

  async function load(personaId: number): Promise<Cached> {
    const index = createPersonaIndex({ arena, dimensions: embedder.dimensions })
    try {
      // Read before the rows: what changes meanwhile is read again, which is harmless.
      const sequence = await traces.sequence(personaId)
      const drafts = new Set(await traces.drafts(personaId))
      for (let after = 0; ; ) {
        const rows = await traces.page(personaId, embedder.name, { after, limit: limits.loadRows })
        index.add(rows, drafts)
        if (rows.length < limits.loadRows) return { index, sequence, bytes: 0 }
        after = rows.at(-1)!.number
      }
    } catch (error) {
      index.free()
      throw error
    }
  }

  // False when it is quicker to load everything anew.
  async function follow(personaId: number, one: Cached): Promise<boolean> {
    const sequence = await traces.sequence(personaId)
    if (sequence === one.sequence) return true
    const changed = sequence > one.sequence ? await traces.changedSince(personaId, one.sequence) : undefined
    if (!changed) return false
    one.index.columns.removeDocuments(new Set(changed.map(documentKey)))
    if (one.index.columns.live() < 0.7 * one.index.columns.count()) return false
    const drafts = new Set(await traces.drafts(personaId))
    for (let at = 0; at < changed.length; at += 500)
      one.index.add(await traces.ofDocuments(personaId, embedder.name, changed.slice(at, at + 500)), drafts)
    one.sequence = sequence
    return true
  }

  // While it is being brought up to date nobody else can send it away.
  async function useCurrent<T>(personaId: number, act: (index: PersonaIndex) => T): Promise<T> {
    let one = cached.get(personaId)
    if (one) {
      remove(personaId, one)
      const followed = await follow(personaId, one).catch((error) => {
        one!.index.free()
        throw error
      })
      if (!followed) {
        one.index.free()
        one = undefined
      }
    }
    one ??= await load(personaId)
    one.bytes = one.index.bytes()
    bytes += one.bytes
    cached.set(personaId, one)
    evict()
    return act(one.index)
  }

  function remove(personaId: number, one: Cached): void {
    cached.delete(personaId)
    bytes -= one.bytes
  }

  // The one just asked for stays, however large.
  function evict(): void {
    for (const [personaId, one] of cached) {
      if (bytes <= memoryMib * 1024 * 1024 || cached.size === 1) return
      remove(personaId, one)
      one.index.free()
    }
  }

  return {
    // One after the other for each persona: two loads at once would do the same work twice.
    use(personaId, act) {
      const before = turns.get(personaId) ?? Promise.resolve()
      const mine = before.catch(() => {}).then(() => useCurrent(personaId, act))
      turns.set(personaId, mine)
      const done = () => {
        if (turns.get(personaId) === mine) turns.delete(personaId)
      }
      mine.then(done, done)
      return mine
    },
    bytes: () => bytes,
    personas: () => cached.size,
  }
}
