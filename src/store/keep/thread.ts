// A thread that reads a store at one moment and hands out its backup, a few parts ahead of whoever takes them: neither
// reading, compressing nor encrypting holds up the service.
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { migrations as postgres } from '../postgres/migrate.ts'
import { isLost, unavailable } from '../postgres/retry.ts'
import { postgresSnapshot } from '../postgres/snapshot.ts'
import { migrations as sqlite } from '../sqlite/migrate.ts'
import { sqliteSnapshot } from '../sqlite/snapshot.ts'
import { writeBackup } from './backup.ts'
import { limits } from './limits.ts'
import type { FromThread, Job } from './run-thread.ts'

const { place, passphrase } = workerData as Job
const tell = (message: FromThread, moved: ArrayBuffer[] = []) => parentPort!.postMessage(message, moved)

let ahead = 0
let goOn = () => {}
parentPort!.on('message', () => {
  ahead--
  goOn()
})

try {
  const snapshot = 'path' in place ? await sqliteSnapshot(place.path) : await postgresSnapshot(place.url)
  try {
    for await (const part of writeBackup(snapshot, { sqlite: sqlite.length, postgres: postgres.length }, passphrase)) {
      if (ahead >= limits.partsAhead)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      ahead++
      const own = new Uint8Array(part) // buffers share their memory with others
      tell({ part: own }, [own.buffer])
    }
  } finally {
    await snapshot.close()
  }
  tell({ end: true })
} catch (thrown) {
  const error = isLost(thrown) ? unavailable(thrown) : thrown
  const { code, message, stack } = error as AppError
  tell({ failed: { code: error instanceof AppError ? code : undefined, message, stack } })
}
parentPort!.close()
