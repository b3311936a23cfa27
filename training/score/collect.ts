// What the service would answer to each question, whatever its score, with the features of that answer and whether it is
// right: kept so that the score can be fitted again and again.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createKeptEmbedder } from '../../benchmarks/recall/kept-embedder.ts'
import { createKeptReader } from '../../benchmarks/recall/kept-reader.ts'
import { isRight } from '../../benchmarks/reply/right.ts'
import { isUnseen, type SetName, setNames, sets } from '../../benchmarks/reply/sets.ts'
import { loadJudge, type TalkPersona, talkPersonas } from '../../benchmarks/talk/personas.ts'
import { readConfig } from '../../src/config.ts'
import { ownerKey } from '../../src/domain/access.ts'
import { type Turn, understand } from '../../src/language/language.ts'
import { createIndexCache } from '../../src/recall/index/cache.ts'
import { createRerank } from '../../src/recall/rerank.ts'
import { hearMessage } from '../../src/reply/hear.ts'
import { findAnswer } from '../../src/reply/memory/find-answer.ts'
import { createOccasion, searchFor } from '../../src/reply/responder.ts'
import { openRooms } from '../../src/start.ts'
import type { Row } from './row.ts'

// node training/score/collect.ts OUT SET [EVERY] [unread]: SET is a public set, `talk`, or a file of written personas (training/reader/talk.py
// --held-out); EVERY 3 asks every third conversation.
const [out = 'made', set = 'talk', every = '1', how] = process.argv.slice(2)

type Asked = {
  text: string
  before: Turn[]
  kind: string
  group: string
  isRight(reply: string): boolean
  answerable: boolean
}
type Persona = {
  name: string
  items: { text: string; time?: string | undefined; title?: string | undefined }[]
  conversations: Asked[][]
}

const isPublic = (setNames as readonly string[]).includes(set)
const name = basename(set, '.json')
const rows: Row[] = []
const folder = mkdtempSync(join(tmpdir(), 'memoir-score-'))
const embedder = createKeptEmbedder(name)
const reader = how === 'unread' ? undefined : createKeptReader(name)
const rooms = await openRooms(readConfig({ MEMOIR_DATA: folder, MEMOIR_LOG: 'error', MEMOIR_READER: '0' }), {
  embedder: { ...embedder, close: async () => {} },
})
const indexes = createIndexCache({ store: rooms.store, embedder }, 1024)
const needs = { store: rooms.store, embedder, indexes, reader, rerank: reader && createRerank(reader) }
for (const [number, persona] of (await personasOf()).entries()) await collect(`p-${number}`, persona)
mkdirSync(out, { recursive: true })
writeFileSync(join(out, `${name}${how ? '-unread' : ''}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
console.error(name, rows.length, 'answers,', rows.filter(({ right }) => right).length, 'right')
await rooms.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)

async function collect(DomainName: string, { name: called, items, conversations }: Persona): Promise<void> {
  await rooms.app.admin({ key: ownerKey, requestId: 'score' }).createPersona({ domain_name: DomainName, name: called })
  const service = rooms.app.as({ key: ownerKey, requestId: 'score' })
  for (const { text, time, title } of items)
    if (title === undefined) await service.memory({ DomainName, Text: text, SourceName: 'score', Createdtime: time })
    else
      await service.uploadText({ DomainName, Text: text, Title: title.slice(0, 500), StartTime: time, is_stack: true })
  await rooms.learned()
  const persona = (await rooms.store.personas.byDomainName(DomainName))!
  for (const [at, turns] of conversations.entries()) {
    if (at % Number(every) !== 0) continue
    const said: Turn[] = []
    for (const turn of turns) {
      const message = understand(await hearMessage(needs, persona, turn.text), { before: [...turn.before, ...said] })
      const occasion = createOccasion(needs, persona, { message }, searchFor(needs, message))
      const { answer, scored } = await findAnswer(occasion)
      const reply = answer?.text ?? ''
      said.push({ role: 'user', text: turn.text }, { role: 'ai', text: reply })
      if (!answer || message.smallTalk) continue
      const { group, kind, text, answerable } = turn
      rows.push({ set: name, group, kind, text, reply, ...scored, right: turn.isRight(reply), answerable })
      if (rows.length % 100 === 0) console.error(name, rows.length)
    }
  }
}

async function personasOf(): Promise<Persona[]> {
  if (isPublic) return publicPersonas(set as SetName)
  const judge = await loadJudge()
  const personas: TalkPersona[] = set === 'talk' ? talkPersonas() : JSON.parse(readFileSync(set, 'utf8'))
  return personas.map(({ name: called, domain, documents, memories, conversations }) => ({
    name: called,
    items: [...documents, ...memories],
    conversations: conversations.map((turns) =>
      turns.map(({ q, kind, gold, not }) => ({
        text: q,
        before: [],
        kind,
        group: domain,
        answerable: gold.length > 0,
        isRight: (reply: string) => judge({ gold, ...(not && { not }) }, reply).told,
      })),
    ),
  }))
}

function publicPersonas(one: SetName): Persona[] {
  return sets[one]().map(({ items, questions }, at) => ({
    name: 'Score',
    items: items.map(({ id, text, time, title }) => ({
      text,
      time,
      title: title === undefined ? title : `${title} ${id}`,
    })),
    conversations: questions
      .filter(({ kind }) => isUnseen(one, kind))
      .map(({ text, before, golds, answerable, kind }) => [
        {
          text,
          before,
          kind,
          group: one === 'locomo' || one === 'beam100k' ? `chat ${at}` : kind, // else the article or the collection
          answerable,
          isRight: (reply: string) => isRight(reply, { golds, answerable }),
        },
      ]),
  }))
}
