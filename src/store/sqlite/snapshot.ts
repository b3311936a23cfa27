// A data folder as it is at one moment, read beside whoever writes to it.
import { existsSync } from 'node:fs'
import { AppError } from '../../domain/errors.ts'
import type { Snapshot } from '../keep/backup.ts'
import { connect } from './connection.ts'
import { migrations } from './migrate.ts'
import { createCodec } from './sealed/codec.ts'
import { readDataKeys } from './sealed/data-keys.ts'
import { unsealed } from './sealed/open.ts'

export async function sqliteSnapshot(path: string, ownerKey?: Uint8Array): Promise<Snapshot> {
  if (!existsSync(path)) throw new AppError('not_found', `There is no store at ${path}.`)
  const connection = connect(path, { readOnly: true })
  const { raw } = connection
  const close = async () => {
    await connection.db.destroy()
    raw.isOpen && raw.close()
  }
  try {
    // The moment is that of the first read.
    raw.exec('begin')
    const { user_version: version } = raw.prepare('pragma user_version').get() as { user_version: number }
    if (version !== migrations.length)
      throw new AppError('conflict', `${path} was last used by another version of Memoir: start this one on it first.`)
    const dataKeys = readDataKeys(raw, ownerKey, path)
    return { db: unsealed(connection, dataKeys && createCodec(dataKeys)).db, close }
  } catch (error) {
    await close()
    throw error
  }
}
