// Answers made right and wrong on purpose, with the features by which the score of a chat model's answers is fitted.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { halfOf, ordersOf } from '../../benchmarks/voice/answers.ts'
import { collect } from '../../benchmarks/voice/collect.ts'
import { createReader } from '../../src/models/reader.ts'
import { forgetReading } from '../../src/recall/rerank.ts'
import { weigh } from '../../src/reply/model/ask-model.ts'
import { modelFeatures } from '../../src/reply/score/model-confidence.ts'
import type { ModelRow } from './model-row.ts'

// node training/score/collect-model.ts OUT: writes OUT/voice.jsonl.
const [out = 'made'] = process.argv.slice(2)
const reader = createReader()
const rows: ModelRow[] = []
const persona = { name: 'Someone', instructions: '' }
for (const { set, group, question, shown, answers } of await collect(reader, halfOf('fitted'), ordersOf('fitted'), 500))
  for (const { kind, isRight, text } of answers) {
    const written = { text, isWhole: true, logprob: null }
    // As with a reader, and as without one.
    for (const [needs, seen] of [[{ reader }, shown] as const, [{}, shown.map(forgetReading)] as const]) {
      const weighed = await weigh(needs, { question, persona }, seen, written, false)
      rows.push({ set, group, kind, right: isRight, ...modelFeatures(question, seen, weighed) })
    }
  }
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'voice.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
await reader.close()
process.exit(0)
