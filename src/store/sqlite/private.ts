// Nobody but the owner of the process may read what a persona was told.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'

// Made before SQLite makes it; its log and its index take the mode over.
export function keepPrivate(path: string): void {
  if (path === ':memory:') return
  closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
}
