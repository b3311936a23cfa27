// The data keys of a store, in a table beside the others: random, and wrapped with the owner's key.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../domain/errors.ts'
import type { DataKeys } from './codec.ts'

const CIPHER = 'aes-256-gcm'
const [NONCE, TAG, KEY] = [12, 16, 32]
const MOST_NUMBER = 65_535

export const isSealed = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from main.sqlite_schema where name = 'data_keys'`).get() !== undefined

// The keys of a store that has some; undefined for one that is plain. `path` is for the sentence.
export function readDataKeys(db: DatabaseSync, ownerKey: Uint8Array | undefined, path: string): DataKeys | undefined {
  if (!isSealed(db)) return undefined
  if (!ownerKey) {
    const sentence = 'name its key with MEMOIR_ENCRYPTION_KEY_FILE or MEMOIR_ENCRYPTION_KEY_COMMAND.'
    throw new AppError('unavailable', `${path} is encrypted: ${sentence}`)
  }
  const rows = db.prepare('select number, wrapped from main.data_keys order by number').all()
  const keys = (rows as { number: number; wrapped: Uint8Array }[]).map(
    ({ number, wrapped }) => [number, unwrap(wrapped, ownerKey, number)] as const,
  )
  if (keys.length === 0 || keys.some(([, key]) => key === undefined))
    throw new AppError('unavailable', `${path} is encrypted with another key than the one that was given.`)
  return new Map(keys as [number, Buffer][])
}

// Makes the first one, or one more.
export function addDataKey(db: DatabaseSync, ownerKey: Uint8Array): DataKeys {
  db.exec('create table if not exists main.data_keys (number integer primary key, wrapped blob not null) strict')
  const { last } = db.prepare('select coalesce(max(number), 0) as last from main.data_keys').get() as { last: number }
  if (last >= MOST_NUMBER) throw new AppError('conflict', 'This store had too many data keys: restore a backup of it.')
  const key = randomBytes(KEY)
  db.prepare('insert into main.data_keys values (?, ?)').run(last + 1, wrap(key, ownerKey, last + 1))
  return new Map([[last + 1, key]])
}

export function rewrapDataKeys(db: DatabaseSync, keys: DataKeys, ownerKey: Uint8Array): void {
  const change = db.prepare('update main.data_keys set wrapped = ? where number = ?')
  for (const [number, key] of keys) change.run(wrap(key, ownerKey, number), number)
}

export const hasOlderKeys = (db: DatabaseSync, current: number): boolean =>
  db.prepare('select 1 from main.data_keys where number < ?').get(current) !== undefined

// Once nothing is sealed with them any more.
export function forgetOlderKeys(db: DatabaseSync, current: number): void {
  db.prepare('delete from main.data_keys where number < ?').run(current)
}

// The owner's key does more than this (backups, too): what wraps is derived from it.
const wrapperOf = (ownerKey: Uint8Array) => Buffer.from(hkdfSync('sha256', ownerKey, '', 'memoir data keys', KEY))
const aadOf = (number: number) => Buffer.from(`data key ${number}`)

function wrap(key: Buffer, ownerKey: Uint8Array, number: number): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, wrapperOf(ownerKey), nonce).setAAD(aadOf(number))
  const body = cipher.update(key)
  cipher.final()
  return Buffer.concat([nonce, body, cipher.getAuthTag()])
}

function unwrap(wrapped: Uint8Array, ownerKey: Uint8Array, number: number): Buffer | undefined {
  if (wrapped.length !== NONCE + KEY + TAG) return undefined
  const cipher = createDecipheriv(CIPHER, wrapperOf(ownerKey), wrapped.subarray(0, NONCE), { authTagLength: TAG })
  cipher.setAAD(aadOf(number)).setAuthTag(wrapped.subarray(NONCE + KEY))
  try {
    const key = cipher.update(wrapped.subarray(NONCE, NONCE + KEY))
    cipher.final()
    return key
  } catch {
    return undefined
  }
}
