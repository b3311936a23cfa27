// A cache of what every request asks for, cleared as soon as anyone changed anything that could be it.
import type { DatabaseSync } from 'node:sqlite'
import type { Keys, Personas } from '../../ports/store.ts'

const MOST_ENTRIES = 10_000

export function cacheKeys(keys: Keys, cache: Cache): Keys {
  return {
    ...keys,
    byHash: cache.through(keys.byHash),
    create: cache.clearAfter(keys.create),
    remove: cache.clearAfter(keys.remove),
  }
}

export function cachePersonas(personas: Personas, cache: Cache): Personas {
  return {
    ...personas,
    byDomainName: cache.through(personas.byDomainName, { alsoMissing: true }),
    byId: cache.through(personas.byId),
    create: cache.clearAfter(personas.create),
    update: cache.clearAfter(personas.update),
    remove: cache.clearAfter(personas.remove),
  }
}

export type Cache = ReturnType<typeof createCache>

// `look` throws where nothing may be answered any more.
export function createCache(writer: DatabaseSync, look: () => void) {
  // SQLite's own count of commits by other connections than the writer: by other processes, then.
  const version = writer.prepare('pragma data_version')
  version.setReturnArrays(true)
  const maps: Map<unknown, unknown>[] = []
  let seen: unknown

  const clear = () => {
    for (const map of maps) map.clear()
  }
  // Once for all that is asked in the same moment.
  let hasLooked = false
  const lookForChanges = () => {
    look()
    if (hasLooked) return
    hasLooked = true
    setImmediate(() => {
      hasLooked = false
    })
    const now = (version.get() as unknown as [number])[0]
    if (now !== seen) clear()
    seen = now
  }
  return {
    // `alsoMissing`: what is not there is remembered as well, so that it takes no longer to say so.
    through<K, V>(
      find: (key: K) => Promise<V | undefined>,
      { alsoMissing = false } = {},
    ): (key: K) => Promise<V | undefined> {
      const map = new Map<K, V | undefined>()
      maps.push(map as Map<unknown, unknown>)
      return async (key) => {
        lookForChanges()
        const known = map.get(key)
        if (known !== undefined || map.has(key)) return known
        const found = await find(key)
        if (found !== undefined || alsoMissing) {
          if (map.size >= MOST_ENTRIES) map.clear()
          map.set(key, found)
        }
        return found
      }
    },
    clearAfter<A extends unknown[], R>(write: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
      return (...given) => write(...given).finally(clear)
    },
  }
}
