// The vector kernels: a question against int8 vectors, in WebAssembly SIMD, written here instruction by instruction.
//
// A vector lies in two halves, the upper four bits of its numbers and the lower four: the upper alone say how near it
// can be at most, for half the memory that has to be read, and few vectors need their lower half. In a group of 32
// numbers byte `at` holds number `at` in its low bits and number 16 + `at` in its high bits; the upper halves are
// stored 8 higher, so none is negative.

// A vector holds a multiple of so many numbers; what is missing is 0.
export const STEP = 128
const STEP_BYTES = STEP / 2
// So many vectors are bounded together: the question is loaded once for all of them.
export const TOGETHER = 2

// The cosines of `count` vectors with a question of 16-bit numbers, 64-bit floats into `cosines`: products × scale ×
// unit. `stride` is the size of a half; scales hold a 32-bit float a vector.
export type Measure = (
  ...given: [
    ...addresses: [question: number, uppers: number, lowers: number, scales: number, cosines: number],
    ...sizes: [count: number, stride: number],
    unit: number,
  ]
) => void

// How near `count` vectors, a multiple of TOGETHER, can be at most, 64-bit floats into `bounds`: scale × (factor ×
// products + top) + left × reach, where the products are those of the question's 8-bit numbers with the upper halves;
// scales and lefts hold a 32-bit float a vector.
export type Bound = (
  ...given: [
    ...addresses: [question: number, uppers: number, scales: number, lefts: number, bounds: number],
    ...sizes: [count: number, stride: number],
    ...weights: [factor: number, top: number, reach: number],
  ]
) => void

export function createMeasure(memory: WebAssembly.Memory): Measure {
  const takes = [I32, I32, I32, I32, I32, I32, I32, F64]
  return instantiate(moduleBytes('measure', takes, { i32s: 2, vectors: 8 }, MEASURE), memory) as Measure
}

// Undefined where WebAssembly does not know relaxed SIMD. Its product is exact here: one side has no more than four
// bits.
export function createBound(memory: WebAssembly.Memory): Bound | undefined {
  const takes = [I32, I32, I32, I32, I32, I32, I32, F64, F64, F64]
  const bytes = moduleBytes('bound', takes, { i32s: 3, vectors: 9 }, BOUND)
  return WebAssembly.validate(bytes) ? (instantiate(bytes, memory) as Bound) : undefined
}

const I32 = 0x7f
const F64 = 0x7c
const V128 = 0x7b

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const i32 = (value: number) => [0x41, ...signed(value)]
const simd = (code: number) => [0xfd, ...unsigned(code)]
const loadVector = (offset: number) => [...simd(0), 0, ...unsigned(offset)]
const loadFloat = (offset: number) => [0x2a, 2, offset, 0xbb] // a 32-bit one, made a 64-bit one
const storeFloat = (offset: number) => [0x39, 3, offset]
const ADD = 0x6a
const BELOW = 0x49
const END_OF = 0x0b
const TO_FLOAT = 0xb7
const MULTIPLY_FLOATS = 0xa2
const ADD_FLOATS = 0xa0
const everyByte = (value: number) => [...simd(12), ...new Array(16).fill(value)]
const AND = simd(78)
const XOR = simd(81)
const SELECT = simd(82) // bits of the first where the third has a 1, else of the second
const UP_FOUR = [...i32(4), ...simd(139)] // i16x8.shl
const DOWN_FOUR = [...i32(4), ...simd(141)] // i16x8.shr_u
const WIDEN_LOW = simd(135) // i16x8.extend_low_i8x16_s
const WIDEN_HIGH = simd(136)
const DOT = simd(186) // i32x4.dot_i16x8_s
const DOT_BYTES = simd(0x112) // i16x8.relaxed_dot_i8x16_i7x16_s
const ADD_EIGHT = simd(142) // i16x8.add
const ADD_NEIGHBOURS = simd(126) // i32x4.extadd_pairwise_i16x8_s
const ADD_FOUR = simd(174) // i32x4.add
const lane = (index: number) => [...simd(27), index]
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END_OF]
const advance = (local: number, by: number) => [...get(local), ...i32(by), ADD, ...set(local)]
const again = [0x0d, 0] // to the start of the loop, if the test before it holds
const lanesOf = (local: number) => [0, 1, 2, 3].flatMap((at) => [...get(local), ...lane(at), ...(at > 0 ? [ADD] : [])])
// Four times in a row: the loop itself costs as much as one of them.
const UNROLLED = [0, 16, 32, 48]

