// Fits features to whether answers were right: a logistic regression that the score's weights are made by.
import type { Weights } from '../../src/reply/score/score-file.ts'
import type { Row } from './row.ts'

type Fitted = Pick<Row, 'set' | 'features' | 'right'>

const PULL = 10 // towards 0, in questions' worth: features that say the same share their weight
const STEPS = 40

// Newton's method on the logistic likelihood, every set weighing the same.
export function fitLogistic(rows: Fitted[], chosen: Weights['features'] = {}): Weights {
  const names = [...new Set(rows.flatMap(({ features }) => Object.keys(features)))].filter((name) => !(name in chosen))
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
  return { bias: weights[0]!, features: { ...features, ...chosen } }
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
