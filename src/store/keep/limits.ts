// What a backup is made of, and what one that is read may make us hold at once.
const MIB = 1024 * 1024

export const limits = {
  blockBytes: 4 * MIB, // rows that are compressed together, before that
  releasedBytes: 64 * 1024, // from here on giving memory back costs less than leaving it
  compressionThreads: 4, // at most, each with a block of its own
  niceness: 10, // more than the service: a thread that answers gets about ten times as much of a busy core
  piecesAhead: 12, // made by the thread before the first of them is taken; a part of a backup is three
  compressionLevel: 1, // zstd: rows are mostly text and vectors, and higher levels gain little
  exportRows: 100, // read at once
  headerBytes: 64 * 1024,
  partBytes: 1024 * MIB, // of a file that is read, compressed or not
  // scrypt: 64 MiB and about a tenth of a second for each guess. A file that is read may ask for this much at most.
  scrypt: { cost: 2 ** 16, blockSize: 8, parallelization: 1 },
  scryptMost: { cost: 2 ** 20, blockSize: 16, parallelization: 16 },
} as const
