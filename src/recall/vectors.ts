// The vectors of one persona as the scan wants them: int8 with a scale each, by row.
import { type Arena, PIECE_BYTES } from './arena.ts'
import { STEP } from './kernel.ts'

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

export type Vectors = ReturnType<typeof createVectors>

export function createVectors(arena: Arena, dimensions: number) {
  const stride = Math.ceil(dimensions / STEP) * STEP
  const perPiece = Math.floor(PIECE_BYTES / stride)
  const pieces: number[] = []
  let scales = new Float32Array(0)
  let count = 0
  const addressOf = (row: number) => pieces[Math.floor(row / perPiece)]! + (row % perPiece) * stride
  const padding = new Int8Array(stride)

  return {
    // A row without a vector means nothing: it scores 0 with every question.
    add(bytes: Uint8Array | null): void {
      if (count === pieces.length * perPiece) pieces.push(arena.lend())
      if (count === scales.length) scales = grown(scales, count + 1)
      const fits = bytes !== null && bytes.length === 4 + dimensions
      padding.fill(0)
      if (fits) padding.set(new Int8Array(bytes.buffer, bytes.byteOffset + 4, dimensions))
      arena.write(addressOf(count), padding)
      scales[count++] = fits ? new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true) : 0
    },

    // Room for so many rows more, taken once instead of bit by bit.
    expect(rows: number): void {
      if (count + rows > scales.length) scales = grown(scales, count + rows)
    },

    // The cosine of every row with the question, into `cosines`.
    scan(question: Float32Array, cosines: Float32Array): void {
      let largest = 0
      for (const value of question) largest = Math.max(largest, Math.abs(value))
      const asked = new Int16Array(stride)
      const unit = largest / QUESTION_MOST || 1
      for (let d = 0; d < dimensions; d++) asked[d] = Math.round(question[d]! / unit)
      arena.ask(asked)
      for (let piece = 0, row = 0; row < count; piece++) {
        const rows = Math.min(perPiece, count - row)
        const sums = arena.sums(pieces[piece]!, rows, stride)
        for (let at = 0; at < rows; at++, row++) cosines[row] = sums[at]! * scales[row]! * unit
      }
    },

    // How alike two memories are.
    likeness(one: number, two: number): number {
      const [first, second] = [arena.read(addressOf(one), dimensions), arena.read(addressOf(two), dimensions)]
      let sum = 0
      for (let d = 0; d < dimensions; d++) sum += first[d]! * second[d]!
      return sum * scales[one]! * scales[two]!
    },

    bytes: () => pieces.length * PIECE_BYTES + scales.byteLength,
    free: () => arena.takeBack(pieces.splice(0)),
  }
}

function grown(array: Float32Array<ArrayBuffer>, least: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(Math.max(least, Math.ceil(array.length * 1.125), 16))
  larger.set(array)
  return larger
}
