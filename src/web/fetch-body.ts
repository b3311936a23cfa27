// Reads a response's body, decompressed, up to a number of bytes actually produced.

import { Readable, type Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'

export async function readBody(body: Readable, contentEncoding: string, maximum: number): Promise<Uint8Array> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
  if (encodings.length > limits.encodings) throw new AppError('unreachable', 'The page is compressed too many times.')
  if (encodings.length === 0) return collect(body, maximum)

  // What is compressed is bounded as well: the last layer applied comes off first, each from bytes in hand.
  let bytes = await collect(body, maximum)
  for (const encoding of encodings.reverse()) {
    const decoder = decoderFor(encoding, bytes)
    if (!decoder) throw new AppError('unreachable', `The page is compressed in an unknown way (${encoding}).`)
    try {
      bytes = await collect(Readable.from([bytes]), maximum, decoder)
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('unreachable', 'The page is not compressed as it says.', { cause: error })
    }
  }
  return bytes
}

function decoderFor(encoding: string, bytes: Uint8Array) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'br') return createBrotliDecompress()
  if (encoding === 'zstd') return createZstdDecompress()
  // "deflate" comes with a zlib header or, from some servers, without.
  if (encoding === 'deflate') return (bytes[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()
  return null
}

async function collect(source: Readable, maximum: number, through?: Transform): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length
      if (length > maximum) return done(tooLarge(maximum))
      chunks.push(chunk)
      done()
    },
  })
  await (through ? pipeline(source, through, sink) : pipeline(source, sink))
  return Buffer.concat(chunks)
}

function tooLarge(maximum: number): AppError {
  return new AppError('unreachable', `The page is larger than ${Math.floor(maximum / 1024 / 1024)} MiB.`)
}
