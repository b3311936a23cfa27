// Fits the score: features of answers to public questions → the probability that they are right.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRight } from '../../benchmarks/reply/right.ts'
import type { Asked, SetName } from '../../benchmarks/reply/sets.ts'
import type { Recollection } from '../../src/domain/memory.ts'
import { understand } from '../../src/language/language.ts'
import { forgetReading } from '../../src/recall/rerank.ts'
import { evidenceIn } from '../../src/reply/evidence/evidence.ts'
import { answerFrom } from '../../src/reply/memory/answer.ts'
import { partsOf } from '../../src/reply/score/confidence.ts'
import { auroc, brier, calibrationError, type Judged, reliability, riskCoverage } from '../../src/reply/score/curves.ts'
import { type Features, featuresOf } from '../../src/reply/score/features.ts'
import type { ScoreFile, Weights } from '../../src/reply/score/score-file.ts'

// node training/score/fit.ts MADE [OUT]: without OUT only the figures are shown.
const [made = 'made', out] = process.argv.slice(2)
const FITTED: SetName[] = ['squad2', 'clapnq', 'mtrag_un']
const MEASURED: SetName[] = ['locomo', 'beam100k']
const FOLDS = 5
const PULL = 10 // towards 0, in questions' worth: features that say the same share their weight
const STEPS = 40
// Not, or too rarely, in what is fitted on, and so chosen by hand. What was said in passing may be half of the story, or no longer so: half
// the odds of a page about it. A question for help, or for a sum over many memories, is seldom answered by one of them.
const CHOSEN: Weights['features'] = {
  dated: { weight: -0.7, mean: 0, deviation: 1 },
  beyond: { weight: -1, mean: 0, deviation: 1 },
}

type Row = { set: SetName; group: string; features: Features; right: boolean; answerable: boolean }
const persona = { name: 'Score', calibration: null } as never

const rows = [...FITTED, ...MEASURED].flatMap((set) => [rowsOf(set, true), rowsOf(set, false)])
const [read, unread] = [0, 1].map((kind) => rows.filter((_, at) => at % 2 === kind).flat()) as [Row[], Row[]]

function rowsOf(set: SetName, isRead: boolean): Row[] {
  let lines: string[]
  try {
    lines = readFileSync(join(made, `${set}.jsonl`), 'utf8')
      .trim()
      .split('\n')
  } catch {
    return []
  }
  return lines.flatMap((line) => {
    const {
      text,
      before,
      golds,
      answerable,
      kind: group,
      recollections,
      reread,
    } = JSON.parse(line, revived) as Asked & { recollections: Recollection[]; reread?: number }
    const known = isRead ? recollections : recollections.map(forgetReading)
    if (!isRead) known.sort((one, two) => two.score - one.score)
    const { question, kind } = understand(text, { before })
    const [best, ...others] = evidenceIn(question, known)
    const evidence = best ? [isRead && reread !== undefined ? { ...best, reread } : best, ...others] : []
    const { features } = featuresOf(question, known, evidence)
    const answer = answerFrom(question, kind, evidence, persona)
    if (!answer) return []
    return [{ set, group, features, answerable, right: isRight(answer.text, { golds, answerable }) }]
  })
}

function revived(name: string, value: unknown): unknown {
  return name === 'time' && typeof value === 'string' ? new Date(value) : value
}

// Newton's method on the logistic likelihood, every set weighing the same.
function fit(rows: Row[]): Weights {
  const names = [...new Set(rows.flatMap(({ features }) => Object.keys(features)))].filter((name) => !(name in CHOSEN))
  const scale = Object.fromEntries(
    names.map((name) => {
      const values = rows.map(({ features }) => features[name] ?? 0)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
      return [name, { mean, deviation }]
    }),
  )
  const counts = new Map<string, number>()
  for (const { set } of rows) counts.set(set, (counts.get(set) ?? 0) + 1)
  const share = (set: string) => Math.min(3, rows.length / counts.size / counts.get(set)!)
  const inputs = rows.map(({ features }) => [
    1,
    ...names.map((name) => ((features[name] ?? 0) - scale[name]!.mean) / scale[name]!.deviation),
  ])
  const size = names.length + 1
  let weights = new Array<number>(size).fill(0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : PULL * weight))
    const hessian = weights.map((_, at) => weights.map((__, to) => (at === to ? (at === 0 ? 1e-6 : PULL) : 0)))
    rows.forEach(({ set, right }, row) => {
      const input = inputs[row]!
      const probability = 1 / (1 + Math.exp(-dot(weights, input)))
      const worth = share(set)
      for (let at = 0; at < size; at++) {
        gradient[at]! += worth * (probability - Number(right)) * input[at]!
        for (let to = 0; to < size; to++)
          hessian[at]![to]! += worth * probability * (1 - probability) * input[at]! * input[to]!
      }
    })
    const change = solved(hessian, gradient)
    weights = weights.map((weight, at) => weight - change[at]!)
  }
  const features = Object.fromEntries(names.map((name, at) => [name, { weight: weights[at + 1]!, ...scale[name]! }]))
  return { bias: weights[0]!, features: { ...features, ...CHOSEN } }
}

const dot = (one: number[], two: number[]): number => one.reduce((sum, value, at) => sum + value * two[at]!, 0)

