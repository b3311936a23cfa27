// Backs the running service up into a folder, again and again, and keeps so many of the files.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { PARTIAL, writeWhole } from './backup-file.ts'

export type BackupFile = { name: string; madeAt: Date; bytes: number }

export type Backups = {
  // Newest first.
  files(): Promise<BackupFile[]>
  state(): { everyMs: number; keep: number; isRunning: boolean; failures: number; failure: string | null }
  stop(): Promise<void>
}

export type BackupNeeds = {
  store: Pick<Store, 'backup'>
  folder: string
  everyMs: number
  keep: number
  passphrase: string | undefined
  onTrouble(error: unknown): void
}

export function scheduleBackups(needs: BackupNeeds): Backups {
  const { folder, everyMs, keep } = needs
  let running: Promise<BackupFile> | undefined
  let failures = 0
  let failure: string | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  let isStopped = false
  // By the clock of the files, so that a restart makes no backup more and none less, and a second process none beside.
  const look = async () => {
    const [newest] = await filesIn(folder)
    const age = newest ? Date.now() - newest.madeAt.getTime() : everyMs
    if (age >= 0 && age < everyMs) return
    if (performance.now() - failedAt < Math.min(everyMs, limits.backupAgainMs)) return
    running ??= makeBackup(needs, () => isStopped).finally(() => {
      running = undefined
    })
    await running
    failure = null
  }
  const lookQuietly = () =>
    look().catch((error) => {
      if (isStopped) return
      failures++
      failedAt = performance.now()
      failure = (error as Error).message
      needs.onTrouble(error)
    })
  lookQuietly()
  const timer = setInterval(lookQuietly, limits.backupLookMs).unref()
  return {
    files: () => filesIn(folder),
    state: () => ({ everyMs, keep, isRunning: running !== undefined, failures, failure }),
    async stop() {
      clearInterval(timer)
      isStopped = true
      await running?.catch(() => {})
    },
  }
}

const NAME = /^memoir-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

export const backupName = (at: Date): string => `memoir-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

async function makeBackup(
  { store, folder, keep, passphrase }: BackupNeeds,
  isStopped: () => boolean,
): Promise<BackupFile> {
  await removeAbandoned(folder)
  const madeAt = new Date()
  const name = backupName(madeAt)
  const bytes = await writeWhole(join(folder, name), unlessStopped(store.backup(passphrase), isStopped))
  for (const old of (await filesIn(folder)).slice(keep)) await rm(join(folder, old.name), { force: true })
  return { name, madeAt, bytes }
}

// A service that stops does not wait for a long backup.
async function* unlessStopped(parts: AsyncIterable<Uint8Array>, isStopped: () => boolean) {
  for await (const part of parts) {
    if (isStopped()) throw new Error('The service stopped in the middle of a backup.')
    yield part
  }
}

// Newest first. Those of a time to come, made by a clock that was ahead, count as the oldest: they would otherwise
// stand for new ones until that time, and push those out.
async function filesIn(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
  const files: BackupFile[] = []
  for (const name of names.reverse()) {
    const [, day, hour, minute, second] = NAME.exec(name)!
    const file = await stat(join(folder, name)).catch(() => undefined) // deleted a moment ago
    if (file) files.push({ name, madeAt: new Date(`${day}T${hour}:${minute}:${second}Z`), bytes: file.size })
  }
  const now = Date.now()
  return [
    ...files.filter(({ madeAt }) => madeAt.getTime() <= now),
    ...files.filter(({ madeAt }) => madeAt.getTime() > now),
  ]
}

// What a process left behind that was ended in the middle.
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.memoir-') || !name.endsWith(PARTIAL)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > limits.backupAbandonedMs) await rm(join(folder, name), { force: true })
  }
}
