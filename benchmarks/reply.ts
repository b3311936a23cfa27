// How good replies are without a chat model, and how long they take.
import { existsSync } from 'node:fs'
import { evalFolder } from './recall/sets.ts'
import { type Replied, replies } from './reply/asking.ts'
import { holds, isRight } from './reply/right.ts'
import { isUnseen, type SetName, setNames } from './reply/sets.ts'
import { measureSpeed } from './reply/speed.ts'

export async function run(): Promise<string> {
  if (!existsSync(evalFolder))
    return `The files to measure with are not here (${evalFolder}); set MEMOIR_EVAL to their folder.`
  const speed = await measureSpeed()
  console.error(speed)
  const rows: string[] = []
  for (const set of setNames)
    for (const reader of [true, false]) {
      const all = await replies(set, { reader })
      const seen = all.filter(({ kind }) => !isUnseen(set, kind))
      rows.push(
        rowOf(
          set,
          reader ? 'with the reader' : 'without it',
          all.filter(({ kind }) => isUnseen(set, kind)),
        ),
      )
      if (seen.length > 0 && reader) rows.push(rowOf(set, 'articles the reader was trained on', seen))
      console.error(rows.at(-1))
    }
  return [
    '# Replies without a chat model',
    '',
    '`npm run bench -- reply`. Each set is learned through `POST /v1/memory` and `/v1/upload-text`, and asked through `POST /v1/message`;',
    'every fourth question of LoCoMo and of the articles of SQuAD 2 that the reader was trained on (`MEMOIR_BENCH_EVERY=1` asks all).',
    '',
    '| set | | asked | a gold answer stands in the reply | behind a denial | right, long answers judged by words | median words |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `A message to a persona of 10,000 memories: ${speed.messageMs.toFixed(0)} ms, of which its models ${speed.modelsMs.toFixed(0)} ms: ` +
      `${speed.ratio.toFixed(2)} times their bare time (aim 1.2; median of 40).`,
  ].join('\n')
}

// "I don't know that" in front of the answer is no answer.
const denies = (reply: string): boolean => /^I don['’]t (?:know|have)/.test(reply)

function rowOf(set: SetName, how: string, rows: Replied[]): string {
  const answerable = rows.filter((row) => row.answerable)
  const share = (count: number) => `${((100 * count) / answerable.length).toFixed(1)} %`
  const words = rows.map(({ reply }) => reply.split(/\s+/).length).sort((one, two) => one - two)
  return `| ${[
    set,
    how,
    rows.length,
    share(answerable.filter((row) => holds(row.reply, row.golds)).length),
    share(answerable.filter((row) => denies(row.reply) && holds(row.reply, row.golds)).length),
    share(answerable.filter((row) => isRight(row.reply, row)).length),
    words[Math.floor(words.length / 2)],
  ].join(' | ')} |`
}
