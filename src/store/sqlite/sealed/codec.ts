// Seals single values with AES-256-GCM under a data key, each tied to its place, so that none can be exchanged for
// another.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { AppError } from '../../../domain/errors.ts'

export type DataKeys = ReadonlyMap<number, Buffer> // by their numbers; the highest seals
export type Value = string | Uint8Array

export type Codec = {
  // The number of the data key that seals now.
  current: number
  // `place` is the table and the column; `row` what tells the row apart.
  seal(value: Value, place: string, row: unknown[]): Value
  open(value: Value, place: string, row: unknown[]): Value
  sealFindable(value: string, place: string): string
  openFindable(value: string, place: string): string
  // The number of the data key that sealed it.
  keyNumberOf(value: Value): number
}

const CIPHER = 'aes-256-gcm'
const [NUMBER, SALT, COUNTER, NONCE, TAG] = [2, 16, 6, 12, 16]
const MOST_KEYS_HELD = 1_000

export function createCodec(dataKeys: DataKeys): Codec {
  const current = Math.max(...dataKeys.keys())
  const derived = new Map<string, KeyObject>()
  const derive = (number: number, salt: Uint8Array | string, purpose: string): KeyObject => {
    const name = `${number} ${purpose} ${typeof salt === 'string' ? salt : Buffer.from(salt).toString('latin1')}`
    const known = derived.get(name)
    if (known) return known
    const dataKey = dataKeys.get(number)
    if (!dataKey) throw new Error(`there is no data key ${number}`)
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, salt, `memoir ${purpose}`, 32)))
    if (derived.size >= MOST_KEYS_HELD) derived.clear()
    derived.set(name, key)
    return key
  }
  // Whoever opens a store derives a key of its own from the data key and counts what it seals: a nonce is never used
  // twice, however many processes write.
  const salt = randomBytes(SALT)
  let counted = 0

  return {
    current,

    seal(value, place, row) {
      const head = Buffer.alloc(NUMBER + SALT + COUNTER)
      head.writeUInt16BE(current)
      salt.copy(head, NUMBER)
      head.writeUIntBE(counted++, NUMBER + SALT, COUNTER)
      const sealedBy = derive(current, salt, 'values')
      return encode(value, encrypt(sealedBy, head, nonceOf(head), bytesOf(value), aadOf(place, row)))
    },

    open(value, place, row) {
      const bytes = decode(value)
      const head = bytes.subarray(0, NUMBER + SALT + COUNTER)
      return orRefuse(place, () => {
        const key = derive(head.readUInt16BE(), head.subarray(NUMBER, NUMBER + SALT), 'values')
        return asGiven(value, decrypt(key, nonceOf(head), bytes.subarray(head.length), aadOf(place, row)))
      })
    },

    // The nonce is made of the value itself: the same one comes only with the same value, and then says the same again.
    sealFindable(value, place) {
      const nonce = createHmac('sha256', derive(current, '', 'findable nonces'))
      const head = Buffer.alloc(NUMBER + NONCE)
      head.writeUInt16BE(current)
      nonce.update(`${place}\0${value}`).digest().copy(head, NUMBER, 0, NONCE)
      const key = derive(current, '', 'findable values')
      return encrypt(key, head, head.subarray(NUMBER), Buffer.from(value), aadOf(place, [])).toString('base64')
    },

    openFindable(value, place) {
      const bytes = decode(value)
      return orRefuse(place, () => {
        const key = derive(bytes.readUInt16BE(), '', 'findable values')
        const nonce = bytes.subarray(NUMBER, NUMBER + NONCE)
        return decrypt(key, nonce, bytes.subarray(NUMBER + NONCE), aadOf(place, [])).toString()
      })
    },

    // Two bytes are the beginning of four letters.
    keyNumberOf: (value) => decode(typeof value === 'string' ? value.slice(0, 4) : value).readUInt16BE(),
  }
}

function encrypt(key: KeyObject, head: Buffer, nonce: Uint8Array, plain: Uint8Array, aad: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(aad)
  const body = cipher.update(plain)
  cipher.final()
  return Buffer.concat([head, body, cipher.getAuthTag()])
}

function decrypt(key: KeyObject, nonce: Uint8Array, sealed: Buffer, aad: Buffer): Buffer {
  const at = sealed.length - TAG
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(aad)
  cipher.setAuthTag(sealed.subarray(at))
  const plain = cipher.update(sealed.subarray(0, at))
  cipher.final()
  return plain
}

function nonceOf(head: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE)
  head.copy(nonce, NONCE - COUNTER, NUMBER + SALT)
  return nonce
}

const aadOf = (place: string, row: unknown[]): Buffer => Buffer.from(JSON.stringify([place, ...row]))

// A column of text holds text: base64.
const bytesOf = (value: Value): Uint8Array => (typeof value === 'string' ? Buffer.from(value) : value)
const encode = (like: Value, sealed: Buffer): Value => (typeof like === 'string' ? sealed.toString('base64') : sealed)
const decode = (value: Value): Buffer =>
  typeof value === 'string'
    ? Buffer.from(value, 'base64')
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
const asGiven = (like: Value, plain: Buffer): Value => (typeof like === 'string' ? plain.toString() : plain)

function orRefuse<T>(place: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw new AppError(
      'unavailable',
      `A value of ${place} is not what was stored there: the database was changed from outside. Put a backup back.`,
      { cause: error },
    )
  }
}
