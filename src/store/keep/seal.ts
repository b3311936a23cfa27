// The parts of a backup file, each with a tag that tells whether it is whole, in its place and in this file: a hash, or
// that of AES-256-GCM where there is a passphrase. docs/keep.md describes the file.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import { limits as shared } from '../../domain/limits.ts'
import { limits } from './limits.ts'

export const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

// `isLast` and the number of a part are in its tag: nothing can be left out, doubled or put elsewhere.
export type Place = { number: number; isLast: boolean }
export type Seal = {
  close(part: Uint8Array, place: Place): { body: Uint8Array; tag: Uint8Array }
  // Undefined where the tag is wrong.
  open(body: Uint8Array, tag: Uint8Array, place: Place): Uint8Array | undefined
}

export type Encryption = {
  kdf: 'scrypt'
  cost: number
  block_size: number
  parallelization: number
  salt: string
  check: string // tells a wrong passphrase from a damaged file
}

export type Secret = { key: Buffer; encryption: Encryption }

export async function newSecret(passphrase: string): Promise<Secret> {
  const { least, most } = shared.passphraseCharacters
  if (passphrase.length < least || passphrase.length > most)
    throw new AppError('invalid', `A passphrase has ${least} to ${most} characters.`)
  const { cost, blockSize, parallelization } = limits.scrypt
  const salt = randomBytes(16).toString('base64')
  const asked = { kdf: 'scrypt', cost, block_size: blockSize, parallelization, salt } as const
  const key = await deriveKey(passphrase, asked)
  return { key, encryption: { ...asked, check: checkOf(key) } }
}

// Undefined for a wrong passphrase.
export async function findSecret(passphrase: string, encryption: Encryption): Promise<Secret | undefined> {
  const key = await deriveKey(passphrase, encryption)
  const [made, kept] = [Buffer.from(checkOf(key)), Buffer.from(encryption.check)]
  return made.length === kept.length && timingSafeEqual(made, kept) ? { key, encryption } : undefined
}

type Derive = (passphrase: string, salt: Buffer, bytes: number, options: object) => Promise<Buffer>

const deriveKey = (passphrase: string, { cost, block_size, parallelization, salt }: Omit<Encryption, 'check'>) =>
  (promisify(scrypt) as Derive)(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, {
    cost,
    blockSize: block_size,
    parallelization,
    maxmem: 256 * cost * block_size,
  })

const checkOf = (key: Buffer): string => createHmac('sha256', key).update('memoir backup').digest('base64')

export const hashSeal = (headerHash: Buffer): Seal => {
  const tagOf = (part: Uint8Array, place: Place) =>
    createHash('sha256').update(headerHash).update(placeBytes(place)).update(part).digest().subarray(0, TAG_BYTES)
  return {
    close: (part, place) => ({ body: part, tag: tagOf(part, place) }),
    open: (body, tag, place) => (tagOf(body, place).equals(tag) ? body : undefined),
  }
}

// The key belongs to this file alone (its salt is random), so that the number of a part is nonce enough.
export const cipherSeal = (headerHash: Buffer, key: Buffer): Seal => ({
  close(part, place) {
    const cipher = createCipheriv(CIPHER, key, placeBytes(place)).setAAD(headerHash)
    const body = cipher.update(part)
    cipher.final()
    return { body, tag: cipher.getAuthTag() }
  },
  open(body, tag, place) {
    const cipher = createDecipheriv(CIPHER, key, placeBytes(place), { authTagLength: TAG_BYTES })
    cipher.setAAD(headerHash).setAuthTag(tag)
    try {
      const part = cipher.update(body)
      cipher.final()
      return part
    } catch {
      return undefined
    }
  },
})

function placeBytes({ number, isLast }: Place): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(number), 3)
  bytes[11] = isLast ? 1 : 0
  return bytes
}
