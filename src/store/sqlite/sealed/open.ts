// Opens a connection's view of a sealed store, or refuses it with one sentence.
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { AppError } from '../../../domain/errors.ts'
import type { Encryption } from '../../../ports/store.ts'
import type { Tables } from '../../tables/schema.ts'
import { type Codec, createCodec } from './codec.ts'
import { addDataKey, hasOlderKeys, readDataKeys } from './data-keys.ts'
import { sealingPlugin } from './plugin.ts'
import { hangViews } from './views.ts'

// The codec of the store at `path`; undefined for a plain one. A store that holds nothing yet is sealed from its
// beginning.
export function openCodec(db: DatabaseSync, ownerKey: Uint8Array | undefined, path: string): Codec | undefined {
  const known = readDataKeys(db, ownerKey, path)
  if (known) return createCodec(known)
  if (!ownerKey) return undefined
  // Under the lock of a writer: another process may open it at the same moment.
  db.exec('begin immediate')
  try {
    if (holdsSomething(db))
      throw new AppError(
        'unavailable',
        `${path} is not encrypted yet: stop the service and run \`memoir encrypt\` once.`,
      )
    const codec = createCodec(readDataKeys(db, ownerKey, path) ?? addDataKey(db, ownerKey))
    db.exec('commit')
    return codec
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

export const encryptionOf = (db: DatabaseSync, codec: Codec | undefined): Encryption =>
  !codec ? 'off' : hasOlderKeys(db, codec.current) ? 'rotating' : 'on'

// The connection as everybody above knows it. To be called when the tables are those of this version.
export function unsealed<C extends { raw: DatabaseSync; db: Kysely<Tables> }>(
  connection: C,
  codec: Codec | undefined,
): C {
  if (!codec) return connection
  const columns = hangViews(connection.raw, codec)
  return { ...connection, db: connection.db.withPlugin(sealingPlugin(codec, columns)) }
}

function holdsSomething(db: DatabaseSync): boolean {
  const isNew = db.prepare(`select 1 from main.sqlite_schema where name = 'keys'`).get() === undefined
  return (
    !isNew && db.prepare('select 1 from main.keys union all select 1 from main.personas limit 1').get() !== undefined
  )
}
