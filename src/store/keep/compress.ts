// One block as one zstd frame.
import { availableParallelism } from 'node:os'
import { constants, zstdCompressSync } from 'node:zlib'
import { limits } from './limits.ts'

const cores = availableParallelism()
const params = {
  [constants.ZSTD_c_compressionLevel]: limits.compressionLevel,
  [constants.ZSTD_c_nbWorkers]: cores === 1 ? 0 : Math.min(cores, limits.compressionThreads),
  [constants.ZSTD_c_jobSize]: limits.compressionPartBytes,
}
const MOST_ADDED = 64 * 1024 // to bytes that do not get smaller

// Waited for: zstd's threads then have the priority of this one, which those of the process for such work do not have.
// Into one piece of memory: in the small ones that zlib takes by itself it needs twice the time.
export const compress = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params, chunkSize: bytes.length + MOST_ADDED })
