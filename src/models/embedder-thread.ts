// One embedding thread: texts in, the mean of their tokens' states out, at unit length.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { move, workerData } from 'piscina'
import { yieldToServing } from '../priority.ts'

export type EmbedderThread = { niceness: number }

// A benchmark runs it without a thread of its own.
yieldToServing((workerData as EmbedderThread | undefined)?.niceness ?? 0)

const MOST_TOKENS = 256 // what the model was trained on

const folder = new URL('../../weights/all-MiniLM-L6-v2/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

type Model = { tokenizer: Tokenizer; session: InferenceSession }
let model: Promise<Model> | undefined

async function load(): Promise<Model> {
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  // One thread each: several small batches beside one another are cheaper than one that is shared out.
  const session = await InferenceSession.create(fileURLToPath(new URL('model.int8.onnx', folder)), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false, // it would keep a plan and room for each length of text that came
  })
  return { tokenizer, session }
}

// The vectors of all texts behind one another.
export default async function embed(texts: string[]): Promise<Float32Array> {
  model ??= load()
  const { tokenizer, session } = await model
  if (texts.length === 0) return new Float32Array(0)
  const tokens = texts.map((text) => cut(tokenizer.encode(text).ids))
  const longest = Math.max(...tokens.map((ids) => ids.length))
  const shape = [texts.length, longest]
  const ids = new BigInt64Array(texts.length * longest)
  const mask = new BigInt64Array(texts.length * longest)
  tokens.forEach((row, at) => {
    row.forEach((id, column) => {
      ids[at * longest + column] = BigInt(id)
      mask[at * longest + column] = 1n
    })
  })
  const { last_hidden_state: states } = await session.run({
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  })
  const width = states!.dims[2]!
  const vectors = new Float32Array(texts.length * width)
  tokens.forEach((row, at) => {
    const from = at * longest * width
    meanOf(states!.data as Float32Array, from, row.length, vectors.subarray(at * width, (at + 1) * width))
  })
  return move(vectors) as unknown as Float32Array
}

// The last token closes the text, also of a text that was cut.
const cut = (ids: number[]): number[] =>
  ids.length <= MOST_TOKENS ? ids : [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1)!]

function meanOf(states: Float32Array, from: number, tokens: number, vector: Float32Array): void {
  for (let token = 0; token < tokens; token++)
    for (let d = 0; d < vector.length; d++) vector[d]! += states[from + token * vector.length + d]!
  const length = Math.hypot(...vector) || 1
  for (let d = 0; d < vector.length; d++) vector[d]! /= length
}
