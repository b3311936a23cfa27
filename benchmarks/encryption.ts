// What encryption at rest costs: the same work on a plain and on an encrypted data folder, in turns in one run.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../src/ports/store.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import {
  batch,
  memoryOf,
  someDocument,
  someMessage,
  somePersona,
  someReply,
  traceOf,
} from '../src/store/suite-things.ts'

const MEMORIES = 2_000
const MESSAGES = 300
const ROUNDS = 3
const EMBEDDER = 'test'
const VECTOR_BYTES = 384

type Work = { name: string; run(store: Store, personaId: number): Promise<void> }

const works: Work[] = [
  { name: `learn a document of ${MEMORIES} memories`, run: learn },
  { name: 'read all that recall needs of it', run: readTraces },
  { name: `record ${MESSAGES} messages with their replies`, run: converse },
  { name: 'search in all messages', run: search },
]

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-encryption-'))
  const files = { plain: join(folder, 'plain.db'), encrypted: join(folder, 'encrypted.db') }
  const stores = [await openSqlite(files.plain), await openSqlite(files.encrypted, { ownerKey: randomBytes(32) })]
  const times = works.map(() => stores.map((): number[] => []))
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const personas = await Promise.all(stores.map(newPersona))
      for (const [at, work] of works.entries())
        for (const [which, store] of stores.entries())
          times[at]![which]!.push(await cpuMs(() => work.run(store, personas[which]!)))
    }
    for (const store of stores) await store.compact()
    return report(times, statSync(files.encrypted).size / statSync(files.plain).size)
  } finally {
    for (const store of stores) await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newPersona(store: Store): Promise<number> {
  const persona = somePersona()
  await store.personas.create(persona)
  return persona.id
}

async function learn(store: Store, personaId: number): Promise<void> {
  const text = 'A sentence of some length that one memory holds, and then another one.'
  await store.documents.add(someDocument(personaId, { text: text.repeat(100) }))
  const [claim] = await store.work.claim(new Date(), batch)
  const { title, startTime } = claim!.document
  const memories = Array.from({ length: MEMORIES }, (_, n) => memoryOf(claim!, `${n}: ${text}`, n))
  const traces = memories.map((memory) => ({ ...traceOf(memory.text), vector: randomBytes(VECTOR_BYTES) }))
  await store.work.finish(claim!, { text, title, startTime, memories, traces })
}

async function readTraces(store: Store, personaId: number): Promise<void> {
  for (let after = 0; ; ) {
    const page = await store.traces.page(personaId, EMBEDDER, { after, limit: 500 })
    if (page.length === 0) return
    after = page.at(-1)!.number
  }
}

async function converse(store: Store, personaId: number): Promise<void> {
  for (let n = 0; n < MESSAGES; n++) {
    const messages = [someMessage(personaId, `Where is lamp ${n}?`), someMessage(personaId, `In room ${n}.`)]
    await store.conversations.record({ messages, reply: someReply(personaId) })
  }
}

async function search(store: Store, personaId: number): Promise<void> {
  await store.conversations.search(personaId, 'nowhere', { limit: 50 })
}

// Of the process: the machine may have more to do in one moment than in another.
async function cpuMs(act: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function report(times: number[][][], size: number): string {
  const median = (of: number[]) => of.toSorted((one, two) => one - two)[Math.floor(of.length / 2)]!
  const rows = works.map(({ name }, at) => {
    const [plain, encrypted] = times[at]!.map(median) as [number, number]
    return `| ${name} | ${plain.toFixed(0)} | ${encrypted.toFixed(0)} | ${(encrypted / plain).toFixed(1)} |`
  })
  return `# What encryption at rest costs

CPU time of the store alone, median of ${ROUNDS} rounds, plain and encrypted in turns in one run of
\`npm run bench -- encryption\` on ${new Date().toISOString().slice(0, 10)}. The models take far more than the store.

| | plain, ms | encrypted, ms | ratio |
|---|---|---|---|
${rows.join('\n')}

The encrypted file is ${size.toFixed(2)} times as large.`
}
