// One reading thread: a question and passages in, a reading of each out.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Reading } from '../domain/memory.ts'
import type { Claim, Entailment } from '../ports/models.ts'
import { createTokens, type Tokens } from './reader-tokens.ts'

const MOST_TOKENS = 384 // trained on 320; a passage of two windows is read worse than one that is a little long
const QUESTION_TOKENS = 96
const CLAIM_TOKENS = 128
const ANSWER_TOKENS = 30
const OVERLAP_TOKENS = 32
const MOST_WINDOWS = 4 // of one passage
const CLS = 101
const SEP = 102

const folder = new URL('../../weights/reader/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

// A part of a passage that fits beside the question: tokens from..to.
type Window = { passage: number; tokens: Tokens; from: number; to: number }
type Model = { cut: (text: string) => Tokens; session: InferenceSession }
let model: Promise<Model> | undefined

async function load(): Promise<Model> {
  const cut = createTokens(new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json')))
  const session = await InferenceSession.create(fileURLToPath(new URL('reader.onnx', folder)), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false, // it would keep a plan and room for each length of text that came
  })
  return { cut, session }
}

export default async function read(asked: { question: string; passages: string[] }): Promise<Reading[]> {
  model ??= load()
  const { cut, session } = await model
  const question = cut(asked.question).ids.slice(-QUESTION_TOKENS) // what a follow-up asks stands at its end
  const windows = asked.passages.flatMap((text, passage) =>
    windowsOf(cut(text), passage, MOST_TOKENS - question.length - 3),
  )
  const readings: Reading[] = []
  for (const window of windows) {
    const reading = await readWindow(session, question, window)
    // A long passage is as good as its best window.
    const before = readings[window.passage]
    if (!before) readings[window.passage] = reading
    else
      readings[window.passage] = {
        ...(reading.answerable > before.answerable ? reading : before),
        relevant: Math.max(reading.relevant, before.relevant),
      }
  }
  return readings
}

// A passage that is too long is cut: whoever asks chooses what of it bears on the sentence.
export async function verify(claims: Claim[]): Promise<Entailment[]> {
  model ??= load()
  const { cut, session } = await model
  const found: Entailment[] = []
  for (const { sentence, passage } of claims) {
    const claim = cut(sentence).ids.slice(0, CLAIM_TOKENS)
    const out = await runOn(session, claim, cut(passage).ids.slice(0, MOST_TOKENS - claim.length - 3))
    const [supported, unsaid, contradicted] = softmax(out.entailment!.data as Float32Array) as [number, number, number]
    found.push({ supported, unsaid, contradicted })
  }
  return found
}

function windowsOf(tokens: Tokens, passage: number, room: number): Window[] {
  const windows: Window[] = []
  for (let from = 0; windows.length < MOST_WINDOWS; from += room - OVERLAP_TOKENS) {
    const to = Math.min(from + room, tokens.ids.length)
    windows.push({ passage, tokens, from, to })
    if (to === tokens.ids.length) break
  }
  return windows
}

// One at a time: as fast as many at once on one thread, nothing is padded, and no reading depends on its neighbours.
async function readWindow(session: InferenceSession, question: number[], window: Window): Promise<Reading> {
  const { tokens, from, to } = window
  const first = question.length + 2 // where the passage begins
  const out = await runOn(session, question, tokens.ids.slice(from, to))
  const logits = (name: string) => out[name]!.data as Float32Array
  const best = bestSpan(logits('start'), logits('end'), first, to - from)
  return {
    answerable: probability(logits('answerable')[0]!),
    relevant: probability(logits('relevant')[0]!),
    start: tokens.starts[from + best.first] ?? 0,
    end: tokens.ends[from + best.last] ?? 0,
    span: best.logit,
  }
}

function runOn(session: InferenceSession, question: number[], passage: number[]) {
  const first = question.length + 2
  const ids = [CLS, ...question, SEP, ...passage, SEP]
  const shape = [1, ids.length]
  return session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    token_type_ids: new Tensor(
      'int64',
      BigInt64Array.from(ids, (_, at) => (at < first ? 0n : 1n)),
      shape,
    ),
  })
}

// The likeliest first and last token of an answer, above the logit of "no answer" (at [CLS]).
function bestSpan(start: Float32Array, end: Float32Array, offset: number, count: number) {
  const none = start[0]! + end[0]!
  const best = { first: 0, last: 0, logit: count === 0 ? -none : -Infinity }
  for (let first = 0; first < count; first++)
    for (let last = first; last < Math.min(count, first + ANSWER_TOKENS); last++) {
      const logit = start[offset + first]! + end[offset + last]! - none
      if (logit > best.logit) Object.assign(best, { first, last, logit })
    }
  return best
}

function softmax(logits: Float32Array): number[] {
  const most = Math.max(...logits)
  const powers = [...logits].map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((all, one) => all + one, 0)
  return powers.map((power) => power / sum)
}

const probability = (logit: number): number => 1 / (1 + Math.exp(-logit))
