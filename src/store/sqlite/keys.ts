// Keys are asked for on every request: they are held in memory, and read again when anyone changed them.
import type { DatabaseSync } from 'node:sqlite'
import type { Key } from '../../domain/access.ts'
import type { Keys } from '../../ports/store.ts'

export function keptKeys(keys: Keys, writer: DatabaseSync): Keys & { forget(): void } {
  // SQLite's own count of commits by other connections than the writer: other processes, then.
  const version = writer.prepare('pragma data_version')
  let kept: Map<string, Key> | null = null
  let keptAt: unknown

  const forget = () => {
    kept = null
  }
  return {
    ...keys,
    forget,
    async byHash(hash) {
      const now = (version.get() as { data_version: number }).data_version
      if (!kept || now !== keptAt) {
        kept = new Map((await keys.list()).map((key) => [key.hash, key]))
        keptAt = now
      }
      return kept.get(hash)
    },
    async create(key) {
      await keys.create(key)
      forget()
    },
    async remove(id) {
      const removed = await keys.remove(id)
      forget()
      return removed
    },
  }
}
