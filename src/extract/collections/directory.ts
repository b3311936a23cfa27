// The directory of a zip archive, of any size: which entries there are, and where.

import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

export type Entry = {
  path: string
  method: number
  packed: number
  size: number
  crc: number
  at: number
  isEncrypted: boolean
}

type ReadAt = (at: number, length: number) => Buffer

export function entriesOf(readAt: ReadAt, size: number): Entry[] {
  const { start, bytes } = placeOf(readAt, size)
  if (bytes > limits.collectionDirectoryBytes || start + bytes > size) throw broken()
  const directory = readAt(start, bytes)
  const entries = new Map<string, Entry>()
  for (let at = 0; at + LINE_BYTES <= directory.length && directory.readUInt32LE(at) === 0x02014b50; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset))
    const entry = entryAt(directory, at, nameBytes!, extraBytes!)
    if (!entries.has(entry.path)) entries.set(entry.path, entry)
    if (entries.size > limits.collectionEntries)
      throw new AppError('unreadable', `The archive holds more than ${limits.collectionEntries} files.`)
    at += LINE_BYTES + nameBytes! + extraBytes! + commentBytes!
  }
  return [...entries.values()]
}

const [END_BYTES, COMMENT_BYTES, LINE_BYTES, LOCATOR_BYTES] = [22, 65_535, 46, 20]
const IS_ELSEWHERE = 0xffff_ffff // in the extra fields that large archives have

const broken = (): AppError => new AppError('unreadable', 'The zip archive is damaged.')

function placeOf(readAt: ReadAt, size: number): { start: number; bytes: number } {
  const length = Math.min(size, END_BYTES + COMMENT_BYTES + LOCATOR_BYTES)
  const tail = readAt(size - length, length)
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + END_BYTES > tail.length) throw broken()
  const [bytes, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (start !== IS_ELSEWHERE && bytes !== IS_ELSEWHERE) return { start, bytes }
  const locator = end - LOCATOR_BYTES
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) throw broken()
  const at = Number(tail.readBigUInt64LE(locator + 8))
  if (at + 56 > size) throw broken()
  const record = readAt(at, 56)
  return { start: Number(record.readBigUInt64LE(48)), bytes: Number(record.readBigUInt64LE(40)) }
}

function entryAt(directory: Buffer, at: number, nameBytes: number, extraBytes: number): Entry {
  const flags = directory.readUInt16LE(at + 8)
  const nameEnd = Math.min(directory.length, at + LINE_BYTES + nameBytes)
  const path = directory.toString(flags & 0x800 ? 'utf8' : 'latin1', at + LINE_BYTES, nameEnd)
  const small = { size: directory.readUInt32LE(at + 24), packed: directory.readUInt32LE(at + 20) }
  const place = { ...small, at: directory.readUInt32LE(at + 42) }
  readLarge(directory.subarray(nameEnd, nameEnd + extraBytes), place)
  return {
    path: path.replaceAll('\\', '/').replace(/^\/+/, ''),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (flags & 1) === 1,
    crc: directory.readUInt32LE(at + 16),
    ...place,
  }
}

// Sizes and places that do not fit into four bytes stand in a field of their own, in this order.
function readLarge(extra: Buffer, place: { size: number; packed: number; at: number }): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    for (const name of ['size', 'packed', 'at'] as const) {
      if (place[name] !== IS_ELSEWHERE || next + 8 > extra.length) continue
      place[name] = Number(extra.readBigUInt64LE(next))
      next += 8
    }
  }
}
