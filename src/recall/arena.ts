// One block of memory for the vectors of all hot personas, lent in pieces: a WebAssembly memory each would cost far more.
import { createScan } from './kernel.ts'

const PAGE_BYTES = 65_536
export const PIECE_BYTES = 16_384
const QUESTION_AT = 0 // 16-bit numbers, up to a piece's worth of bytes each for question and sums
const SUMS_AT = 2 * PIECE_BYTES
const PIECES_AT = 4 * PIECE_BYTES

export type Arena = ReturnType<typeof createArena>

export function createArena() {
  const memory = new WebAssembly.Memory({ initial: PIECES_AT / PAGE_BYTES, maximum: 65_536 })
  const scan = createScan(memory)
  const free: number[] = []
  let bytes = new Int8Array(memory.buffer)
  let sums = new Int32Array(memory.buffer, SUMS_AT, PIECE_BYTES / 4)

  // Growing moves the memory: views of it are made anew.
  const grow = () => {
    const at = memory.buffer.byteLength
    // A sixteenth more at a time: few moves, little waste.
    const pages = Math.min(Math.max(1, (at / PAGE_BYTES) >> 4), 65_536 - at / PAGE_BYTES)
    memory.grow(pages)
    for (let piece = at + pages * PAGE_BYTES - PIECE_BYTES; piece >= at; piece -= PIECE_BYTES) free.push(piece)
    bytes = new Int8Array(memory.buffer)
    sums = new Int32Array(memory.buffer, SUMS_AT, PIECE_BYTES / 4)
  }

  return {
    // The address of a piece.
    lend(): number {
      if (free.length === 0) grow()
      return free.pop()!
    },
    takeBack(pieces: number[]): void {
      for (const piece of pieces) free.push(piece)
    },
    write(address: number, vector: Int8Array): void {
      bytes.set(vector, address)
    },
    read: (address: number, length: number): Int8Array => bytes.subarray(address, address + length),
    ask(question: Int16Array): void {
      new Int16Array(memory.buffer, QUESTION_AT, question.length).set(question)
    },
    // The sums of `count` vectors from `address` on with the question asked last; good until the next call.
    sums(address: number, count: number, stride: number): Int32Array {
      scan(QUESTION_AT, address, count, stride, SUMS_AT)
      return sums
    },
  }
}
