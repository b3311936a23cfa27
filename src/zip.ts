// Writes a zip archive as it is read: each entry is compressed on its way, and told of at the end.
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { AppError } from './domain/errors.ts'

export type Entry = { name: string; bytes: AsyncIterable<Uint8Array> }

type Written = { name: Buffer; crc: number; packed: number; size: number; at: number }

const MOST = 0xffff_ffff // without the extensions for larger archives
const SIZES_FOLLOW_AND_UTF8 = 0x0808
const DEFLATED = 8
const DAY = 0x21 // 1 January 1980: entries carry no time of their own

export async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let at = 0
  const count = <T extends Uint8Array>(bytes: T): T => {
    at += bytes.length
    if (at > MOST || written.length > 0xfffe)
      throw new AppError('too_large', 'This is more than one zip archive holds: make a backup instead.')
    return bytes
  }
  for await (const { name, bytes } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at }
    yield count(localHead(entry))
    for await (const packed of deflate(entry, bytes)) {
      entry.packed += packed.length
      yield count(packed)
    }
    yield count(sizesOf(entry))
    written.push(entry)
  }
  const start = at
  for (const entry of written) yield count(directoryLine(entry))
  yield endOf(written.length, start, at - start)
}

async function* deflate(entry: Written, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const counted = async function* () {
    for await (const piece of bytes) {
      entry.crc = crc32(piece, entry.crc)
      entry.size += piece.length
      yield piece
    }
  }
  const source = Readable.from(counted(), { objectMode: false })
  const packing = createDeflateRaw({ level: 4 })
  source.on('error', (error) => packing.destroy(error))
  yield* source.pipe(packing)
}

function localHead({ name }: Written): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(SIZES_FOLLOW_AND_UTF8, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(DAY, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function sizesOf({ crc, packed, size }: Written): Buffer {
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(0x08074b50, 0)
  sizes.writeUInt32LE(crc, 4)
  sizes.writeUInt32LE(packed, 8)
  sizes.writeUInt32LE(size, 12)
  return sizes
}

function directoryLine({ name, crc, packed, size, at }: Written): Buffer {
  const line = Buffer.alloc(46)
  line.writeUInt32LE(0x02014b50, 0)
  line.writeUInt16LE(20, 4)
  line.writeUInt16LE(20, 6)
  line.writeUInt16LE(SIZES_FOLLOW_AND_UTF8, 8)
  line.writeUInt16LE(DEFLATED, 10)
  line.writeUInt16LE(DAY, 14)
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(packed, 20)
  line.writeUInt32LE(size, 24)
  line.writeUInt16LE(name.length, 28)
  line.writeUInt32LE(at, 42)
  return Buffer.concat([line, name])
}

function endOf(entries: number, start: number, bytes: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(start, 16)
  return end
}
