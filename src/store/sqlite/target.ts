// A data folder as the place a backup goes to: a new file beside the old one, renamed over it when it is whole.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../domain/errors.ts'
import type { Target } from '../keep/restore.ts'
import { isEmpty } from '../rows.ts'
import { connect } from './connection.ts'
import { asStoreFault, isBusy } from './faults.ts'
import { migrate } from './migrate.ts'
import { keepPrivate } from './private.ts'
import { openCodec, unsealed } from './sealed/open.ts'
import { takeDownViews } from './sealed/views.ts'
import { lockFolder } from './served.ts'

export async function sqliteTarget(path: string, ownerKey?: Uint8Array): Promise<Target> {
  const letGo = lockFolder(dirname(path))
  if (!letGo) throw new AppError('conflict', `A service runs on ${dirname(path)}: stop it first.`)
  return {
    name: path,
    async isEmpty() {
      if (!existsSync(path)) return true
      const { raw, db } = connect(path, { readOnly: true })
      const isNew = raw.prepare(`select 1 from sqlite_schema where name = 'keys'`).get() === undefined
      return (isNew ? Promise.resolve(true) : isEmpty(db)).finally(() => raw.close())
    },
    async replaceWith({ sqlite: age }, fill) {
      if (ownerKey && age < FIRST_SEALED)
        throw new AppError(
          'conflict',
          'This backup is from before Memoir could encrypt: restore it without an encryption key, then run `memoir encrypt`.',
        )
      const beside = `${path}.restoring`
      forget(beside)
      keepPrivate(beside)
      const connection = connect(beside)
      const { raw } = connection
      try {
        // Nobody reads it before it is whole and synced.
        raw.exec('pragma journal_mode = off; pragma synchronous = off')
        const codec = openCodec(raw, ownerKey, beside)
        migrate(raw, age)
        raw.exec('begin')
        await fill(unsealed(connection, codec).db)
        raw.exec('commit')
        takeDownViews(raw)
        migrate(raw)
        raw.close()
        await syncFile(beside)
        if (existsSync(path)) closeLog(path)
        renameSync(beside, path)
        await syncFile(dirname(path))
      } catch (error) {
        if (asStoreFault(error)?.code !== 'storage_full') throw error
        const why = `The disk of ${dirname(path)} is too full for the backup. What was there before stays as it was.`
        throw new AppError('storage_full', why, { cause: error })
      } finally {
        raw.isOpen && raw.close()
        forget(beside)
      }
    },
    async close() {
      letGo()
    },
  }
}

// Steps up to here computed with texts, which an engine cannot do with sealed ones. Later ones may not.
const FIRST_SEALED = 18

function forget(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(file, { force: true })
}

// What is in the log goes into the file: a log beside another file than its own would be believed. Fails where anybody
// else has the file open.
export function closeLog(path: string): void {
  const old = new DatabaseSync(path, { timeout: 0 })
  try {
    old.exec('pragma journal_mode = delete')
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new AppError('conflict', `Another process has ${path} open: stop it first.`)
  } finally {
    old.close()
  }
}

async function syncFile(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
