// The backups that the service makes by itself, and the one an owner takes along.
import type { z } from 'zod'
import type { Admin } from '../../contract/admin-api.ts'
import { keepOperations } from '../../contract/keep-api.ts'
import { allowRight, type Caller } from '../access.ts'
import type { Needs } from '../needs.ts'
import { takes } from '../rights.ts'
import { validate } from '../validate.ts'

export function adminBackups({ backups, backupPassphrase, store }: Needs): Pick<Admin, 'backups'> {
  return {
    async backups() {
      const encryption = store.encryption()
      if (!backups) return { encryption, schedule: null, files: [] }
      const { everyMs, keep, isRunning, failures, failure } = backups.state()
      const files = await backups.files()
      return {
        encryption,
        schedule: {
          every_s: everyMs / 1000,
          keep,
          is_encrypted: backupPassphrase !== undefined,
          is_running: isRunning,
          failures,
          failure,
        },
        files: files.map(({ name, madeAt, bytes }) => ({ name, made_at: madeAt.toISOString(), bytes })),
      }
    },
  }
}

export type BackupFields = z.input<(typeof keepOperations)['backup']['body']>

export function takeBackup(needs: Needs, caller: Pick<Caller, 'key'>, given: unknown): AsyncIterable<Uint8Array> {
  allowRight(caller, takes.backup)
  const { passphrase } = validate(keepOperations.backup.body, given, needs.sizes.textCharacters)
  return needs.store.backup(passphrase ?? needs.backupPassphrase)
}
