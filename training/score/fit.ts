// Fits the score: features of answers → the probability that they are right.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHeld, partsOf } from '../../src/reply/score/confidence.ts'
import { auroc, brier, calibrationError, type Judged, reliability, riskCoverage } from '../../src/reply/score/curves.ts'
import type { ScoreFile, Weights } from '../../src/reply/score/score-file.ts'
import { fitLogistic } from './logistic.ts'
import type { Row } from './row.ts'

// node training/score/fit.ts MADE [OUT]: without OUT only the figures are shown.
const [made = 'made', out] = process.argv.slice(2)
// Articles and help pages that the reader was not trained on, and personas written for this that it was not trained on either.
const FITTED = ['squad2', 'clapnq', 'mtrag_un', 'talk', 'written', 'faq']
const MEASURED = ['locomo', 'beam100k']
const FOLDS = 6
const ANSWERS_FROM = 40 // percent, chosen: what is more likely wrong than that is not given as an answer where nothing was read
// Too rare in what is fitted on, and so chosen by hand: a question for help, or for a sum over many memories, is seldom
// answered by one of them.
const CHOSEN: Weights['features'] = { beyond: { weight: -1.5, mean: 0, deviation: 1 } }

const read = [...FITTED, ...MEASURED].flatMap((set) => rowsOf(set))
const unread = [...FITTED, ...MEASURED].flatMap((set) => rowsOf(`${set}-unread`))

function rowsOf(name: string): Row[] {
  const file = join(made, `${name}.jsonl`)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const fit = (rows: Row[]): Weights => fitLogistic(rows, CHOSEN)

const judge = (weights: Weights, { features, right }: Row): Judged => ({
  score: 100 / (1 + Math.exp(-partsOf(weights, features).reduce((sum, part) => sum + part.contribution, 0))),
  right,
})

// Every question judged by a fit that saw none of its article or persona.
function heldOut(rows: Row[]): { judged: Judged; row: Row }[] {
  // Some of each set's groups are in every fold.
  const foldOf = new Map(
    FITTED.flatMap((set) =>
      [...new Set(rows.filter((row) => row.set === set).map(({ group }) => group))]
        .sort()
        .map((group, at): [string, number] => [`${set} ${group}`, at % FOLDS]),
    ),
  )
  return Array.from({ length: FOLDS }).flatMap((_, fold) => {
    const isHeld = ({ set, group }: Row) => foldOf.get(`${set} ${group}`) === fold
    const weights = fit(rows.filter((row) => !isHeld(row)))
    return rows.filter(isHeld).map((row) => ({ judged: judge(weights, row), row }))
  })
}

// Every question of a set judged by a fit that saw nothing of it: so far off is the score from home.
function elsewhere(rows: Row[], set: string): { judged: Judged; row: Row }[] {
  const own = rows.filter((row) => row.set === set)
  if (own.length === 0 || own.length === rows.length) return []
  const weights = fit(rows.filter((row) => row.set !== set))
  return own.map((row) => ({ judged: judge(weights, row), row }))
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

// How talk goes, with answers given where the reader sees one.
function reportTalk(held: { judged: Judged; row: Row }[]): void {
  const talk = held.filter(({ row }) => row.set === 'talk')
  const given = ({ judged, row }: (typeof talk)[number]) => isHeld(row, judged)
  const [answerable, unanswerable] = [true, false].map((is) => talk.filter(({ row }) => row.answerable === is))
  const share = (some: number, all: number) => `${((100 * some) / Math.max(1, all)).toFixed(1)} %`
  const right = (some: typeof talk) => some.filter((one) => one.row.right && given(one)).length
  const refused = unanswerable!.filter((one) => !given(one)).length
  console.log(
    `answered ${share(right(answerable!), answerable!.length)}, refused ${share(refused, unanswerable!.length)}`,
  )
  for (const [kind, some] of Map.groupBy(answerable!, ({ row }) => row.kind))
    console.log(`  ${kind.padEnd(12)} ${share(right(some), some.length)} of ${some.length}`)
}

const files: Partial<ScoreFile> = {}
for (const [kind, all] of [
  ['read', read],
  ['unread', unread],
] as const) {
  const fitted = all.filter(({ set }) => FITTED.includes(set))
  if (fitted.length === 0) continue
  const weights = fit(fitted)
  const held = heldOut(fitted)
  console.log(`${kind}, fitted on ${fitted.length}; each article and persona judged by a fit without it:`)
  for (const set of FITTED)
    figures(
      set,
      held.filter(({ row }) => row.set === set),
    )
  figures('all', held)
  console.log('each set judged by a fit on the others:')
  for (const set of FITTED) figures(set, elsewhere(fitted, set))
  console.log('never fitted on:')
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
    reportTalk(held)
    files.answers_from = ANSWERS_FROM
    files.curves = rounded({ reliability: reliability(judged), risk_coverage: riskCoverage(judged) })
  }
}
if (out) writeFileSync(out, `${JSON.stringify({ ...JSON.parse(readFileSync(out, 'utf8')), ...files }, null, 2)}\n`)

function rounded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(5)) : one)))
}
