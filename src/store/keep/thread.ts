// A thread that reads a store at one moment and hands out a backup or an export, a few parts ahead of whoever takes
// them: neither reading, compressing nor encrypting holds up the service. It loads only what the job needs: loading
// everything would take longer than a small backup.
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { yieldToServing } from '../../priority.ts'
import { isLost, unavailable } from '../postgres/retry.ts'
import type { Snapshot } from './backup.ts'
import { ownBytes } from './compress.ts'
import type { Versions } from './header.ts'
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

yieldToServing(limits.niceness)

try {
  const snapshot = await openSnapshot()
  try {
    for await (const part of await partsOf(snapshot)) {
      if (ahead >= limits.piecesAhead)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      ahead++
      const own = ownBytes(part)
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

async function openSnapshot(): Promise<Snapshot> {
  if ('path' in place) {
    const { sqliteSnapshot } = await import('../sqlite/snapshot.ts')
    return sqliteSnapshot(place.path, place.ownerKey)
  }
  const { postgresSnapshot } = await import('../postgres/snapshot.ts')
  return postgresSnapshot(place.url)
}

async function partsOf({ db }: Snapshot): Promise<AsyncIterable<Uint8Array>> {
  if ('persona' in job) {
    const { writeExport } = await import('./export.ts')
    return writeExport(db, job.persona)
  }
  const { writeBackup } = await import('./backup.ts')
  const versions = await migrationsKnown()
  const secret = job.backup.passphrase ?? ('path' in place ? place.ownerKey : undefined)
  return writeBackup({ db }, versions, secret)
}

async function migrationsKnown(): Promise<Versions> {
  const { migrations: sqlite } = await import('../sqlite/migrate.ts')
  const { migrations: postgres } = await import('../postgres/migrate.ts')
  return { sqlite: sqlite.length, postgres: postgres.length }
}
