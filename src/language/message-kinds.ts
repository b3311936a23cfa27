// What kind of message it is, read by a small linear model from its words and its meaning (weights/kinds).
import { readFileSync } from 'node:fs'
import { BUCKETS, bucketsOf } from './message-features.ts'

// What needs no memory.
export const SMALL_TALK = [
  'greeting',
  'wellbeing',
  'thanks',
  'goodbye',
  'ack',
  'sorry',
  'praise',
  'insult',
  'identity',
] as const

export const MESSAGE_KINDS = [
  ...SMALL_TALK,
  'ability',
  'about-self',
  'about-topic',
  'fact',
  'yesno',
  'when',
  'count',
  'duration',
  'amount',
  'list',
  'compare',
  'order',
  'reason',
  'howto',
  'advice',
  'instruct',
  'statement',
  'other',
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

export type Classified = {
  kind: MessageKind
  probability: number // that it is of this kind
  next: MessageKind // the likeliest of the others
  followUp: number // probability that it cannot be understood alone
  past: number // probability that it asks how things were before
}

// Rows: the kinds, then "follow-up" and "past". Columns: the buckets, the vector where there is one, a constant.
export type KindWeights = { embedder: string | null; columns: number; values: Float32Array }

export const ROWS = MESSAGE_KINDS.length + 2
export const VECTOR_SCALE = 2 // beside words, of which each message has few

type KindFile = { models: { embedder: string | null; columns: number; scale: number; values: string }[] }

let shipped: KindWeights[] | undefined

// The model for vectors of this embedder, else the one that looks at words alone.
function weightsFor(embedder: string | null): KindWeights {
  shipped ??= loadWeights()
  return shipped.find((one) => one.embedder === embedder) ?? shipped.find((one) => one.embedder === null)!
}

function loadWeights(): KindWeights[] {
  const file = new URL('../../weights/kinds/kinds.json', import.meta.url)
  const { models } = JSON.parse(readFileSync(file, 'utf8')) as KindFile
  return models.map(({ embedder, columns, scale, values }) => ({
    embedder,
    columns,
    values: Float32Array.from(new Int8Array(Buffer.from(values, 'base64')), (value) => value * scale),
  }))
}

export type MessageVector = { embedder: string; vector: Float32Array }

export function classify(message: string, meaning: MessageVector | null): Classified {
  const weights = weightsFor(meaning?.embedder ?? null)
  const logits = logitsOf(weights, message, weights.embedder === null ? null : meaning!.vector)
  const kinds = softmax(logits.slice(0, MESSAGE_KINDS.length))
  const best = kinds.indexOf(Math.max(...kinds))
  const others = kinds.with(best, 0)
  const next = others.indexOf(Math.max(...others))
  const [followUp, past] = logits.slice(MESSAGE_KINDS.length).map((logit) => 1 / (1 + Math.exp(-logit)))
  return {
    kind: MESSAGE_KINDS[best]!,
    probability: kinds[best]!,
    next: MESSAGE_KINDS[next]!,
    followUp: followUp!,
    past: past!,
  }
}

export function logitsOf({ columns, values }: KindWeights, message: string, vector: Float32Array | null): number[] {
  const buckets = bucketsOf(message)
  const worth = 1 / Math.sqrt(Math.max(1, buckets.length))
  return Array.from({ length: ROWS }, (_, row) => {
    const at = row * columns
    let sum = values[at + columns - 1]!
    for (const bucket of buckets) sum += worth * values[at + bucket]!
    if (vector) for (let i = 0; i < vector.length; i++) sum += VECTOR_SCALE * vector[i]! * values[at + BUCKETS + i]!
    return sum
  })
}

function softmax(logits: number[]): number[] {
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((all, one) => all + one, 0)
  return powers.map((power) => power / sum)
}
