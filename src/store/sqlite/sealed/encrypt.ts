// Makes an encrypted store of a plain one: all rows are written to a new file, which then takes its place. Were they
// changed where they are, the plain texts would stay in free pages of the file.
import { existsSync } from 'node:fs'
import { AppError } from '../../../domain/errors.ts'
import { blocksOf } from '../../keep/backup.ts'
import { fill, type OnRestored } from '../../keep/restore.ts'
import { connect } from '../connection.ts'
import { sqliteEnd } from '../end.ts'
import { migrations } from '../migrate.ts'
import { sqliteTarget } from '../target.ts'
import { isSealed } from './data-keys.ts'

// How many rows each table has.
export async function encrypt(
  path: string,
  ownerKey: Uint8Array,
  onRows?: OnRestored,
): Promise<Record<string, number>> {
  if (!existsSync(path)) throw new AppError('not_found', `There is no store at ${path}.`)
  if (isEncrypted(path)) throw new AppError('conflict', `${path} is encrypted already.`)
  const target = await sqliteTarget(path, ownerKey)
  try {
    return await fill(target, { sqlite: migrations.length, postgres: 0 }, blocksIn(path), onRows)
  } finally {
    await target.close()
  }
}

// Nobody writes to it until all was read; then it is closed, so that it can be replaced.
async function* blocksIn(path: string): ReturnType<typeof blocksOf> {
  const source = await sqliteEnd(path)
  try {
    await source.freeze()
    yield* blocksOf(source.db)
  } finally {
    await source.close()
  }
}

function isEncrypted(path: string): boolean {
  const { raw } = connect(path, { readOnly: true })
  try {
    return isSealed(raw)
  } finally {
    raw.close()
  }
}
