// Reads a zip archive from a file, entry by entry, never more of it at once than a piece; every entry is checked.
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '../../domain/errors.ts'
import type { Bytes } from '../../scratch.ts'
import { limits } from '../limits.ts'

export type Archive = {
  names: string[]
  // AppError('unreadable') where it is damaged; undefined where there is none of that name.
  read(name: string): AsyncIterable<Uint8Array> | undefined
}

type Entry = { method: number; crc: number; packed: number; size: number; at: number }

type File = Pick<Bytes, 'size' | 'read'>

export async function openArchive(file: File): Promise<Archive> {
  const { size } = file
  const tail = await bytesAt(
    file,
    Math.max(0, size - END_BYTES - COMMENT_BYTES),
    Math.min(size, END_BYTES + COMMENT_BYTES),
  )
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + END_BYTES > tail.length) throw broken()
  const [bytes, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (bytes > limits.archiveDirectoryBytes || start + bytes > size) throw broken()
  const entries = entriesIn(await bytesAt(file, start, bytes))
  return {
    names: [...entries.keys()],
    read: (name) => {
      const entry = entries.get(name)
      return entry && unpack(file, entry)
    },
  }
}

const [END_BYTES, COMMENT_BYTES, LINE_BYTES, HEAD_BYTES] = [22, 65_535, 46, 30]
const PIECE_BYTES = 256 * 1024

const broken = (): AppError =>
  new AppError(
    'unreadable',
    'The file is no zip archive, or it is damaged. A backup of everything comes back with `memoir restore`.',
  )

function entriesIn(directory: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (let at = 0; at + LINE_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw broken()
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as number[]
    entries.set(directory.toString('utf8', at + LINE_BYTES, at + LINE_BYTES + nameBytes!), {
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    })
    at += LINE_BYTES + nameBytes! + extra! + comment!
  }
  return entries
}

async function* unpack(file: File, entry: Entry): AsyncGenerator<Uint8Array> {
  const head = await bytesAt(file, entry.at, HEAD_BYTES)
  if (head.readUInt32LE(0) !== 0x04034b50 || (entry.method !== 0 && entry.method !== 8)) throw broken()
  const start = entry.at + HEAD_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = Readable.from(piecesAt(file, start, entry.packed), { objectMode: false })
  const unpacking = createInflateRaw()
  packed.on('error', (error) => unpacking.destroy(error))
  let [crc, size] = [0, 0]
  try {
    for await (const piece of entry.method === 0 ? packed : packed.pipe(unpacking)) {
      crc = crc32(piece, crc)
      size += piece.length
      if (size > entry.size) throw broken()
      yield piece
    }
  } catch (error) {
    throw error instanceof AppError ? error : broken()
  }
  if (crc !== entry.crc || size !== entry.size) throw broken()
}

async function* piecesAt(file: File, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += PIECE_BYTES)
    yield await bytesAt(file, start + done, Math.min(PIECE_BYTES, length - done))
}

async function bytesAt(file: File, at: number, length: number): Promise<Buffer> {
  const bytes = await file.read(at, length)
  if (bytes.length < length) throw broken()
  return bytes
}
