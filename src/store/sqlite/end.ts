// A data folder as one end of a move.
import type { End } from '../move.ts'
import { copyBeforeUpgrade } from './before-upgrade.ts'
import { connect } from './connection.ts'
import { migrate } from './migrate.ts'
import { openCodec, unsealed } from './sealed/open.ts'

export async function sqliteEnd(path: string, ownerKey?: Uint8Array): Promise<End> {
  const connection = connect(path)
  const { raw } = connection
  const db = unsealedHere()
  return {
    name: path,
    db,
    // One transaction that writes nothing keeps every other writer out.
    freeze: async () => raw.exec('begin immediate'),
    async settle() {
      raw.exec('pragma wal_checkpoint(truncate)')
    },
    async close() {
      if (raw.isTransaction) raw.exec('rollback')
      await db.destroy()
      raw.isOpen && raw.close()
    },
  }

  function unsealedHere() {
    try {
      const codec = openCodec(raw, ownerKey, path)
      migrate(raw, undefined, (version) => copyBeforeUpgrade(raw, path, version))
      return unsealed(connection, codec).db
    } catch (error) {
      raw.close()
      throw error
    }
  }
}
