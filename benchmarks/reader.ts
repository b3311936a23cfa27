// How well the shipped reader reads: on articles that training left out, and on conversations it never saw.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createReader } from '../src/models/reader.ts'
import { type LeftOut, measureLeftOut } from './reader/left-out.ts'
import { measureRemembering, type Remembered } from './reader/remembering.ts'
import { measureSpeed } from './reader/speed.ts'
import { createKeptEmbedder } from './recall/kept-embedder.ts'

// LoCoMo alone has 999 questions of 40 passages each. MEMOIR_BENCH_EVERY=1 asks them all, 9 every ninth.
const EVERY_NTH = Number(process.env.MEMOIR_BENCH_EVERY ?? 3)

const two = (number: number): string => number.toFixed(3).replace(/^0/, '')
const one = (numbers: number[]): string => numbers.map((number) => number.toFixed(1)).join('/')

const progress = (...found: unknown[]): void => console.error(...found)

export async function run(): Promise<string> {
  const folder = process.env.MEMOIR_EVAL ?? join(import.meta.dirname, '../../shared/eval')
  if (!existsSync(folder)) return `The files to measure with are not here (${folder}); set MEMOIR_EVAL to their folder.`
  const speed = await measureSpeed()
  const reader = createReader()
  // Embedding BEAM takes ten minutes, and is the same every time.
  const remembering = async (set: 'locomo' | 'beam100k') => {
    const embedder = createKeptEmbedder(set)
    try {
      return await measureRemembering({ reader, embedder }, folder, set, EVERY_NTH)
    } finally {
      await embedder.close()
    }
  }
  try {
    const [squad, clapnq] = (await measureLeftOut(reader, folder)) as [LeftOut, LeftOut]
    progress(squad, clapnq)
    const locomo = await remembering('locomo')
    progress(locomo)
    const beam = await remembering('beam100k')
    return report(squad, clapnq, locomo, beam, speed)
  } finally {
    await reader.close()
  }
}

function report(
  squad: LeftOut,
  clapnq: LeftOut,
  locomo: Remembered,
  beam: Remembered,
  speed: { reader: number; embedder: number },
): string {
  const recalls = ({ set, asked, recall }: Remembered, aim: string): string[] =>
    Object.entries(recall).map(([order, values]) =>
      [`| ${set} (${asked})`, `recall@5/10/20, ${order}`, order.includes('reader') ? aim : '', `${one(values)} |`].join(
        ' | ',
      ),
    )
  return [
    '# The reader',
    '',
    '`npm run bench -- reader`; the shipped int8 file. SQuAD 2 and ClapNQ: only articles that training never saw',
    '(`training/reader/articles.json`). LoCoMo and BEAM: development halves, never trained on. In brackets: questions asked.',
    '',
    '| set | what | aim | result |',
    '|---|---|---|---|',
    `| SQuAD 2 (${squad.asked}) | AUROC answerable: BM25 | | ${two(squad.floor)} |`,
    `| SQuAD 2 (${squad.asked}) | AUROC answerable: reader | .82 | ${two(squad.auroc)} |`,
    `| SQuAD 2 (${squad.asked}) | AUROC answerable: reader, in parts as the service reads | .82 | ${two(squad.inParts)} |`,
    `| SQuAD 2 (${squad.asked}) | span F1 on answerable: reader | 82 | ${squad.f1!.toFixed(1)} |`,
    `| ClapNQ (${clapnq.asked}) | AUROC answerable: BM25 | | ${two(clapnq.floor)} |`,
    `| ClapNQ (${clapnq.asked}) | AUROC answerable: reader | .93 | ${two(clapnq.auroc)} |`,
    `| ClapNQ (${clapnq.asked}) | AUROC answerable: reader, in parts as the service reads | .93 | ${two(clapnq.inParts)} |`,
    ...recalls(locomo, '68/77/84'),
    `| LoCoMo (${locomo.asked}) | AUROC answerable: BM25 | | ${two(locomo.floor)} |`,
    `| LoCoMo (${locomo.asked}) | AUROC answerable: reader, best of 5 | .65 | ${two(locomo.auroc)} |`,
    ...recalls(beam, ''),
    `| BEAM (${beam.asked}) | AUROC answerable: BM25 | | ${two(beam.floor)} |`,
    `| BEAM (${beam.asked}) | AUROC answerable: reader, best of 5 | | ${two(beam.auroc)} |`,
    `| speed | CPU time of 16 candidates of 128 tokens, one thread | 120 ms | ${speed.reader.toFixed(0)} ms |`,
    `| speed | the same as a ratio to the embedder on the same texts | | ${(speed.reader / speed.embedder).toFixed(2)} |`,
  ].join('\n')
}
