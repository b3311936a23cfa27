// Fits the score of a chat model's answers, with the reader's verdicts and without.
import { readFileSync, writeFileSync } from 'node:fs'
import { partsOf } from '../../src/reply/score/confidence.ts'
import { auroc, calibrationError } from '../../src/reply/score/curves.ts'
import type { Weights } from '../../src/reply/score/score-file.ts'
import { fitLogistic } from './logistic.ts'
import type { ModelRow } from './model-row.ts'

// node training/score/fit-model.ts ROWS [OUT]: without OUT only the figures are shown.
const [file = 'made/voice.jsonl', out] = process.argv.slice(2)
// In no made answer: a round figure, as a citation of nothing is about as bad as a fact that memory lacks.
const CHOSEN: Weights['features'] = {
  'wrong citations': { weight: -0.7, mean: 0, deviation: 1 },
  'not cited': { weight: -1.5, mean: 0, deviation: 1 },
}

const rows: ModelRow[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const scoreOf = (weights: Weights, { features }: ModelRow): number =>
  100 / (1 + Math.exp(-partsOf(weights, features).reduce((sum, part) => sum + part.contribution, 0)))

function fit(name: string, some: ModelRow[]): Weights {
  const groups = [...new Set(some.map(({ group }) => group))]
  const held = groups.flatMap((group) => {
    const weights = fitLogistic(
      some.filter((row) => row.group !== group),
      CHOSEN,
    )
    return some.filter((row) => row.group === group).map((row) => ({ score: scoreOf(weights, row), right: row.right }))
  })
  console.log(name, some.length, 'each persona and article judged by a fit without it: AUROC', auroc(held).toFixed(3))
  console.log('calibration error', calibrationError(held).toFixed(3))
  const weights = fitLogistic(some, CHOSEN)
  for (const [feature, { weight }] of Object.entries(weights.features))
    console.log(`  ${feature.padEnd(16)} ${weight.toFixed(2)}`)
  return JSON.parse(JSON.stringify(weights, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(5)) : one)))
}

const made = {
  held: fit(
    'with the reader',
    rows.filter(({ isHeld }) => isHeld),
  ),
  unheld: fit(
    'without',
    rows.filter(({ isHeld }) => !isHeld),
  ),
}
if (out) writeFileSync(out, `${JSON.stringify(made, null, 2)}\n`)