function solved(matrix: number[][], values: number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at]!])
  const size = rows.length
  for (let at = 0; at < size; at++) {
    const pivot = rows
      .slice(at)
      .reduce((best, row, offset) => (Math.abs(row[at]!) > Math.abs(rows[best]![at]!) ? at + offset : best), at)
    ;[rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!]
    for (let other = 0; other < size; other++) {
      if (other === at) continue
      const factor = rows[other]![at]! / rows[at]![at]!
      for (let column = at; column <= size; column++) rows[other]![column]! -= factor * rows[at]![column]!
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!)
}

const judge = (weights: Weights, { features, right }: Row): Judged => ({
  score: 100 / (1 + Math.exp(-partsOf(weights, features).reduce((sum, part) => sum + part.contribution, 0))),
  right,
})

// Every question judged by a fit that saw none of its article.
function heldOut(rows: Row[], temper: (weights: Weights) => Weights): { judged: Judged; row: Row }[] {
  const groups = [...new Set(rows.map(({ group, set }) => `${set} ${group}`))].sort()
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]))
  return Array.from({ length: FOLDS }).flatMap((_, fold) => {
    const isHeld = ({ set, group }: Row) => foldOf.get(`${set} ${group}`) === fold
    const weights = temper(fit(rows.filter((row) => !isHeld(row))))
    return rows.filter(isHeld).map((row) => ({ judged: judge(weights, row), row }))
  })
}

// Every question judged by a fit that saw nothing of its set: so far off is the score from home.
const elsewhere = (rows: Row[]): { judged: Judged; row: Row }[] =>
  FITTED.flatMap((set) => {
    const weights = fit(rows.filter((row) => row.set !== set))
    return rows.filter((row) => row.set === set).map((row) => ({ judged: judge(weights, row), row }))
  })

const logitOf = ({ score }: Judged): number => Math.log(score / (100 - score))

// A fit is surer of what it has seen. What is left of that, on sets that it has not, is what the shipped weights may claim.
function temperBy(away: { judged: Judged; row: Row }[]): (weights: Weights) => Weights {
  const line = fit(away.map(({ judged, row }) => ({ ...row, features: { logit: logitOf(judged) } })))
  const { weight, mean, deviation } = line.features.logit!
  const slope = Math.min(1, weight / deviation)
  const shift = line.bias - (weight * mean) / deviation
  console.log(`\naway from home: slope ${(weight / deviation).toFixed(2)}, shift ${shift.toFixed(2)}`)
  return ({ bias, features }) => ({
    bias: slope * bias + shift,
    features: Object.fromEntries(
      Object.entries(features).map(([name, one]) => [
        name,
        name in CHOSEN ? one : { ...one, weight: slope * one.weight },
      ]),
    ),
  })
}

function figures(name: string, found: { judged: Judged; row: Row }[]): void {
  if (found.length === 0) return
  const judged = found.map((one) => one.judged)
  const answerable = found.map(({ judged: { score }, row }) => ({ score, right: row.answerable }))
  const rights = judged.filter(({ right }) => right).length
  const answered = found.filter(({ row }) => row.answerable).length
  console.log(
    [
      name.padEnd(18),
      `${found.length} asked, ${((100 * rights) / Math.max(1, answered)).toFixed(1)} % of the answerable right`,
      `AUROC right ${auroc(judged).toFixed(3)}, answerable ${auroc(answerable).toFixed(3)}`,
      `calibration error ${calibrationError(judged).toFixed(3)}, Brier ${brier(judged).toFixed(3)}`,
    ].join(' | '),
  )
}

const files: Partial<ScoreFile> = {}
for (const [kind, all] of [
  ['read', read],
  ['unread', unread],
] as const) {
  const fitted = all.filter(({ set }) => FITTED.includes(set))
  const away = elsewhere(fitted)
  const temper = temperBy(away)
  const untempered = fit(fitted)
  const weights = temper(untempered)
  const held = heldOut(fitted, temper)
  console.log(`${kind}, fitted on ${fitted.length}; each article judged by a fit without it:`)
  for (const set of FITTED)
    figures(
      set,
      held.filter(({ row }) => row.set === set),
    )
  figures('all three', held)
  console.log('each set judged by a fit on the other two:')
  for (const set of FITTED)
    figures(
      set,
      away.filter(({ row }) => row.set === set),
    )
  figures('all three', away)
  console.log('never fitted on, before and after tempering:')
  for (const set of MEASURED)
    figures(
      set,
      all.filter((row) => row.set === set).map((row) => ({ judged: judge(untempered, row), row })),
    )
  for (const set of MEASURED)
    figures(
      set,
      all.filter((row) => row.set === set).map((row) => ({ judged: judge(weights, row), row })),
    )
  for (const [name, { weight }] of Object.entries(weights.features))
    console.log(`  ${name.padEnd(12)} ${weight.toFixed(2)}`)
  files[kind] = rounded(weights)
  if (kind === 'read') {
    const judged = held.map((one) => one.judged)
    files.curves = rounded({ reliability: reliability(judged), risk_coverage: riskCoverage(judged) })
  }
}
if (out) writeFileSync(out, `${JSON.stringify(files, null, 2)}\n`)

function rounded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(5)) : one)))
}
