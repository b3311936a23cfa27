// The vectors of one persona as the kernels want them: int8 with a scale each, by row.
import { type Arena, MOST_BOUNDS, PIECE_BYTES, type Weights } from './arena.ts'
import { STEP, TOGETHER } from './kernel.ts'

// A vector as it is stored: its scale (32-bit float), then one signed byte a dimension.
export function toBytes(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = largest / 127
  const bytes = Buffer.alloc(4 + vector.length)
  bytes.writeFloatLE(scale, 0)
  if (scale > 0) for (let d = 0; d < vector.length; d++) bytes.writeInt8(Math.round(vector[d]! / scale), 4 + d)
  return bytes
}

// Twelve bits a dimension leave the rounding of the memories as the only one, and the sums far from overflow.
const QUESTION_MOST = 2047
const COARSE_MOST = 127
// How many blocks of rows are measured, not bounded, after one whose bounds ruled out too little.
const MEASURED_BLOCKS = 8

export type Vectors = ReturnType<typeof createVectors>

export function createVectors(arena: Arena, dimensions: number) {
  const padded = Math.ceil(dimensions / STEP) * STEP
  const stride = padded / 2
  // A piece holds the upper halves of its rows, their lower halves, their scales, and the lengths of their lower
  // halves.
  const fitting = Math.floor(PIECE_BYTES / (2 * stride + 8))
  const perPiece = fitting - (fitting % TOGETHER) || fitting
  const canBound = arena.canBound && perPiece % TOGETHER === 0
  const pieces: number[] = []
  let count = 0
  const piecesPerBlock = Math.floor(MOST_BOUNDS / perPiece)
  const blockRows = piecesPerBlock * perPiece
  const lowersAt = perPiece * stride
  const scalesAt = 2 * lowersAt
  const leftsAt = scalesAt + 4 * perPiece

  const rowsOf = (piece: number, at: number, count: number) => ({
    uppers: piece + at * stride,
    lowers: piece + lowersAt + at * stride,
    scales: piece + scalesAt + 4 * at,
    lefts: piece + leftsAt + 4 * at,
    count,
    stride,
  })

  const numbers = new Int8Array(padded) // of the row just read or written
  const asked = new Int16Array(padded)
  const coarse = new Int8Array(padded)
  let unit = 1
  // No bound is lower than the cosine itself. That is measured at once where bounds rule out too little: for the
  // first block of a search, when everything is near enough, and where nothing is much nearer than the rest.
  let measured = 0 // how many blocks are still to be
  let looked = 0 // how many cosines were asked for since the last block
  let weights: Weights | undefined // of the question's bounds, once they are needed

  const askCoarsely = (): Weights => {
    for (let d = 0; d < dimensions; d++) coarse[d] = Math.round((asked[d]! * COARSE_MOST) / QUESTION_MOST)
    arena.askCoarsely(coarse)
    return weightsOf(asked, coarse, unit)
  }

  return {
    // A row without a vector means nothing: it scores 0 with every question.
    add(bytes: Uint8Array | null): void {
      if (count === pieces.length * perPiece) pieces.push(arena.lend())
      const fits = bytes !== null && bytes.length === 4 + dimensions
      const scale = fits ? new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true) : 0
      if (fits) numbers.set(new Int8Array(bytes.buffer, bytes.byteOffset + 4, dimensions))
      else numbers.fill(0)
      const piece = pieces.at(-1)!
      const at = count % perPiece
      const upper = piece + at * stride
      split(numbers, arena.bytes(), upper, upper + lowersAt)
      const floats = arena.floats()
      floats[(piece + scalesAt) / 4 + at] = scale
      // A trifle more: rounded down to 32 bits it could promise too little.
      floats[(piece + leftsAt) / 4 + at] = 1.000001 * scale * lengthOfLower(numbers, dimensions)
      count++
    },

    // Cosines and bounds are about this question from now on; null is like nothing.
    ask(question: Float32Array | null): void {
      let largest = 0
      if (question) for (const value of question) largest = Math.max(largest, Math.abs(value))
      unit = largest / QUESTION_MOST || 1
      for (let d = 0; d < dimensions; d++) asked[d] = question ? Math.round(question[d]! / unit) : 0
      arena.ask(asked)
      weights = undefined
      measured = 1
      looked = 0
    },

    // Cosines are about what is like this row from now on.
    askLike(row: number): void {
      const piece = pieces[Math.floor(row / perPiece)]!
      const at = row % perPiece
      const upper = piece + at * stride
      join(arena.bytes(), upper, upper + lowersAt, numbers)
      asked.set(numbers)
      unit = arena.floats()[(piece + scalesAt) / 4 + at]!
      arena.ask(asked)
    },

    cosine(row: number): number {
      looked++
      arena.measure(rowsOf(pieces[Math.floor(row / perPiece)]!, row % perPiece, 1), unit, MOST_BOUNDS)
      return arena.bounds()[MOST_BOUNDS]!
    },

    // How large the cosines of a block of rows can be at most, from its first row on; good until the next call.
    // A block is as much as the bounds have room for: between two of them the scan of the vectors loses its stride.
    bounds(first: number): Float64Array {
      if (looked > blockRows / 8) measured = MEASURED_BLOCKS
      looked = 0
      const isMeasured = !canBound || measured-- > 0
      if (!isMeasured) weights ??= askCoarsely()
      const from = first / perPiece
      const to = Math.min(from + piecesPerBlock, pieces.length)
      for (let at = from; at < to; at++) {
        // Rows that are still to come are bounded, too; nobody looks.
        const rows = rowsOf(pieces[at]!, 0, perPiece)
        if (isMeasured) arena.measure(rows, unit, (at - from) * perPiece)
        else arena.bound(rows, weights!, (at - from) * perPiece)
      }
      return arena.bounds()
    },
    blockRows,

    bytes: () => pieces.length * PIECE_BYTES,
    free: () => arena.takeBack(pieces.splice(0)),
  }
}

