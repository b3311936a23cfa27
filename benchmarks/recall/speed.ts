// Speed and memory on made-up personas: CPU time of a recall beyond embedding the question, loading, and bytes a cached memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Persona } from '../../src/domain/persona.ts'
import { queryFor } from '../../src/language/language.ts'
import type { Embedder } from '../../src/ports/models.ts'
import type { Store } from '../../src/ports/store.ts'
import { createArena } from '../../src/recall/index/arena.ts'
import { createIndexCache } from '../../src/recall/index/cache.ts'
import { createVectors, toBytes } from '../../src/recall/index/vectors.ts'
import { limits } from '../../src/recall/limits.ts'
import { recall } from '../../src/recall/recall.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { fillStore, questionText, randomVector } from './made-up.ts'

const DIMENSIONS = 384
const AIM_MS = new Map([
  [1_000, 2],
  [10_000, 4],
  [100_000, 12],
  [1_000_000, 80],
])

export async function measureSpeed(): Promise<string[]> {
  const sizes = [...AIM_MS.keys()].filter((size) => size <= Number(process.env.MEMOIR_BENCH_LARGEST ?? 1_000_000))
  const rows: string[] = []
  for (const size of sizes) {
    rows.push(await onePersona(size))
    console.error(rows.at(-1))
  }
  return [
    '## Speed and memory, made-up chat turns of about 24 words',
    '',
    '| memories | CPU ms a recall (aim) | vector part at most, CPU ms | sqlite-vec, CPU ms | times cheaper (aim 8) | cold load / reading the rows (aim 3) | bytes a memory: counted / growth of the process, pages of the database it maps included (aim 700) |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(await manyPersonas(Number(process.env.MEMOIR_BENCH_PERSONAS ?? 10_000), 100)),
  ]
}

async function onePersona(size: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-speed-'))
  const store = await openSqlite(join(folder, 'memoir.db'))
  try {
    fillStore(join(folder, 'memoir.db'), 1, size)
    const reading = await cpuMs(1, () => readRows(store, 1))
    globalThis.gc?.()
    const before = memoryOfProcess()
    const indexes = createIndexCache({ store, embedder }, 3_000)
    const loading = await cpuMs(1, () => indexes.use(1, () => {}))
    globalThis.gc?.()
    const bytes = (memoryOfProcess() - before) / size
    const own = indexes.bytes() / size
    const times = size >= 1_000_000 ? 10 : 30
    const ask = (at: number) => recall({ store, embedder, indexes }, persona(1), queryFor(questionText(at)))
    await cpuMs(times, ask) // until the code is warm
    const asking = await cpuMs(times, ask)
    const cosines = await cosinesMs(size)
    const other = size > 100_000 ? null : await sqliteVecMs(size)
    return `| ${size} | ${asking.toFixed(1)} (${AIM_MS.get(size)}) | ${cosines.toFixed(2)} | ${other === null ? '–' : other.toFixed(1)} | ${other === null ? '–' : (other / cosines).toFixed(1)} | ${loading.toFixed(0)} / ${reading.toFixed(0)} ms = ${(loading / reading).toFixed(1)} | ${own.toFixed(0)} / ${bytes.toFixed(0)} |`
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function manyPersonas(personas: number, each: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-speed-'))
  const store = await openSqlite(join(folder, 'memoir.db'))
  const settingMib = 64
  try {
    fillStore(join(folder, 'memoir.db'), personas, each)
    const indexes = createIndexCache({ store, embedder }, settingMib)
    const ask = (id: number) => recall({ store, embedder, indexes }, persona(id), queryFor(questionText(id)))
    for (let at = 0; at < 20; at++) await ask(1)
    const alone = await cpuMs(100, () => ask(1))
    const cold = await cpuMs(500, (at) => ask(1 + ((at * 7919) % personas)))
    let most = 0
    for (let id = 1; id <= personas; id += 5) {
      await indexes.use(id, () => {})
      most = Math.max(most, indexes.bytes())
    }
    await ask(personas)
    const among = await cpuMs(100, () => ask(personas))
    return [
      `${personas} personas of ${each} memories, setting ${settingMib} MiB: a recall of one persona costs ${alone.toFixed(2)} ms CPU alone, ` +
        `${among.toFixed(2)} ms after ${personas / 5} others were used, ${cold.toFixed(2)} ms when the persona has to be loaded first; ` +
        `the cached indexes never held more than ${(most / 1024 / 1024).toFixed(1)} MiB (${indexes.personas()} personas at the end).`,
    ]
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// Every row as the store gives it, and nothing done with it.
async function readRows(store: Store, personaId: number): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await store.traces.page(personaId, embedder.name, { after, limit: limits.loadRows })
    if (rows.length < limits.loadRows) return
    after = rows.at(-1)!.number
  }
}

// The cosine of every row with a question, none ruled out before: the most that the vectors can cost.
async function cosinesMs(size: number): Promise<number> {
  const vectors = createVectors(createArena({ isQuick: false }), DIMENSIONS)
  const made = Array.from({ length: 5_000 }, (_, seed) => toBytes(randomVector(seed)))
  for (let row = 0; row < size; row++) vectors.add(made[row % 5_000]!)
  const ask = (at: number) => {
    vectors.ask(questions[at % questions.length]!)
    for (let first = 0; first < size; first += vectors.blockRows) vectors.bounds(first)
  }
  await cpuMs(size > 10_000 ? 5 : 200, ask) // until the code is warm
  return cpuMs(size >= 1_000_000 ? 10 : 50, ask)
}

// Null where sqlite-vec is not installed.
async function sqliteVecMs(size: number): Promise<number | null> {
  const vec = await import('sqlite-vec').catch(() => null)
  if (!vec) return null
  const db = new DatabaseSync(':memory:', { allowExtension: true })
  vec.load(db as never)
  db.exec(`create virtual table v using vec0(embedding float[${DIMENSIONS}])`)
  const insert = db.prepare('insert into v (rowid, embedding) values (?, ?)')
  db.exec('begin')
  for (let row = 0; row < size; row++)
    insert.run(BigInt(row + 1), new Uint8Array(randomVector(row % 5_000).slice().buffer))
  db.exec('commit')
  const find = db.prepare('select rowid, distance from v where embedding match ? order by distance limit 60')
  const ask = (at: number) => find.all(new Uint8Array(questions[at]!.slice().buffer))
  await cpuMs(2, ask)
  const ms = await cpuMs(10, ask)
  db.close()
  return ms
}

const questions = Array.from({ length: 100 }, (_, seed) => randomVector(seed))

// The question's vector costs nothing here: what embedding costs is the model's business.
const embedder: Embedder = {
  name: 'made-up',
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map((text) => questions[text.length % questions.length]!),
  close: async () => {},
}

const persona = (id: number) => ({ id, domainName: `p${id}`, name: 'P' }) as Persona

const memoryOfProcess = () => process.memoryUsage().rss

// The mean over some times of what one costs this process, all threads together.
async function cpuMs(times: number, act: (at: number) => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < times; at++) await act(at)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}
