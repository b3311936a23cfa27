// Whether the score means what it says: does it tell right from wrong, and are of the replies at 80 four in five right?
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { auroc, calibrationError, type Judged, reliability, riskCoverage } from '../src/reply/score/curves.ts'
import { evalFolder } from './recall/sets.ts'
import { type Replied, replies } from './reply/asking.ts'
import { curvesAsSvg } from './reply/draw.ts'
import { holds, isRight } from './reply/right.ts'
import { isUnseen, type SetName, setNames } from './reply/sets.ts'

const AIMS: Record<SetName, { auroc: string; error: string }> = {
  squad2: { auroc: '.80', error: '.06' },
  clapnq: { auroc: '.88', error: '.06' },
  mtrag_un: { auroc: '', error: '.06' },
  locomo: { auroc: '.65', error: '.12' },
  beam100k: { auroc: '.65', error: '.12' },
}

export async function run(): Promise<string> {
  if (!existsSync(evalFolder))
    return `The files to measure with are not here (${evalFolder}); set MEMOIR_EVAL to their folder.`
  const rows: string[] = []
  const curves: { name: string; judged: Judged[] }[] = []
  for (const reader of [true, false])
    for (const set of setNames) {
      // Where the reader learned from the set, only articles that it never saw can tell.
      const unseen = (await replies(set, { reader })).filter(({ kind }) => isUnseen(set, kind))
      const judged = unseen.map((row) => judgedOf(set, row))
      rows.push(rowOf(set, reader, unseen, judged))
      console.error(rows.at(-1))
      if (reader) curves.push({ name: set, judged })
    }
  const results = new URL('results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  writeFileSync(new URL('confidence.svg', results), curvesAsSvg(curves))
  return [
    '# How far the score can be trusted',
    '',
    '`npm run bench -- confidence`, on the replies of `npm run bench -- reply`. SQuAD 2 and ClapNQ: only the articles that the reader was not trained',
    'on; the score was fitted on them and on MTRAG-UN (`node training/score/fit.ts` gives figures of articles held out of the fit). LoCoMo and BEAM: no weight was',
    'fitted on them, but one was chosen after a look at BEAM. With few questions the error of a perfect score is not 0: about .05 with 500 and .10 with 90.',
    '',
    '| set | | asked | AUROC: right against wrong or unanswerable | AUROC: answerable against not | aim | calibration error | aim |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    'The aim on SQuAD 2 is for right against wrong, on the others for answerable against not.',
    '',
    '![Reliability and risk–coverage curves](confidence.svg)',
    '',
    ...curves.flatMap(({ name, judged }) => table(name, judged)),
  ].join('\n')
}

// On SQuAD 2 a reply is right when it holds a gold answer; longer answers are judged by their words.
const judgedOf = (set: SetName, row: Replied): Judged => ({
  score: row.score,
  right: set === 'squad2' ? row.answerable && holds(row.reply, row.golds) : isRight(row.reply, row),
})

const figure = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3).replace(/^0/, ''))

function rowOf(set: SetName, reader: boolean, rows: Replied[], judged: Judged[]): string {
  const answerable = rows.map(({ score, answerable }) => ({ score, right: answerable }))
  return `| ${[
    set,
    reader ? 'with the reader' : 'without',
    rows.length,
    figure(auroc(judged)),
    figure(auroc(answerable)),
    reader ? AIMS[set].auroc : '',
    figure(calibrationError(judged)),
    reader ? AIMS[set].error : '',
  ].join(' | ')} |`
}

const table = (name: string, judged: Judged[]): string[] => [
  `## ${name}: what the score says, and how many were right`,
  '',
  '| score | said | right | replies |',
  '|---|---|---|---|',
  ...reliability(judged).map(
    ({ from, to, said, right, count }) =>
      `| ${from.toFixed(0)}–${to.toFixed(0)} | ${said.toFixed(0)} % | ${right.toFixed(0)} % | ${count} |`,
  ),
  '',
  `Answering only the surest half: ${riskAt(judged, 0.5)} % wrong; the surest quarter: ${riskAt(judged, 0.25)} %; all: ${riskAt(judged, 1)} %.`,
  '',
]

const riskAt = (judged: Judged[], coverage: number): string => {
  const points = riskCoverage(judged)
  const point = points.findLast((one) => one.coverage <= coverage + 1e-9) ?? points[0]
  return point ? (100 * point.risk).toFixed(0) : '–'
}
