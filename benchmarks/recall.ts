// Recall: does the memory that answers come first, how fast, and in how much memory? Each line beside its aim and two floors.
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { createKeptEmbedder } from './recall/kept-embedder.ts'
import { type Measured, measure, measureRead, type Scores } from './recall/quality.ts'
import { beam, type Conversation, evalFolder, locomo, prefeval, squad } from './recall/sets.ts'
import { measureSpeed } from './recall/speed.ts'

type Line = { set: string; what: string; aims: number[]; of: (scores: Scores) => number[] }
// Reading is slow: only so many questions are asked with the reader, MEMOIR_BENCH_READ of each set (0: none).
const READ = Number(process.env.MEMOIR_BENCH_READ ?? 100)

type Set = { name: string; read(): Conversation[]; ks: { turns: number[]; groups: number[] }; lines: Line[] }

const sets: Set[] = [
  {
    name: 'locomo',
    read: locomo,
    ks: { turns: [5, 10, 20], groups: [5] },
    lines: [
      { set: 'LoCoMo turns', what: 'recall@5 / @10 / @20', aims: [68, 77, 84], of: (scores) => scores.turns },
      { set: 'LoCoMo sessions', what: 'recall@5: share of the sessions', aims: [94], of: (scores) => scores.groups },
      { set: 'LoCoMo sessions', what: 'recall@5: one of them found', aims: [94], of: (scores) => scores.groupHits },
    ],
  },
  {
    name: 'squad2',
    read: squad,
    ks: { turns: [1, 5], groups: [] },
    lines: [{ set: 'SQuAD 2 paragraphs', what: 'recall@1 / @5', aims: [87, 97], of: (scores) => scores.turns }],
  },
  {
    name: 'prefeval',
    read: prefeval,
    ks: { turns: [10], groups: [] },
    lines: [{ set: 'PrefEval', what: 'recall@10', aims: [45], of: (scores) => scores.turns }],
  },
  {
    name: 'beam',
    read: beam,
    ks: { turns: [10], groups: [] },
    lines: [{ set: 'BEAM messages', what: 'recall@10', aims: [55], of: (scores) => scores.turns }],
  },
]

// MEMOIR_BENCH_ONLY names sets, or `speed`, to run those alone.
export async function run(): Promise<string> {
  const only = process.env.MEMOIR_BENCH_ONLY?.split(',') ?? []
  const wanted = (name: string) => only.length === 0 || only.includes(name)
  const report = [
    '# Recall',
    '',
    `On ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}.`,
    '',
  ]
  if (existsSync(evalFolder)) {
    report.push('## Quality, development halves', '', '| set | measure | aim | Memoir | BM25 | MiniLM alone | |')
    report.push('|---|---|---|---|---|---|---|')
    const read: string[] = []
    for (const set of sets.filter(({ name }) => wanted(name))) {
      const embedder = createKeptEmbedder(set.name)
      const conversations = set.read()
      const questions = conversations.reduce((sum, one) => sum + one.questions.length, 0)
      const every = Math.max(1, Math.floor(questions / Math.max(1, READ)))
      const measured = await measure(conversations, embedder, set.ks, every)
      report.push(...set.lines.map((line) => row(line, measured)))
      console.error(report.at(-1))
      if (READ > 0) {
        const scores = await measureRead(conversations, embedder, set.ks, every)
        read.push(...set.lines.map((line) => readRow(line, measured, scores)))
        console.error(read.at(-1))
      }
      await embedder.close()
    }
    if (read.length > 0) report.push('', '## Reranked by the reader, as in the service', '', ...READ_HEAD, ...read)
  } else report.push(`The sets to measure with are not here (${evalFolder}); MEMOIR_EVAL names their folder.`)
  if (wanted('speed')) report.push('', ...(await measureSpeed()))
  return report.join('\n')
}

const READ_HEAD = ['| set | measure | aim | questions | without | with |', '|---|---|---|---|---|---|']
const readRow = ({ set, what, aims, of }: Line, { some, asked }: Measured, scores: Scores): string =>
  `| ${set} | ${what} | ${aims.join(' / ')} | ${asked} | ${figures(of(some))} | ${figures(of(scores))} |`

const figures = (values: number[]): string => values.map((value) => value.toFixed(1)).join(' / ')

function row({ set, what, aims, of }: Line, { ours, words, meaning }: Measured): string {
  const reached = of(ours).every((value, at) => value >= aims[at]!)
  return `| ${set} | ${what} | ${aims.join(' / ')} | ${figures(of(ours))} | ${figures(of(words))} | ${figures(of(meaning))} | ${reached ? 'reached' : 'missed'} |`
}
