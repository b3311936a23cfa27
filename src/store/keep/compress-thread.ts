// Compresses what it is given, one block after the other.
import { parentPort } from 'node:worker_threads'
import { constants, zstdCompressSync } from 'node:zlib'
import { release } from './compress.ts'
import { limits } from './limits.ts'

const params = { [constants.ZSTD_c_compressionLevel]: limits.compressionLevel }
const MOST_ADDED = 64 * 1024 // to bytes that do not get smaller

// Into one piece of memory: in the small ones that zlib takes by itself it needs twice the time.
parentPort!.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  const packed = zstdCompressSync(bytes, { params, chunkSize: bytes.length + MOST_ADDED })
  const own = new Uint8Array(packed)
  release(packed)
  release(bytes)
  parentPort!.postMessage(own, [own.buffer])
})
