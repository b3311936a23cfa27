// Group commit: one sync of the write-ahead log serves everyone who committed before it began.
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

// The file system's own sync, off the event loop; a benchmark may put a slower disk in its place.
export type Disk = { sync(): Promise<void>; close(): Promise<void> }

export async function walOf(path: string): Promise<Disk> {
  // The log stays the same file while a connection is open. SQLite holds no locks on it, so a second descriptor is
  // safe.
  const log = await open(`${path}-wal`, 'r+')
  if (process.platform !== 'win32') {
    const folder = await open(dirname(path), 'r')
    await folder.sync()
    await folder.close()
  }
  return { sync: () => log.datasync(), close: () => log.close() }
}

// The returned function resolves when a sync that began after its call has ended.
export function groupSync(disk: Disk): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = () => {
    running = disk.sync().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => {}) // its own callers hear of that failure
      .then(() => {
        next = null
        return begin()
      })
    return next
  }
}
