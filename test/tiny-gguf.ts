// Writes a language model of random weights as a GGUF file: one layer of the llama architecture that knows bytes only.
import { writeFileSync } from 'node:fs'

export type TinyModel = {
  seed?: number
  contextTokens?: number
  stops?: boolean // false: it never says that it is done
}

const EMBEDDING = 32
const HEADS = 2
const FEED_FORWARD = 64
const SPOKEN = 'abcdefghijklmnopqrstuvwxyz .[]mM1234567890'
const [UNKNOWN, BEGIN, END, FIRST_BYTE] = [0, 1, 2, 3]
const TOKENS = FIRST_BYTE + 256

export function writeTinyModel(file: string, { seed = 1, contextTokens = 32_768, stops = true }: TinyModel = {}): void {
  const random = createRandom(seed)
  const matrix = (rows: number, columns: number, scale: number) =>
    Float32Array.from({ length: rows * columns }, () => (random() - 0.5) * scale)
  const output = matrix(TOKENS, EMBEDDING, 4)
  const mayBeSaid = new Set([...SPOKEN].map((letter) => FIRST_BYTE + letter.charCodeAt(0)))
  if (stops) mayBeSaid.add(END)
  for (let token = 0; token < TOKENS; token++)
    if (!mayBeSaid.has(token)) output.fill(0, token * EMBEDDING, (token + 1) * EMBEDDING)
  const ones = () => new Float32Array(EMBEDDING).fill(1)
  const square = () => matrix(EMBEDDING, EMBEDDING, 1)
  const tensors: [string, number[], Float32Array][] = [
    ['token_embd.weight', [EMBEDDING, TOKENS], matrix(TOKENS, EMBEDDING, 2)],
    ['output_norm.weight', [EMBEDDING], ones()],
    ['output.weight', [EMBEDDING, TOKENS], output],
    ['blk.0.attn_norm.weight', [EMBEDDING], ones()],
    ...['q', 'k', 'v', 'output'].map((name): [string, number[], Float32Array] => [
      `blk.0.attn_${name}.weight`,
      [EMBEDDING, EMBEDDING],
      square(),
    ]),
    ['blk.0.ffn_norm.weight', [EMBEDDING], ones()],
    ['blk.0.ffn_gate.weight', [EMBEDDING, FEED_FORWARD], matrix(FEED_FORWARD, EMBEDDING, 1)],
    ['blk.0.ffn_up.weight', [EMBEDDING, FEED_FORWARD], matrix(FEED_FORWARD, EMBEDDING, 1)],
    ['blk.0.ffn_down.weight', [FEED_FORWARD, EMBEDDING], matrix(EMBEDDING, FEED_FORWARD, 1)],
  ]
  writeFileSync(file, gguf(metadata(contextTokens), tensors))
}

type Value =
  | { type: 'u32' | 'f32' | 'i32' | 'text'; value: number | string }
  | { list: 'f32' | 'i32' | 'text'; values: (number | string)[] }

const metadata = (contextTokens: number): Record<string, Value> => ({
  'general.architecture': { type: 'text', value: 'llama' },
  'general.name': { type: 'text', value: 'Tiny' },
  'llama.context_length': { type: 'u32', value: contextTokens },
  'llama.embedding_length': { type: 'u32', value: EMBEDDING },
  'llama.block_count': { type: 'u32', value: 1 },
  'llama.feed_forward_length': { type: 'u32', value: FEED_FORWARD },
  'llama.rope.dimension_count': { type: 'u32', value: EMBEDDING / HEADS },
  'llama.attention.head_count': { type: 'u32', value: HEADS },
  'llama.attention.head_count_kv': { type: 'u32', value: HEADS },
  'llama.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-5 },
  'llama.vocab_size': { type: 'u32', value: TOKENS },
  'tokenizer.ggml.model': { type: 'text', value: 'llama' },
  'tokenizer.ggml.tokens': { list: 'text', values: ['<unk>', '<s>', '</s>', ...bytes()] },
  'tokenizer.ggml.scores': { list: 'f32', values: Array(TOKENS).fill(0) },
  'tokenizer.ggml.token_type': { list: 'i32', values: [2, 3, 3, ...Array(256).fill(6)] },
  'tokenizer.ggml.bos_token_id': { type: 'u32', value: BEGIN },
  'tokenizer.ggml.eos_token_id': { type: 'u32', value: END },
  'tokenizer.ggml.unknown_token_id': { type: 'u32', value: UNKNOWN },
})

const bytes = (): string[] =>
  Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)

const TYPES = { u32: 4, i32: 5, f32: 6, text: 8, list: 9 }
const ALIGNMENT = 32

function gguf(metadata: Record<string, Value>, tensors: [string, number[], Float32Array][]): Buffer {
  const head = [
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), ...written(value)]),
  ]
  let offset = 0
  for (const [name, sizes, weights] of tensors) {
    head.push(text(name), u32(sizes.length), ...sizes.map(u64), u32(0), u64(offset))
    offset += padded(weights.byteLength)
  }
  const start = Buffer.concat(head)
  return Buffer.concat([pad(start), ...tensors.map(([, , weights]) => pad(Buffer.from(weights.buffer)))])
}

const written = (value: Value): Buffer[] =>
  'list' in value
    ? [
        u32(TYPES.list),
        u32(TYPES[value.list]),
        u64(value.values.length),
        ...value.values.map((one) => plain(value.list, one)),
      ]
    : [u32(TYPES[value.type]), plain(value.type, value.value)]

function plain(type: 'u32' | 'i32' | 'f32' | 'text', value: number | string): Buffer {
  if (type === 'text') return text(String(value))
  const four = Buffer.alloc(4)
  if (type === 'f32') four.writeFloatLE(Number(value))
  else four.writeInt32LE(Number(value))
  return four
}

const u32 = (value: number): Buffer => plain('u32', value)
const u64 = (value: number): Buffer => {
  const eight = Buffer.alloc(8)
  eight.writeBigUInt64LE(BigInt(value))
  return eight
}
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])
const padded = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT
const pad = (part: Buffer): Buffer => Buffer.concat([part, Buffer.alloc(padded(part.length) - part.length)])

// The same numbers on every machine.
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
