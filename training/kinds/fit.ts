// Fits the model that tells what kind of message it is: node training/kinds/fit.ts [OUT]; without OUT only the figures are shown.
import { readFileSync, writeFileSync } from 'node:fs'
import { BUCKETS, bucketsOf } from '../../src/language/message-features.ts'
import { type KindWeights, logitsOf, MESSAGE_KINDS, ROWS, VECTOR_SCALE } from '../../src/language/message-kinds.ts'
import { createEmbedder } from '../../src/models/embedder.ts'

const [out] = process.argv.slice(2)
const EPOCHS = 30
const RATE = 1.2
const DECAY = 1e-5 // of a weight, a step
const FOLDS = 5

type Line = { text: string; kind: number; followUp: boolean; past: boolean; buckets: number[]; vector: Float32Array }

const embedder = createEmbedder()
const lines = await readLines()
for (const withVector of [true, false]) report(withVector)
if (out) writeFileSync(out, `${JSON.stringify({ models: [packed(true), packed(false)] })}\n`)
await embedder.close()

async function readLines(): Promise<Line[]> {
  const rows = readFileSync(new URL('lines.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, tags, text] = /^([a-z+-]+)\s*\|\s*(.+)$/.exec(line) ?? []
      return tags && text ? [{ tags: tags.split('+'), text: text.trim() }] : []
    })
  const vectors: Float32Array[] = []
  for (let at = 0; at < rows.length; at += 64)
    vectors.push(
      ...(await embedder.embed(
        rows.slice(at, at + 64).map(({ text }) => text),
        'question',
      )),
    )
  return rows.map(({ tags, text }, at) => ({
    text,
    kind: MESSAGE_KINDS.indexOf(tags[0] as (typeof MESSAGE_KINDS)[number]),
    followUp: tags.includes('f'),
    past: tags.includes('past'),
    buckets: bucketsOf(text),
    vector: vectors[at]!,
  }))
}

// Stochastic gradient descent on the logistic losses, one line a step; the same order every time.
function fit(some: Line[], withVector: boolean): KindWeights {
  const dimensions = withVector ? embedder.dimensions : 0
  const columns = BUCKETS + dimensions + 1
  const values = new Float32Array(ROWS * columns)
  const weights = { embedder: withVector ? embedder.name : null, columns, values }
  const next = randomFrom(1)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE * (1 - epoch / EPOCHS)
    for (const line of shuffle(some, next)) step(weights, line, dimensions, rate)
    for (let at = 0; at < values.length; at++) values[at]! *= 1 - DECAY * rate * some.length
  }
  return weights
}

function step(weights: KindWeights, line: Line, dimensions: number, rate: number): void {
  const { columns, values } = weights
  const logits = logitsOf(weights, line.text, dimensions > 0 ? line.vector : null)
  const kinds = logits.slice(0, MESSAGE_KINDS.length)
  const most = Math.max(...kinds)
  const sum = kinds.reduce((all, logit) => all + Math.exp(logit - most), 0)
  const errors = logits.map((logit, row) => {
    if (row < kinds.length) return Math.exp(logit - most) / sum - Number(row === line.kind)
    return 1 / (1 + Math.exp(-logit)) - Number(row === kinds.length ? line.followUp : line.past)
  })
  const worth = 1 / Math.sqrt(Math.max(1, line.buckets.length))
  errors.forEach((error, row) => {
    const at = row * columns
    const change = rate * error
    values[at + columns - 1]! -= change * 0.1
    for (const bucket of line.buckets) values[at + bucket]! -= change * worth
    for (let i = 0; i < dimensions; i++) values[at + BUCKETS + i]! -= change * VECTOR_SCALE * line.vector[i]! * 0.25
  })
}

function report(withVector: boolean): void {
  const right = { kind: 0, followUp: 0, past: 0 }
  const found = { followUp: 0, wrongFollowUp: 0 }
  const perKind = MESSAGE_KINDS.map(() => ({ all: 0, right: 0, taken: new Map<string, number>() }))
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(
      lines.filter((_, at) => at % FOLDS !== fold),
      withVector,
    )
    for (const line of lines.filter((_, at) => at % FOLDS === fold)) {
      const logits = logitsOf(weights, line.text, withVector ? line.vector : null)
      const kinds = logits.slice(0, MESSAGE_KINDS.length)
      const guess = kinds.indexOf(Math.max(...kinds))
      const [followUp, past] = logits.slice(MESSAGE_KINDS.length).map((logit) => logit > 0)
      right.kind += Number(guess === line.kind)
      right.followUp += Number(followUp === line.followUp)
      right.past += Number(past === line.past)
      if (line.followUp) found.followUp += Number(followUp)
      else found.wrongFollowUp += Number(followUp)
      const one = perKind[line.kind]!
      one.all++
      one.right += Number(guess === line.kind)
      if (guess !== line.kind) one.taken.set(MESSAGE_KINDS[guess]!, (one.taken.get(MESSAGE_KINDS[guess]!) ?? 0) + 1)
    }
  }
  const share = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`
  const followUps = lines.filter(({ followUp }) => followUp).length
  console.log(
    `${withVector ? 'words and meaning' : 'words alone'}, ${lines.length} lines, ${FOLDS}-fold: kind ${share(right.kind, lines.length)}, ` +
      `follow-up ${share(right.followUp, lines.length)} (found ${share(found.followUp, followUps)}, ` +
      `wrongly ${share(found.wrongFollowUp, lines.length - followUps)}), past ${share(right.past, lines.length)}`,
  )
  for (const [at, one] of perKind.entries()) {
    const taken = [...one.taken].sort((a, b) => b[1] - a[1]).slice(0, 3)
    console.log(
      `  ${MESSAGE_KINDS[at]} ${share(one.right, one.all)} of ${one.all}; taken for ${taken.map((t) => t.join(' ')).join(', ')}`,
    )
  }
}

function packed(withVector: boolean) {
  const { embedder: name, columns, values } = fit(lines, withVector)
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
  const bytes = Int8Array.from(values, (value) => Math.round(value / scale))
  return { embedder: name, columns, scale, values: Buffer.from(bytes.buffer).toString('base64') }
}

function shuffle<T>(items: T[], next: () => number): T[] {
  const order = [...items]
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
