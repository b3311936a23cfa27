// Reads a backup file from its beginning to its end. What is not ours, newer, cut, damaged or encrypted with another
// passphrase or key is named as that.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { AppError } from '../../domain/errors.ts'
import { type Block, decode } from './blocks.ts'
import { HASH_BYTES, type Header, MAGIC, type Versions } from './header.ts'
import { limits } from './limits.ts'
import { readHeader } from './read-header.ts'
import { cipherSeal, findSecret, hashSeal, plainSeal, type Seal, TAG_BYTES } from './seal.ts'

// What a file may be encrypted with.
export type Secrets = { passphrase: string | undefined; ownerKey: Uint8Array | undefined }

export type Backup = { header: Header; blocks: AsyncGenerator<Block> }

const decompress = promisify(zstdDecompress)

export async function readBackup(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  known: Versions,
  secrets: Secrets,
): Promise<Backup> {
  const source = reader(bytes)
  const head = await source.take(MAGIC.length + 4)
  if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) {
    const isZip = head?.toString('latin1', 0, 2) === 'PK'
    const hint = isZip ? ' What `memoir export` wrote comes back with `memoir import`.' : ''
    throw new AppError('unreadable', `${name} is no Memoir backup.${hint}`)
  }
  const length = head.readUInt32BE(MAGIC.length)
  if (length > limits.headerBytes) throw damaged(name, 0)
  const [json, hash] = [await source.take(length), await source.take(HASH_BYTES)]
  if (!json || !hash) throw cut(name, source.at())
  if (!createHash('sha256').update(head).update(json).digest().equals(hash)) throw damaged(name, 0)
  const header = headerFrom(name, json, known)
  const seal = await sealOf(name, header, hash, secrets)
  return { header, blocks: blocksOf(name, source, seal) }
}

function headerFrom(name: string, json: Buffer, known: Versions): Header {
  const read = readHeader(json)
  if (!read) throw damaged(name, 0)
  if ('newer' in read) throw newer(name, read.newer)
  const { header } = read
  if (header.store.sqlite > known.sqlite || header.store.postgres > known.postgres) throw newer(name, header.made_by)
  return header
}

async function sealOf(name: string, { format, encryption }: Header, hash: Buffer, { passphrase, ownerKey }: Secrets) {
  if (!encryption) return format < 3 ? hashSeal(hash) : plainSeal(hash)
  const isPhrase = encryption.kdf === 'scrypt'
  const given = isPhrase ? passphrase : ownerKey
  if (given === undefined && isPhrase)
    throw new AppError('invalid', `${name} is encrypted: name the file with its passphrase (--passphrase-file).`)
  if (given === undefined)
    throw new AppError('invalid', `${name} is encrypted: name the file with the key of then (--key-file).`)
  const secret = await findSecret(given, encryption)
  if (!secret && isPhrase) throw new AppError('invalid', `${name} was encrypted with another passphrase.`)
  if (!secret) throw new AppError('invalid', `${name} was encrypted with another key.`)
  return cipherSeal(hash, secret.key)
}

async function* blocksOf(name: string, source: Reader, seal: Seal): AsyncGenerator<Block> {
  for (let number = 0; ; number++) {
    const at = source.at()
    const head = await source.take(5)
    if (!head) throw cut(name, source.at())
    const [isLast, length] = [head[0] === 1, head.readUInt32BE(1)]
    if (head[0]! > 1 || length > limits.partBytes) throw damaged(name, at)
    const [body, tag] = [await source.take(length), await source.take(TAG_BYTES)]
    if (!body || !tag) throw cut(name, source.at())
    const part = seal.open(body, tag, { number, isLast })
    if (!part) throw damaged(name, at)
    yield decode(await decompress(part, { maxOutputLength: limits.partBytes }))
    if (!isLast) continue
    if (await source.take(1)) throw damaged(name, source.at() - 1)
    return
  }
}

const damaged = (name: string, at: number): AppError =>
  new AppError('unreadable', `${name} is damaged at byte ${at}: it does not hold what was written there.`)

const cut = (name: string, at: number): AppError =>
  new AppError('unreadable', `${name} is cut off after ${at} bytes: its end is missing.`)

const newer = (name: string, version: string): AppError =>
  new AppError('unreadable', `${name} was made by a newer Memoir (${version}): restore it with that one.`)

type Reader = { take(bytes: number): Promise<Buffer | undefined>; at(): number }

// So many bytes at a time; undefined where there are not that many left.
function reader(bytes: AsyncIterable<Uint8Array>): Reader {
  const source = bytes[Symbol.asyncIterator]()
  let pieces: Uint8Array[] = []
  let held = 0
  let read = 0
  return {
    at: () => read,
    async take(wanted) {
      while (held < wanted) {
        const { done, value } = await source.next()
        if (done) {
          read += held
          held = 0
          pieces = []
          return undefined
        }
        pieces.push(value)
        held += value.length
      }
      const whole = Buffer.concat(pieces)
      pieces = [whole.subarray(wanted)]
      held -= wanted
      read += wanted
      return whole.subarray(0, wanted)
    },
  }
}
