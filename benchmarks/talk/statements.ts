// People's questions to each other with about ten first-person statements each: which statement answers, or none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evalFolder } from '../recall/sets.ts'
import type { TalkPersona } from './personas.ts'

type Row = { persona: string[]; question: string; gold_statement_index: number | null; gold_alternatives: number[] }

// One in `every` of them: each is a persona of its own, and learning it takes longer than asking it.
export function statementPersonas(every: number): TalkPersona[] {
  const rows = readFileSync(join(evalFolder, 'msc_persona/dev.jsonl'), 'utf8').trim().split('\n')
  return rows
    .map((line) => JSON.parse(line) as Row)
    .filter((_, at) => at % every === 0)
    .map(({ persona, question, gold_statement_index: index, gold_alternatives: others }, at) => {
      const answers = index === null ? [] : [index, ...others].map((one) => persona[one]!).filter(Boolean)
      return {
        domain: `statements-${at}`,
        name: 'Sam',
        documents: [],
        memories: persona.map((text) => ({ text, time: '2024-05-01T12:00:00Z' })),
        conversations: [[{ q: question, kind: 'statement', gold: answers.length > 0 ? [answers] : [] }]],
      }
    })
}
