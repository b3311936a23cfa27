// A thread that reads a store at one moment and hands out a backup or an export, a few parts ahead of whoever takes
// them: neither reading, compressing nor encrypting holds up the service.
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { migrations as postgres } from '../postgres/migrate.ts'
import { isLost, unavailable } from '../postgres/retry.ts'
import { postgresSnapshot } from '../postgres/snapshot.ts'
import { migrations as sqlite } from '../sqlite/migrate.ts'
import { sqliteSnapshot } from '../sqlite/snapshot.ts'
import { type Snapshot, writeBackup } from './backup.ts'
import { writeExport } from './export.ts'
import { limits } from './limits.ts'
import type { FromThread, Job } from './run-thread.ts'

const job = workerData as Job
const { place } = job
const tell = (message: FromThread, moved: ArrayBuffer[] = []) => parentPort!.postMessage(message, moved)

let ahead = 0
let goOn = () => {}
parentPort!.on('message', () => {
  ahead--
  goOn()
})

try {
  const snapshot =
    'path' in place ? await sqliteSnapshot(place.path, place.ownerKey) : await postgresSnapshot(place.url)
  try {
    for await (const part of partsOf(snapshot)) {
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

function partsOf({ db }: Snapshot): AsyncIterable<Uint8Array> {
  if ('persona' in job) return writeExport(db, job.persona)
  const secret = job.backup.passphrase ?? ('path' in place ? place.ownerKey : undefined)
  return writeBackup({ db }, { sqlite: sqlite.length, postgres: postgres.length }, secret)
}
