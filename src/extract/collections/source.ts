// The files of a collection: the entries of a zip archive, or the file itself; read piece by piece, never as a whole.

import { fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '../../domain/errors.ts'
import { scramble } from '../../scratch.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'
import { type Entry, entriesOf } from './directory.ts'

export type SourceFile = {
  path: string // in the archive
  size: number // as declared
  pieces(): AsyncIterable<Uint8Array> // what is damaged ends where it cannot be read any more
  isDamaged(): boolean // as far as it has been read
  // The beginning, to see what it is.
  head(): Promise<Uint8Array>
}

// With a key its bytes are encrypted.
export type OpenFile = { descriptor: number; key?: Uint8Array | undefined }

export type Source = { files: SourceFile[]; isArchive: boolean; damaged: ReadonlySet<string> } // paths

export function openSource(file: OpenFile, fileName: string | null): Source {
  const { size } = fstatSync(file.descriptor)
  const meter = createMeter(size)
  const damaged = new Set<string>()
  const isArchive = size > 4 && readAt(file, 0, 4).readUInt32LE(0) === 0x04034b50
  if (!isArchive) {
    const pieces = () => metered(meter, piecesAt(file, 0, size, meter))
    const whole = { path: fileName ?? 'file', size, pieces, isDamaged: () => false }
    return { files: [withHead(whole)], isArchive, damaged }
  }
  const entries = entriesOf((at, length) => readAt(file, at, length), size)
  const files = entries
    .filter(({ path }) => !path.endsWith('/') && !/(^|\/)(__MACOSX\/|\.(?!obsidian\/))/.test(path))
    .map((entry) =>
      withHead({
        path: entry.path,
        size: entry.size,
        pieces: () =>
          metered(
            meter,
            unpack(file, entry, meter, () => damaged.add(entry.path)),
          ),
        isDamaged: () => damaged.has(entry.path),
      }),
    )
  return { files, isArchive, damaged }
}

const withHead = (file: Omit<SourceFile, 'head'>): SourceFile => ({
  ...file,
  async head() {
    const some: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const piece of file.pieces()) {
        some.push(piece)
        bytes += piece.length
        if (bytes >= limits.collectionHeadBytes) break
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error // what is damaged is found to be so when it is read
    }
    return Buffer.concat(some).subarray(0, limits.collectionHeadBytes)
  },
})

// How much was read of the file, and how much came out of it.
type Meter = { read(bytes: number): void; unpacked(bytes: number): void }

function createMeter(size: number): Meter {
  let [read, unpacked] = [0, 0]
  return {
    read(bytes) {
      read += bytes
      progressed(Math.min(1, read / Math.max(1, size)))
    },
    unpacked(bytes) {
      unpacked += bytes
      if (unpacked > limits.collectionBytes)
        throw new AppError('unreadable', `The file unpacks to more than ${limits.collectionBytes / 1024 ** 3} GiB.`)
    },
  }
}

async function* metered(meter: Meter, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    meter.unpacked(piece.length)
    yield piece
  }
}

async function* piecesAt(file: OpenFile, start: number, length: number, meter: Meter): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += limits.collectionPieceBytes) {
    const piece = readAt(file, start + done, Math.min(limits.collectionPieceBytes, length - done))
    meter.read(piece.length)
    yield piece
  }
}

async function* unpack(file: OpenFile, entry: Entry, meter: Meter, onDamage: () => void): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted) throw new AppError('unreadable', 'The file is encrypted with a password.')
  const head = readAt(file, entry.at, 30)
  if (head.readUInt32LE(0) !== 0x04034b50) return onDamage()
  if (entry.method !== 0 && entry.method !== 8) throw damaged(entry.path)
  const start = entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = piecesAt(file, start, entry.packed, meter)
  let crc = 0
  try {
    for await (const piece of entry.method === 0 ? packed : inflate(packed)) {
      crc = crc32(piece, crc)
      yield piece
    }
    if (entry.crc !== 0 && crc !== entry.crc) onDamage()
  } catch (error) {
    if (error instanceof AppError) throw error
    onDamage()
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false })
  const unpacking = createInflateRaw()
  source.on('error', (error) => unpacking.destroy(error))
  try {
    yield* source.pipe(unpacking)
  } finally {
    source.destroy()
    unpacking.destroy()
  }
}

export const damaged = (path: string): AppError =>
  new AppError('unreadable', `${path.split('/').at(-1)} is damaged and cannot be read.`)

function readAt(file: OpenFile, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = readSync(file.descriptor, bytes, 0, length, at)
  if (read < length) throw new AppError('unreadable', 'The file is cut short.')
  return scramble(file.key, at, bytes)
}
