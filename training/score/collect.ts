// What recall and the reader find for each public question, kept so that the score can be fitted again and again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeptEmbedder } from '../../benchmarks/recall/kept-embedder.ts'
import { isUnseen, type SetName, setNames, sets, type Taught } from '../../benchmarks/reply/sets.ts'
import { readConfig } from '../../src/config.ts'
import { ownerKey } from '../../src/domain/access.ts'
import { limits } from '../../src/domain/limits.ts'
import { createReader } from '../../src/models/reader.ts'
import { createHot } from '../../src/recall/hot.ts'
import { completed } from '../../src/recall/question.ts'
import { recall } from '../../src/recall/recall.ts'
import { createSecondLook, type SecondLook } from '../../src/recall/second-look.ts'
import { lookCloser } from '../../src/reply/closer-look.ts'
import { evidenceIn } from '../../src/reply/evidence.ts'
import { openRooms } from '../../src/start.ts'

// node training/score/collect.ts OUT [SET] [EVERY]: EVERY 3 asks every third question.
const [out = 'made', only, every = '1'] = process.argv.slice(2)
// A second look of the same size on every machine, however busy: what a quiet one affords.
const SECOND_LOOK_CHARACTERS = 2_500

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
  const look = createSecondLook(reader, Number.MAX_SAFE_INTEGER)
  const secondLook: SecondLook = async (question, candidates) => {
    const count = affordable(candidates)
    return [...(await look(question, candidates.slice(0, count))), ...candidates.slice(count)]
  }
  const needs = { store: rooms.store, embedder, hot: createHot({ store: rooms.store, embedder }, 1024), secondLook }
  const rows: object[] = []
  try {
    for (const taught of sets[name]()) {
      const DomainName = taught.name.replaceAll(/[^a-z0-9-]/g, '-')
      await teach(rooms, DomainName, taught)
      const persona = (await rooms.store.personas.byDomainName(DomainName))!
      for (const [at, asked] of taught.questions.entries()) {
        if (at % Number(every) !== 0 || !isUnseen(name, asked.kind)) continue
        const recollections = await recall(needs, persona, asked.text, { before: asked.before })
        const question = completed(asked.text, asked.before)
        const [best] = await lookCloser({ reader }, question, evidenceIn(question, recollections))
        rows.push({ ...asked, recollections, closer: best?.closer })
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

function affordable(candidates: Parameters<SecondLook>[1]): number {
  let count = 0
  for (let left = SECOND_LOOK_CHARACTERS; count < candidates.length; count++) {
    left -= candidates[count]!.recollection.memory.text.length
    if (left < 0 && count >= limits.secondLookLeast) break
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