const MEASURE = (() => {
  const [QUESTION, UPPER, LOWER, SCALE, COSINES, COUNT, STRIDE, UNIT, END, ASKED] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  const [UPPERS, LOWERS, NUMBERS, LOW, HIGH, MIDDLE, UPPER_BITS, NONE] = [10, 11, 12, 13, 14, 15, 16, 17]
  const multiply = (widen: number[], offset: number, into: number) => [
    ...[...get(NUMBERS), ...widen, ...get(ASKED), ...loadVector(offset), ...DOT],
    ...[...get(into), ...ADD_FOUR, ...set(into)],
  ]
  const sixteen = (offset: number) => [multiply(WIDEN_LOW, offset, LOW), multiply(WIDEN_HIGH, offset + 16, HIGH)]
  return [
    [...everyByte(0x88), ...set(MIDDLE), ...everyByte(0xf0), ...set(UPPER_BITS)],
    loop(
      [...get(NONE), ...set(LOW), ...get(NONE), ...set(HIGH), ...get(QUESTION), ...set(ASKED)],
      [...get(UPPER), ...get(STRIDE), ADD, ...set(END)],
      loop(
        ...UNROLLED.flatMap((at) => [
          [...get(UPPER), ...loadVector(at), ...get(MIDDLE), ...XOR, ...set(UPPERS)],
          [...get(LOWER), ...loadVector(at), ...set(LOWERS)],
          [...get(UPPERS), ...UP_FOUR, ...get(LOWERS), ...get(UPPER_BITS), ...SELECT, ...set(NUMBERS)],
          ...sixteen(4 * at),
          [...get(UPPERS), ...get(LOWERS), ...DOWN_FOUR, ...get(UPPER_BITS), ...SELECT, ...set(NUMBERS)],
          ...sixteen(4 * at + 32),
        ]),
        advance(ASKED, 2 * STEP),
        advance(LOWER, STEP_BYTES),
        advance(UPPER, STEP_BYTES),
        [...get(UPPER), ...get(END), BELOW, ...again],
      ),
      [...get(LOW), ...get(HIGH), ...ADD_FOUR, ...set(LOW)],
      get(COSINES),
      [...lanesOf(LOW), TO_FLOAT, ...get(SCALE), ...loadFloat(0), MULTIPLY_FLOATS, ...get(UNIT), MULTIPLY_FLOATS],
      storeFloat(0),
      advance(SCALE, 4),
      advance(COSINES, 8),
      advance(COUNT, -1),
      [...get(COUNT), ...again],
    ),
  ].flat()
})()

const BOUND = (() => {
  const [QUESTION, UPPER, SCALE, LEFT, BOUNDS, COUNT, STRIDE] = [0, 1, 2, 3, 4, 5, 6]
  const [FACTOR, TOP, REACH, END, ASKED, OTHER_UPPER] = [7, 8, 9, 10, 11, 12]
  const [LOW_BITS, NONE, EVEN, ODD, UPPERS] = [13, 14, 15, 16, 17]
  const vectors = [
    { upper: UPPER, eight: 18, four: 19 },
    { upper: OTHER_UPPER, eight: 20, four: 21 },
  ]
  const each = (act: (vector: (typeof vectors)[number], at: number) => number[]) => vectors.flatMap(act)
  return [
    [...everyByte(0x0f), ...set(LOW_BITS)],
    loop(
      each(({ four }) => [...get(NONE), ...set(four)]),
      [...get(QUESTION), ...set(ASKED)],
      [...get(UPPER), ...get(STRIDE), ADD, ...set(END), ...get(END), ...set(OTHER_UPPER)],
      loop(
        each(({ eight }) => [...get(NONE), ...set(eight)]),
        // In each lane sixteen products of 15 × 127 at most, which stay below 2^15.
        ...UNROLLED.flatMap((at) => [
          [...get(ASKED), ...loadVector(2 * at), ...set(EVEN), ...get(ASKED), ...loadVector(2 * at + 16), ...set(ODD)],
          each(({ upper, eight }) => [
            ...[...get(upper), ...loadVector(at), ...set(UPPERS)],
            ...[...get(EVEN), ...get(UPPERS), ...get(LOW_BITS), ...AND, ...DOT_BYTES],
            ...[...get(ODD), ...get(UPPERS), ...DOWN_FOUR, ...get(LOW_BITS), ...AND, ...DOT_BYTES],
            ...[...ADD_EIGHT, ...get(eight), ...ADD_EIGHT, ...set(eight)],
          ]),
        ]),
        each(({ eight, four }) => [...get(eight), ...ADD_NEIGHBOURS, ...get(four), ...ADD_FOUR, ...set(four)]),
        advance(ASKED, STEP),
        each(({ upper }) => advance(upper, STEP_BYTES)),
        [...get(UPPER), ...get(END), BELOW, ...again],
      ),
      each(({ four }, at) => [
        ...get(BOUNDS),
        ...[...lanesOf(four), TO_FLOAT, ...get(FACTOR), MULTIPLY_FLOATS, ...get(TOP), ADD_FLOATS],
        ...[...get(SCALE), ...loadFloat(4 * at), MULTIPLY_FLOATS],
        ...[...get(LEFT), ...loadFloat(4 * at), ...get(REACH), MULTIPLY_FLOATS, ADD_FLOATS],
        ...storeFloat(8 * at),
      ]),
      [...get(OTHER_UPPER), ...set(UPPER)],
      advance(SCALE, 4 * TOGETHER),
      advance(LEFT, 4 * TOGETHER),
      advance(BOUNDS, 8 * TOGETHER),
      advance(COUNT, -TOGETHER),
      [...get(COUNT), ...again],
    ),
  ].flat()
})()

const instantiate = (bytes: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): unknown =>
  Object.values(new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports)[0]

// A module of one function.
function moduleBytes(
  exported: string,
  takes: number[],
  locals: { i32s: number; vectors: number },
  code: number[],
): Uint8Array<ArrayBuffer> {
  const body = [2, locals.i32s, I32, locals.vectors, V128, ...code, END_OF]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, takes.length, ...takes, 0]),
    ...section(2, [1, ...name('env'), ...name('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name(exported), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
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
