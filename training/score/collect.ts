// What recall and the reader find for each public question, kept so that the score can be fitted again and again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeptEmbedder } from '../../benchmarks/recall/kept-embedder.ts'
import { isUnseen, type SetName, setNames, sets, type Taught } from '../../benchmarks/reply/sets.ts'
import { readConfig } from '../../src/config.ts'
import { ownerKey } from '../../src/domain/access.ts'
import type { Recollection } from '../../src/domain/memory.ts'
import { understand } from '../../src/language/language.ts'
import { createReader } from '../../src/models/reader.ts'
import { createIndexCache } from '../../src/recall/index/cache.ts'
import { limits } from '../../src/recall/limits.ts'
import { recall } from '../../src/recall/recall.ts'
import { createRerank, type Rerank } from '../../src/recall/rerank.ts'
import { evidenceIn } from '../../src/reply/evidence/evidence.ts'
import { reread } from '../../src/reply/evidence/reread.ts'
import { openRooms } from '../../src/start.ts'

// node training/score/collect.ts OUT [SET] [EVERY]: EVERY 3 asks every third question.
const [out = 'made', only, every = '1'] = process.argv.slice(2)
// As much is reranked on every machine, however busy: what a quiet one affords.
const RERANK_CHARACTERS = 2_500

mkdirSync(out, { recursive: true })
for (const name of only ? [only as SetName] : setNames) await collect(name)
process.exit(0)

async function collect(name: SetName): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-score-'))
  const embedder = createKeptEmbedder(name)
  const reader = createReader()
  const rooms = await openRooms(readConfig({ MEMOIR_DATA: folder, MEMOIR_LOG: 'error', MEMOIR_READER: '0' }), {
    embedder: { ...embedder, close: async () => {} },
  })
  const rerankAll = createRerank(reader, Number.MAX_SAFE_INTEGER)
  const rerank: Rerank = async (question, candidates) => {
    const count = affordable(candidates)
    return [...(await rerankAll(question, candidates.slice(0, count))), ...candidates.slice(count)]
  }
  const needs = {
    store: rooms.store,
    embedder,
    indexes: createIndexCache({ store: rooms.store, embedder }, 1024),
    rerank,
  }
  const rows: object[] = []
  try {
    for (const taught of sets[name]()) {
      const DomainName = taught.name.replaceAll(/[^a-z0-9-]/g, '-')
      await teach(rooms, DomainName, taught)
      const persona = (await rooms.store.personas.byDomainName(DomainName))!
      for (const [at, asked] of taught.questions.entries()) {
        if (at % Number(every) !== 0 || !isUnseen(name, asked.kind)) continue
        const { question, query } = understand(asked.text, { before: asked.before })
        const recollections = await recall(needs, persona, query)
        const [best] = await reread({ reader }, question, evidenceIn(question, recollections))
        rows.push({ ...asked, recollections, reread: best?.reread })
        if (rows.length % 100 === 0) console.error(name, rows.length)
      }
    }
    writeFileSync(join(out, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    console.error(name, rows.length, 'questions')
  } finally {
    await rooms.close()
    await Promise.all([reader.close(), embedder.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

function affordable(candidates: Recollection[]): number {
  let count = 0
  for (let left = RERANK_CHARACTERS; count < candidates.length; count++) {
    left -= candidates[count]!.memory.text.length
    if (left < 0 && count >= limits.rerankLeast) break
  }
  return count
}

async function teach(rooms: Awaited<ReturnType<typeof openRooms>>, DomainName: string, { items }: Taught) {
  await rooms.app.admin({ key: ownerKey, requestId: 'score' }).createPersona({ domain_name: DomainName, name: 'Score' })
  const service = rooms.app.as({ key: ownerKey, requestId: 'score' })
  for (const { id, text, time, title } of items) {
    if (title === undefined) await service.memory({ DomainName, Text: text, SourceName: 'score', Createdtime: time })
    else await service.uploadText({ DomainName, Text: text, Title: `${title} ${id}`.slice(0, 500), is_stack: true })
  }
  await rooms.learned()
}
