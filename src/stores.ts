// Chooses the engine that the settings name: to open it, to move it and to restore it.
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Logger } from 'pino'
import { backUpStore, ownerKeyOf, passphraseOf } from './back-up.ts'
import { type Config, ConfigError, databaseFile, type KeySource } from './config.ts'
import { AppError } from './domain/errors.ts'
import { readOwnerKey } from './encryption-key.ts'
import { makeFolder, makePrivate, usable } from './folders.ts'
import type { Store } from './ports/store.ts'
import { type Backup, readBackup } from './store/keep/read.ts'
import { check, type OnRestored, type Restored, restore, type Target } from './store/keep/restore.ts'
import { type Moved, move, type OnProgress } from './store/move.ts'
import { postgresEnd } from './store/postgres/end.ts'
import { migrations as postgresMigrations } from './store/postgres/migrate.ts'
import { openPostgres } from './store/postgres/open.ts'
import { postgresTarget } from './store/postgres/target.ts'
import { sqliteEnd } from './store/sqlite/end.ts'
import { migrations as sqliteMigrations } from './store/sqlite/migrate.ts'
import { openSqlite, type SqliteOptions } from './store/sqlite/open.ts'
import { encrypt } from './store/sqlite/sealed/encrypt.ts'
import type { Resealing } from './store/sqlite/sealed/reseal.ts'
import { rotateKey } from './store/sqlite/sealed/rotate.ts'
import { sqliteTarget } from './store/sqlite/target.ts'

export const openStore = (
  config: Config,
  options: Pick<SqliteOptions, 'onUpgrade' | 'onDamage' | 'resealing'> = {},
): Promise<Store> =>
  config.databaseUrl === undefined
    ? openSqlite(databaseFile(config), { ...options, ownerKey: ownerKeyOf(config) })
    : openPostgres(config.databaseUrl).catch(notThere(config.databaseUrl))

// The same, with what it does by itself told to the log.
export const openToldStore = (config: Config, log: Logger, isService = false): Promise<Store> =>
  openStore(config, {
    onUpgrade: (copy, version) => log.warn({ copy, version }, 'the database was copied before its upgrade'),
    onDamage: (text) => log.error(text, 'what is in the database was damaged, and is not handed out'),
    resealing: isService ? tellResealing(log) : undefined,
  })

const tellResealing = (log: Logger): Resealing => ({
  onProgress: (table, done, of) => log.info({ table, done, of }, 'encrypting with the new data key'),
  onDone: () => log.info('everything is encrypted with the new data key; the old one is gone'),
  onTrouble: (err) => log.error({ err }, 'encrypting with the new data key'),
})

// At the start it is the setting that may be wrong, not the moment. The URL holds a password, so only its host is told.
const notThere = (url: string) => (error: unknown) => {
  // One that answers with a reason of its own (a move was broken off) has no cause below.
  if (!(error instanceof AppError && error.code === 'unavailable' && error.cause)) throw error
  const why = (error.cause as Error).message || 'no answer'
  throw new ConfigError(
    `MEMOIR_DATABASE_URL cannot be used: no database answers at ${new URL(url).host} (${why}). ` +
      'Start it, or correct the setting.',
  )
}

const endOf = (config: Config) =>
  config.databaseUrl === undefined
    ? sqliteEnd(databaseFile(config), ownerKeyOf(config))
    : postgresEnd(config.databaseUrl)

// Everything, from the store of one configuration to that of another.
export async function moveStore(from: Config, to: Config, onProgress: OnProgress): Promise<Moved[]> {
  if (to.databaseUrl === undefined) usable('MEMOIR_DATA', to.dataFolder, makeFolder)
  const source = await endOf(from)
  const target = await endOf(to).catch(async (error) => {
    await source.close()
    throw error
  })
  return move(source, target, onProgress).finally(() => Promise.all([source.close(), target.close()]))
}

export type RestoreOptions = {
  // Keeps what a store holds that is about to be replaced. Undefined: one that holds something is not replaced.
  save?: ((parts: AsyncIterable<Uint8Array>) => Promise<unknown>) | undefined
  keyFile?: string | undefined // with the key that the file was encrypted with, where it is another than the store's
  onRows?: OnRestored
}

export async function restoreStore(config: Config, file: string, options: RestoreOptions): Promise<Restored> {
  // Named as what it is before anything of the store is touched.
  const backup = await openBackup(config, file, options.keyFile)
  if (config.databaseUrl === undefined) usable('MEMOIR_DATA', config.dataFolder, makePrivate)
  const target = await targetOf(config)
  try {
    await saveBefore(target, config, options.save).catch((error) => {
      if (error instanceof AppError) throw error
      const why = (error as Error).message
      throw new AppError('conflict', `${target.name} cannot be read (${why}). Move it away, then restore again.`)
    })
    return await restore(target, backup, options.onRows)
  } finally {
    await target.close()
  }
}

async function saveBefore(target: Target, config: Config, save: RestoreOptions['save']): Promise<void> {
  if (await target.isEmpty()) return
  if (!save) throw new AppError('conflict', `${target.name} is not empty. With --replace the backup takes its place.`)
  await save(backUpStore(config))
}

const targetOf = (config: Config) =>
  config.databaseUrl === undefined
    ? sqliteTarget(databaseFile(config), ownerKeyOf(config))
    : postgresTarget(config.databaseUrl).catch(notThere(config.databaseUrl))

// A plain data folder becomes an encrypted one. Tells how many rows each table has.
export const encryptStore = (config: Config): Promise<Record<string, number>> =>
  encrypt(databaseFile(config), neededKey(config))

// Everything is encrypted anew with a key of its own, which the owner's key protects: the same, or another.
export function rotateStoreKey(config: Config, newKey: KeySource | undefined): void {
  const ownerKey = neededKey(config)
  rotateKey(databaseFile(config), { ownerKey, newOwnerKey: readOwnerKey(newKey) ?? ownerKey })
}

function neededKey(config: Config): Buffer {
  const key = ownerKeyOf(config)
  if (key) return key
  throw new ConfigError('Name the key with MEMOIR_ENCRYPTION_KEY_FILE or MEMOIR_ENCRYPTION_KEY_COMMAND first.')
}

// Whether the file is whole, and what it holds.
export const checkBackup = async (config: Config, file: string, keyFile?: string): Promise<Restored> =>
  check(await openBackup(config, file, keyFile))

async function openBackup(config: Config, file: string, keyFile: string | undefined): Promise<Backup> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new AppError('not_found', `There is no file ${file}.`)
  const known = { sqlite: sqliteMigrations.length, postgres: postgresMigrations.length }
  const bytes = createReadStream(file, { highWaterMark: 1024 * 1024 })
  const ownerKey = keyFile ? readOwnerKey({ setting: '--key-file', file: keyFile }) : ownerKeyOf(config)
  return readBackup(basename(file), bytes, known, { passphrase: passphraseOf(config), ownerKey })
}
