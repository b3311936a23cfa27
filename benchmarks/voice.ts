// How far a chat model's answers are held to memory: made right and wrong on purpose, weighed as the service weighs them.
import { existsSync } from 'node:fs'
import { createReader } from '../src/models/reader.ts'
import type { Reader } from '../src/ports/models.ts'
import { weigh } from '../src/reply/model/ask-model.ts'
import { auroc } from '../src/reply/score/curves.ts'
import { modelConfidence, modelFeatures } from '../src/reply/score/model-confidence.ts'
import { evalFolder } from './recall/sets.ts'
import { halfOf, type Made, ordersOf } from './voice/answers.ts'
import { collect, type Occurrence } from './voice/collect.ts'

const ANSWERS = 500
const TOO_SURE = 40 // what contradicts memory scores less
const TIMED = 60

export type Scored = Made & { score: number; promised: number; verdicts: string[] }

export async function run(): Promise<string> {
  if (!existsSync(evalFolder)) return `The files to measure with are not here (${evalFolder}); set MEMOIR_EVAL.`
  const reader = createReader()
  try {
    const occurrences = await collect(reader, halfOf('measured'), ordersOf('measured'), ANSWERS)
    const scored: Scored[] = []
    for (const one of occurrences) scored.push(...(await score(reader, one)))
    return report(scored, await timeHolding(reader, occurrences))
  } finally {
    await reader.close()
  }
}

const persona = { name: 'Someone', instructions: '' }
const written = (text: string) => ({ text, isWhole: true, logprob: null })

// Nothing is dropped, so that everything is scored.
async function score(reader: Reader, { question, shown, answers }: Occurrence): Promise<Scored[]> {
  const scored: Scored[] = []
  for (const answer of answers) {
    const weighed = await weigh({ reader }, { question, persona }, shown, written(answer.text), false)
    const { features } = modelFeatures(question, shown, weighed)
    scored.push({
      ...answer,
      score: modelConfidence(question, shown, weighed, null).score,
      promised: 100 / (1 + Math.exp(-features.promised!)),
      verdicts: weighed.held.map(({ verdict }) => verdict),
    })
  }
  return scored
}

// The time that holding adds, against the reader's on the same sentences and the memories that they cite.
async function timeHolding(reader: Reader, occurrences: Occurrence[]): Promise<number> {
  const [added, reading] = [[] as number[], [] as number[]]
  for (const { question, shown, answers } of occurrences.slice(0, TIMED)) {
    const { text } = answers[0]!
    const sentence = text.replace(/ \[m\d+\]/, '')
    const cited = shown[Number(/\[m(\d+)\]/.exec(text)![1]) - 1]!
    const held = () => weigh({ reader }, { question, persona }, shown, written(text), false)
    const unheld = () => weigh({}, { question, persona }, shown, written(text), false)
    added.push((await time(held)) - (await time(unheld)))
    reading.push(await time(() => reader.read(sentence, [cited.passage.text])))
  }
  return sum(added) / sum(reading)
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0)
const mean = (values: number[]): string => (values.length === 0 ? '–' : (sum(values) / values.length).toFixed(0))

function report(scored: Scored[], ratio: number): string {
  const rights = scored.filter(({ isRight }) => isRight)
  const contradicting = scored.filter(({ contradicts }) => contradicts)
  const tooSure = contradicting.filter(({ score }) => score > TOO_SURE)
  const judged = scored.map(({ score, isRight }) => ({ score, right: isRight }))
  const lost = sum(rights.map(({ score, promised }) => promised - score)) / rights.length
  const dropped = rights.filter(({ verdicts }) => verdicts.includes('contradicted')).length
  return [
    '# Voice: a chat model held to memory',
    '',
    `\`npm run bench -- voice\`; ${scored.length} answers made by rule from every second persona of the talk set and one article`,
    'of SQuAD 2 that the reader never saw. The score was fitted on the other half. No chat model wrote any of them.',
    'The exact checks were adjusted after a look at both halves, so the figures flatter them; the orders to obey are worded',
    'otherwise than in the fit.',
    '',
    '| what | aim | result |',
    '|---|---|---|',
    `| AUROC, right against wrong | .90 | ${auroc(judged).toFixed(3).replace(/^0/, '')} |`,
    `| contradicting answers above ${TOO_SURE} | 0 | ${tooSure.length} of ${contradicting.length} |`,
    `| right answers: points below what memory promises for the question | 5 | ${lost.toFixed(1)} |`,
    `| right answers that would be dropped | 0 | ${dropped} of ${rights.length} |`,
    `| added time, against the reader's on those sentences | 1.2 | ${ratio.toFixed(2)} |`,
    '',
    `| answers | count | mean score | highest | lowest | above ${TOO_SURE} |`,
    '|---|---|---|---|---|---|',
    ...[...Map.groupBy(scored, ({ kind }) => kind)].map(([kind, some]) => {
      const scores = some.map(({ score }) => score)
      const [most, least] = [Math.max(...scores).toFixed(0), Math.min(...scores).toFixed(0)]
      const name = some[0]!.isRight ? `right: ${kind}` : `wrong: ${kind}`
      return `| ${name} | ${some.length} | ${mean(scores)} | ${most} | ${least} | ${scores.filter((one) => one > TOO_SURE).length} |`
    }),
  ].join('\n')
}
