// Encryption at rest: whether it is on, and whether the key that the settings name opens the store.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Config, ConfigError, databaseFile } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { readOwnerKey } from '../encryption-key.ts'
import { hasOlderKeys, readDataKeys } from '../store/sqlite/sealed/data-keys.ts'
import { bad, type Finding, well } from './finding.ts'

export function checkEncryption(config: Config): Finding {
  const about = 'encryption'
  if (config.databaseUrl !== undefined)
    return well(about, 'PostgreSQL keeps the data: whether it is encrypted on disk is up to its server.')
  const path = databaseFile(config)
  try {
    const ownerKey = readOwnerKey(config.encryption)
    if (!existsSync(path)) return well(about, ownerKey ? 'On, from the first start on.' : OFF)
    const db = new DatabaseSync(path, { readOnly: true })
    try {
      const keys = readDataKeys(db, ownerKey, path)
      if (!keys && ownerKey) return bad(about, `${path} is not encrypted yet.`, 'Run once: memoir encrypt')
      if (!keys) return well(about, OFF)
      return hasOlderKeys(db, Math.max(...keys.keys()))
        ? well(about, 'On; the running service encrypts everything anew with a new data key.')
        : well(about, 'On; the key of the settings opens it.')
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ConfigError)) throw error
    return bad(about, error.message, 'Name the key that the data folder was encrypted with.')
  }
}

const OFF = 'Off: whoever reads the data folder can read everything. MEMOIR_ENCRYPTION_KEY_FILE turns it on.'
