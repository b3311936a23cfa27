// A data folder as it is at one moment, read beside whoever writes to it.
import { existsSync } from 'node:fs'
import { AppError } from '../../domain/errors.ts'
import type { Snapshot } from '../keep/backup.ts'
import { connect } from './connection.ts'
import { migrations } from './migrate.ts'

export async function sqliteSnapshot(path: string): Promise<Snapshot> {
  if (!existsSync(path)) throw new AppError('not_found', `There is no store at ${path}.`)
  const { raw, db } = connect(path, { readOnly: true })
  const close = async () => {
    await db.destroy()
    raw.isOpen && raw.close()
  }
  // The moment is that of the first read.
  raw.exec('begin')
  const { user_version: version } = raw.prepare('pragma user_version').get() as { user_version: number }
  if (version === migrations.length) return { db, close }
  await close()
  throw new AppError('conflict', `${path} was last used by another version of Memoir: start this one on it first.`)
}
