// A data folder is served by one process. The lock is the system's own: it ends with the process, however that ends.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'
import { keepPrivate } from './private.ts'

// Returns what lets go of it; undefined where another process has it.
export function lockFolder(folder: string): (() => void) | undefined {
  const path = join(folder, 'serving.lock')
  keepPrivate(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
