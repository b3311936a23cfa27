// What every request asks for is held in memory, and let go as soon as anyone changed anything that could be it.
import type { DatabaseSync } from 'node:sqlite'
import type { Keys, Personas } from '../../ports/store.ts'

const MOST_KEPT = 10_000

export function keptKeys(keys: Keys, memory: Kept): Keys {
  return {
    ...keys,
    byHash: memory.keep(keys.byHash),
    create: memory.change(keys.create),
    remove: memory.change(keys.remove),
  }
}

export function keptPersonas(personas: Personas, memory: Kept): Personas {
  return {
    ...personas,
    byDomainName: memory.keep(personas.byDomainName),
    byId: memory.keep(personas.byId),
    create: memory.change(personas.create),
    update: memory.change(personas.update),
    remove: memory.change(personas.remove),
  }
}

export type Kept = ReturnType<typeof createKept>

export function createKept(writer: DatabaseSync) {
  // SQLite's own count of commits by other connections than the writer: by other processes, then.
  const version = writer.prepare('pragma data_version')
  version.setReturnArrays(true)
  const maps: Map<unknown, unknown>[] = []
  let seen: unknown

  const forget = () => {
    for (const map of maps) map.clear()
  }
  // Once for all that is asked in the same moment.
  let looked = false
  const lookForChanges = () => {
    if (looked) return
    looked = true
    setImmediate(() => {
      looked = false
    })
    const now = (version.get() as unknown as [number])[0]
    if (now !== seen) forget()
    seen = now
  }
  return {
    keep<K, V>(find: (key: K) => Promise<V | undefined>): (key: K) => Promise<V | undefined> {
      const map = new Map<K, V>()
      maps.push(map as Map<unknown, unknown>)
      return async (key) => {
        lookForChanges()
        const known = map.get(key)
        if (known !== undefined) return known
        const found = await find(key)
        if (found !== undefined) {
          if (map.size >= MOST_KEPT) map.clear()
          map.set(key, found)
        }
        return found
      }
    },
    change<A extends unknown[], R>(write: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
      return (...given) => write(...given).finally(forget)
    },
  }
}
