// How well a persona can be talked to, without a chat model: answered, refused, how sure, how long.
import { auroc, calibrationError } from '../src/reply/score/curves.ts'
import { evalFolder } from './recall/sets.ts'
import { type Answered, askPersonas } from './talk/ask.ts'
import { isHere, type Judgement, loadJudge, talkPersonas } from './talk/personas.ts'
import { statementPersonas } from './talk/statements.ts'

const STATEMENTS_EVERY = 4
// What the kinds are expected to reach (percent).
const AIMS: Record<string, number> = {
  fact: 85,
  paraphrase: 55,
  implied: 45,
  owner: 70,
  third: 70,
  update: 50,
  count_date: 55,
  list: 40,
  summary: 50,
  opening: 65,
  'follow-up': 50,
}

type Judged = Answered & Judgement

export async function run(): Promise<string> {
  if (!isHere()) return `The files to measure with are not here (${evalFolder}); set MEMOIR_EVAL to their folder.`
  const judge = await loadJudge()
  const judgeAll = (rows: Answered[]) => rows.map((row): Judged => ({ ...row, ...judge(row, row.reply) }))
  const talk = judgeAll(await askPersonas(talkPersonas()))
  printMistakes(talk)
  const statements = process.env.MEMOIR_BENCH_QUICK
    ? []
    : judgeAll(await askPersonas(statementPersonas(STATEMENTS_EVERY)))
  return [
    '# Talking to a persona',
    '',
    '`npm run bench -- talk`. Twelve personas with notes and documents learn through the interface and are asked',
    'through `POST /v1/message`, without a chat model. A reply is right when it tells every part of the answer and does',
    'not deny knowing it; where memory holds no answer, when it says so. The score is judged against right answers: a',
    'refusal is never one. With `MEMOIR_BENCH_QUICK=1` the statements of the second set are left out.',
    '',
    '| set | messages | answerable answered | told, also behind a denial | unanswerable refused | AUROC right/wrong | calibration error | median words |',
    '|---|---|---|---|---|---|---|---|',
    summaryRow('talk', talk),
    ...(statements.length > 0 ? [summaryRow('statements', statements)] : []),
    '',
    '| kind | answered | aim | of |',
    '|---|---|---|---|',
    ...kindRows(talk),
  ].join('\n')
}

const isAnswerable = ({ gold }: Judged): boolean => gold.length > 0
const percent = (rows: Judged[], holds: (row: Judged) => boolean): string =>
  `${((100 * rows.filter(holds).length) / Math.max(1, rows.length)).toFixed(1)} %`

function summaryRow(name: string, rows: Judged[]): string {
  const answerable = rows.filter(isAnswerable)
  const scored = rows.map((row) => ({ score: row.score, right: isAnswerable(row) && row.right }))
  const words = answerable.filter(({ denied }) => !denied).map((row) => row.words)
  words.sort((one, two) => one - two)
  return `| ${[
    name,
    rows.length,
    percent(answerable, ({ right }) => right),
    percent(answerable, ({ told }) => told),
    percent(
      rows.filter((row) => !isAnswerable(row)),
      ({ right }) => right,
    ),
    auroc(scored).toFixed(3),
    calibrationError(scored).toFixed(3),
    words[Math.floor(words.length / 2)],
  ].join(' | ')} |`
}

function kindRows(rows: Judged[]): string[] {
  const answerable = rows.filter(isAnswerable)
  return Object.entries(AIMS).map(([kind, aim]) => {
    const some = answerable.filter((row) => row.kind === kind)
    return `| ${kind} | ${percent(some, ({ right }) => right)} | ${aim} % | ${some.length} |`
  })
}

// Every reply that is not right, for whoever works on it.
function printMistakes(rows: Judged[]): void {
  for (const { kind, q, gold, reply, score, right } of rows)
    if (!right) console.error(JSON.stringify({ kind, q, gold, reply, score }))
}
