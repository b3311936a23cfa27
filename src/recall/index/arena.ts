// One block of memory for the vectors of all cached personas, lent in pieces: a WebAssembly memory each would cost
// far more.
import { AppError } from '../../domain/errors.ts'
import { createBound, createMeasure } from './kernel.ts'

const PAGE_BYTES = 65_536
const MOST_PAGES = 65_536 // 4 GiB: what 32 bits can address
export const PIECE_BYTES = 16_384
// Before the pieces: the question as 16-bit numbers, the question as 8-bit numbers, the bounds.
const QUESTION_AT = 0
const COARSE_AT = 2 * PIECE_BYTES
const BOUNDS_AT = 3 * PIECE_BYTES
export const MOST_BOUNDS = PIECE_BYTES / 8 - 1 // and one cosine beside them
const PIECES_AT = 4 * PIECE_BYTES

export type Arena = ReturnType<typeof createArena>

// `isQuick`: no vector is looked at closely that cannot be near enough, where the machine can tell; the answers are
// the same.
export function createArena({ isQuick = true, mostPages = MOST_PAGES } = {}) {
  const memory = new WebAssembly.Memory({ initial: PIECES_AT / PAGE_BYTES, maximum: mostPages })
  const measure = createMeasure(memory)
  const bound = isQuick ? createBound(memory) : undefined
  const free: number[] = []
  const viewsOf = ({ buffer }: WebAssembly.Memory) => ({
    bytes: new Uint8Array(buffer),
    floats: new Float32Array(buffer),
    bounds: new Float64Array(buffer, BOUNDS_AT, MOST_BOUNDS + 1),
  })
  let views = viewsOf(memory)

  // Growing moves the memory: views of it are made anew.
  const grow = () => {
    const at = memory.buffer.byteLength
    // A sixteenth more at a time: few moves, little waste.
    const pages = Math.min(Math.max(1, (at / PAGE_BYTES) >> 4), mostPages - at / PAGE_BYTES)
    if (pages <= 0)
      throw new AppError(
        'unavailable',
        'Recall has no memory left for another vector: lower MEMOIR_RECALL_MEMORY_MIB, or share the personas out ' +
          'between services.',
      )
    memory.grow(pages)
    for (let piece = at + pages * PAGE_BYTES - PIECE_BYTES; piece >= at; piece -= PIECE_BYTES) free.push(piece)
    views = viewsOf(memory)
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
    // All of it; good until the next piece is lent.
    bytes: () => views.bytes,
    floats: () => views.floats,
    ask(question: Int16Array): void {
      new Int16Array(memory.buffer, QUESTION_AT, question.length).set(question)
    },
    askCoarsely(coarse: Int8Array): void {
      new Int8Array(memory.buffer, COARSE_AT, coarse.length).set(coarse)
    },
    // The cosines of rows with the question asked last, in units of `unit`, into the bounds from `at` on.
    measure(rows: Rows, unit: number, at: number): void {
      const into = BOUNDS_AT + 8 * at
      measure(QUESTION_AT, rows.uppers, rows.lowers, rows.scales, into, rows.count, rows.stride, unit)
    },
    // How large they can be at most. Only where `canBound`.
    bound(rows: Rows, { factor, top, reach }: Weights, at: number): void {
      const into = BOUNDS_AT + 8 * at
      bound!(COARSE_AT, rows.uppers, rows.scales, rows.lefts, into, rows.count, rows.stride, factor, top, reach)
    },
    canBound: bound !== undefined,
    bounds: () => views.bounds,
  }
}

// Addresses of what belongs to some rows, how many they are, and the size of half a vector.
type Rows = { uppers: number; lowers: number; scales: number; lefts: number; count: number; stride: number }
// What makes a bound of coarse products, as kernel.ts says.
export type Weights = { factor: number; top: number; reach: number }
