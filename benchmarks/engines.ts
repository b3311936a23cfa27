// Recall on both engines: the same sets, stored and asked as callers do, on SQLite and on PostgreSQL.
import { existsSync } from 'node:fs'
import { newDatabase } from '../test/postgres-server.ts'
import { createKeptEmbedder } from './recall/kept-embedder.ts'
import { measure } from './recall/quality.ts'
import { beam, type Conversation, evalFolder, locomo, prefeval, squad } from './recall/sets.ts'

const sets: { title: string; name: string; read(): Conversation[] }[] = [
  { title: 'LoCoMo turns', name: 'locomo', read: locomo },
  { title: 'SQuAD 2 paragraphs', name: 'squad2', read: squad },
  { title: 'PrefEval', name: 'prefeval', read: prefeval },
  { title: 'BEAM messages', name: 'beam', read: beam },
]

export async function run(): Promise<string> {
  const report = ['# Recall on both engines', '']
  if (!existsSync(evalFolder))
    return `${report[0]}\n\nThe sets are not here (${evalFolder}); MEMOIR_EVAL names their folder.`
  report.push(
    'Development halves, recall@5 / @10 in percent, without the reader, which takes its candidates from the same search.',
    '',
  )
  report.push('| set | questions | SQLite | PostgreSQL | difference |', '|---|---|---|---|---|')
  const only = process.env.MEMOIR_BENCH_ONLY?.split(',')
  for (const { title, name, read } of sets) {
    if (only && !only.includes(name)) continue
    const conversations = read()
    const embedder = createKeptEmbedder(name)
    const on = async (settings: Record<string, string>) => {
      const ks = { turns: [5, 10], groups: [] }
      return (await measure(conversations, embedder, ks, 1, settings)).ours.turns
    }
    const sqlite = await on({})
    const postgres = await on({ MEMOIR_DATABASE_URL: await newDatabase() })
    await embedder.close()
    const figures = (values: number[]) => values.map((value) => value.toFixed(2)).join(' / ')
    const questions = conversations.reduce((sum, one) => sum + one.questions.length, 0)
    const difference = postgres.map((value, at) => value - sqlite[at]!)
    report.push(`| ${title} | ${questions} | ${figures(sqlite)} | ${figures(postgres)} | ${figures(difference)} |`)
    console.error(report.at(-1))
  }
  return report.join('\n')
}
