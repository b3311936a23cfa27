// The parts of a backup file, each with a tag that tells whether it is whole, in its place and in this file: that of
// AES-256-GCM, which encrypts where there is a passphrase or a key. docs/keep.md describes the file.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
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

type FromPassphrase = {
  kdf: 'scrypt'
  cost: number
  block_size: number
  parallelization: number
  salt: string
}
type FromOwnerKey = { kdf: 'hkdf'; salt: string }
// `check` tells a wrong passphrase or key from a damaged file.
export type Encryption = (FromPassphrase | FromOwnerKey) & { check: string }

export type Secret = { key: Buffer; encryption: Encryption }

// What a file is encrypted with: a passphrase, or the owner's key.
export type Given = string | Uint8Array

export async function newSecret(given: Given): Promise<Secret> {
  const salt = randomBytes(16).toString('base64')
  if (typeof given === 'string') return newFromPassphrase(given, salt)
  const key = deriveFromKey(given, salt)
  return { key, encryption: { kdf: 'hkdf', salt, check: checkOf(key) } }
}

async function newFromPassphrase(passphrase: string, salt: string): Promise<Secret> {
  const { least, most } = shared.passphraseCharacters
  if (passphrase.length < least || passphrase.length > most)
    throw new AppError('invalid', `A passphrase has ${least} to ${most} characters.`)
  const { cost, blockSize, parallelization } = limits.scrypt
  const asked = { kdf: 'scrypt', cost, block_size: blockSize, parallelization, salt } as const
  const key = await deriveKey(passphrase, asked)
  return { key, encryption: { ...asked, check: checkOf(key) } }
}

// Undefined for a wrong passphrase or key. Each kind of file asks for its own.
export async function findSecret(given: Given, encryption: Encryption): Promise<Secret | undefined> {
  const key =
    encryption.kdf === 'scrypt'
      ? await deriveKey(given as string, encryption)
      : deriveFromKey(given as Uint8Array, encryption.salt)
  const [made, kept] = [Buffer.from(checkOf(key)), Buffer.from(encryption.check)]
  return made.length === kept.length && timingSafeEqual(made, kept) ? { key, encryption } : undefined
}

type Derive = (passphrase: string, salt: Buffer, bytes: number, options: object) => Promise<Buffer>

const deriveFromKey = (ownerKey: Uint8Array, salt: string): Buffer =>
  Buffer.from(hkdfSync('sha256', ownerKey, Buffer.from(salt, 'base64'), 'memoir backup', 32))

const deriveKey = (passphrase: string, { cost, block_size, parallelization, salt }: FromPassphrase) =>
  (promisify(scrypt) as Derive)(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, {
    cost,
    blockSize: block_size,
    parallelization,
    maxmem: 256 * cost * block_size,
  })

const checkOf = (key: Buffer): string => createHmac('sha256', key).update('memoir backup').digest('base64')

// Reads nothing but what was written: whoever changes a file can also make its tags. As good as a hash against damage,
// and many times as fast, for most processors have instructions for it.
export const plainSeal = (headerHash: Buffer): Seal => {
  const tagOf = (part: Uint8Array, place: Place) => {
    const mac = createCipheriv(CIPHER, headerHash, placeBytes(place)).setAAD(part)
    mac.final()
    return mac.getAuthTag()
  }
  return tagging(tagOf)
}

// How formats 1 and 2 were written.
export const hashSeal = (headerHash: Buffer): Seal => {
  const tagOf = (part: Uint8Array, place: Place) =>
    createHash('sha256').update(headerHash).update(placeBytes(place)).update(part).digest().subarray(0, TAG_BYTES)
  return tagging(tagOf)
}

const tagging = (tagOf: (part: Uint8Array, place: Place) => Buffer): Seal => ({
  close: (part, place) => ({ body: part, tag: tagOf(part, place) }),
  open: (body, tag, place) => (tagOf(body, place).equals(tag) ? body : undefined),
})

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
