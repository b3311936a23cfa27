// The vector kernel: dot products of one question with many int8 vectors, in WebAssembly SIMD, written here instruction by instruction.

// scan(question, vectors, count, stride, sums): question holds `stride` 16-bit numbers, each vector `stride` 8-bit numbers
// (a multiple of STEP); sums receives `count` 32-bit numbers. All are addresses in the memory given at the start.
export type Scan = (question: number, vectors: number, count: number, stride: number, sums: number) => void

export const STEP = 64

export function createScan(memory: WebAssembly.Memory): Scan {
  const module = new WebAssembly.Module(moduleBytes())
  return new WebAssembly.Instance(module, { env: { memory } }).exports.scan as Scan
}

const I32 = 0x7f
const V128 = 0x7b
// Parameters, then locals.
const [QUESTION, VECTOR, COUNT, STRIDE, SUMS, END, ASKED, LOW, HIGH, EIGHTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const i32 = (value: number) => [0x41, ...signed(value)]
const simd = (code: number) => [0xfd, ...unsigned(code)]
const loadVector = (offset: number) => [...simd(0), 0, ...unsigned(offset)]
const ADD = 0x6a
const BELOW = 0x49
const END_OF = 0x0b
const ZERO_VECTOR = [...simd(12), ...new Array(16).fill(0)]
const WIDEN_LOW = simd(135) // i16x8.extend_low_i8x16_s
const WIDEN_HIGH = simd(136)
const DOT = simd(186) // i32x4.dot_i16x8_s
const ADD_LANES = simd(174) // i32x4.add
const lane = (index: number) => [...simd(27), index]
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END_OF]
const when = (...body: number[][]) => [0x04, 0x40, ...body.flat(), END_OF]
const advance = (local: number, by: number[]) => [...get(local), ...by, ADD, ...set(local)]
const again = [0x0d, 0] // to the start of the loop, if the test before it holds

// Sixteen numbers of a vector are widened to sixteen bits, multiplied and added up in two accumulators.
const multiply = (widen: number[], offset: number, into: number) => [
  ...get(EIGHTS),
  ...widen,
  ...get(ASKED),
  ...loadVector(offset),
  ...DOT,
  ...get(into),
  ...ADD_LANES,
  ...set(into),
]

const oneVector = [
  [...ZERO_VECTOR, ...set(LOW), ...ZERO_VECTOR, ...set(HIGH)],
  [...get(QUESTION), ...set(ASKED)],
  [...get(VECTOR), ...get(STRIDE), ADD, ...set(END)],
  loop(
    // Four times in a row: the loop itself costs as much as one of them.
    ...[0, 16, 32, 48].flatMap((at) => [
      [...get(VECTOR), ...loadVector(at), ...set(EIGHTS)],
      multiply(WIDEN_LOW, 2 * at, LOW),
      multiply(WIDEN_HIGH, 2 * at + 16, HIGH),
    ]),
    advance(ASKED, i32(2 * STEP)),
    advance(VECTOR, i32(STEP)),
    [...get(VECTOR), ...get(END), BELOW, ...again],
  ),
  [...get(LOW), ...get(HIGH), ...ADD_LANES, ...set(LOW)],
  [...get(SUMS)],
  [...get(LOW), ...lane(0), ...get(LOW), ...lane(1), ADD, ...get(LOW), ...lane(2), ADD, ...get(LOW), ...lane(3), ADD],
  [0x36, 2, 0], // i32.store
  advance(SUMS, i32(4)),
]

// Counts down; the test of the loop is what is left.
const scan = [...get(COUNT), ...when(loop(...oneVector, advance(COUNT, i32(-1)), [...get(COUNT), ...again]))]

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const types = [1, 0x60, 5, I32, I32, I32, I32, I32, 0]
  const imports = [1, ...name('env'), ...name('memory'), 0x02, 0x00, 1]
  const exports = [1, ...name('scan'), 0x00, 0]
  const locals = [2, 2, I32, 3, V128]
  const body = [...locals, ...scan, END_OF]
  const code = [1, ...unsigned(body.length), ...body]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, imports),
    ...section(3, [1, 0]),
    ...section(7, exports),
    ...section(10, code),
  ])
}

const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
const name = (text: string) => [text.length, ...Buffer.from(text)]

function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