// A number v is 16 × (upper − 8) + lower: the halves of each, as kernel.ts says they lie.
function split(numbers: Int8Array, bytes: Uint8Array, upper: number, lower: number): void {
  for (let from = 0, at = 0; from < numbers.length; from += 32) {
    for (let d = from; d < from + 16; d++, at++) {
      const one = numbers[d]!
      const other = numbers[d + 16]!
      bytes[upper + at] = ((one >> 4) + 8) | (((other >> 4) + 8) << 4)
      bytes[lower + at] = (one & 15) | ((other & 15) << 4)
    }
  }
}

function join(bytes: Uint8Array, upper: number, lower: number, numbers: Int8Array): void {
  for (let from = 0, at = 0; from < numbers.length; from += 32) {
    for (let d = from; d < from + 16; d++, at++) {
      const above = bytes[upper + at]! ^ 0x88
      const below = bytes[lower + at]!
      numbers[d] = (above << 4) | (below & 15)
      numbers[d + 16] = (above & 0xf0) | (below >> 4)
    }
  }
}

const LOWER_MIDDLE = 7.5

// Of the lower halves, as a vector around their middle: (l − 7.5)² is l × (l − 15) + 7.5², and whole numbers are
// quicker.
function lengthOfLower(numbers: Int8Array, dimensions: number): number {
  let sum = 0
  for (let d = 0; d < dimensions; d++) {
    const lower = numbers[d]! & 15
    sum += lower * (lower - 2 * LOWER_MIDDLE)
  }
  return Math.sqrt(sum + dimensions * LOWER_MIDDLE * LOWER_MIDDLE)
}

// With a question n = ratio × coarse + rest, the products of n and v are those of coarse and upper, times 16 × ratio,
// and
// - less 8 for each upper half: known;
// - the rest, which is worth most where every upper half is as low or as high as it can be;
// - the middle of the lower halves: known;
// - the lower halves around it: at most the product of both lengths.
function weightsOf(asked: Int16Array, coarse: Int8Array, unit: number): Weights {
  const ratio = QUESTION_MOST / COARSE_MOST
  let top = 0
  let squares = 0
  for (let d = 0; d < asked.length; d++) {
    const rest = asked[d]! - ratio * coarse[d]!
    top += -8 * 16 * ratio * coarse[d]! + 16 * Math.max(-8 * rest, 7 * rest) + LOWER_MIDDLE * asked[d]!
    squares += asked[d]! * asked[d]!
  }
  return { factor: 16 * ratio * unit, top: top * unit, reach: Math.sqrt(squares) * unit }
}
