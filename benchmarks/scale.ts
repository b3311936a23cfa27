// Many personas, many processes: messages and uploads a second on both engines, and what a hundred million personas would cost.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { createEmbedder } from '../src/models/embedder.ts'
import { createIndexCache } from '../src/recall/index/cache.ts'
import { openPostgres } from '../src/store/postgres/open.ts'
import { moveStore } from '../src/stores.ts'
import { kill, type Launched, launch } from '../test/launched.ts'
import { ask, type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import { cpuOf, type Figures, load, memoryOf } from './scale/load.ts'
import { ADMIN_KEY, nameOf, questions, seed } from './scale/seed.ts'
import { assumed, type Costs, simulate } from './scale/simulate.ts'

const PERSONAS = 10_000
const MEMORIES_EACH = 10
const PROCESSES = [1, 2, 4]
const RUN_MS = 10_000
const CALLERS_EACH = 8

type Engine = { name: string; settings: Record<string, string>; databasePid: number | undefined }
type Line = { engine: string; processes: number; messages: Figures; uploads: Figures }

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-scale-'))
  const database = await startPostgres({ fsync: 'on', shared_buffers: '512MB', max_wal_size: '4GB' })
  try {
    const file = join(folder, 'memoir.db')
    const key = await timed('seeding', () => seed(file, PERSONAS, MEMORIES_EACH))
    const sqliteBytes = statSync(file).size / PERSONAS
    const databaseSettings = { MEMOIR_DATABASE_URL: database.url }
    const [from, to] = [readConfig({ MEMOIR_DATA: folder }), readConfig(databaseSettings)]
    const moving = performance.now()
    const moved = await timed('moving', () => moveStore(from, to, () => {}))
    const movedRows = moved.reduce((sum, { rows }) => sum + rows, 0) / ((performance.now() - moving) / 1000)
    await ask(database.url, 'vacuum analyze')
    const [{ bytes }] = await ask(database.url, 'select pg_database_size(current_database())::float8 as bytes')
    const hot = await hotCosts(database)

    const engines: Engine[] = [
      { name: 'SQLite', settings: { MEMOIR_DATA: folder }, databasePid: undefined },
      {
        name: 'PostgreSQL',
        settings: { ...databaseSettings, MEMOIR_DATA: join(folder, 'uploads') },
        databasePid: database.pid(),
      },
    ]
    const lines: Line[] = []
    for (const processes of PROCESSES) for (const engine of engines) lines.push(await measure(engine, processes, key))
    const learning = await learnCosts(engines[1]!, database)
    const one = lines.find(({ engine, processes }) => engine === 'PostgreSQL' && processes === 1)!
    const costs: Costs = {
      bytes: bytes / PERSONAS,
      ...hot,
      messageCpuMs: one.messages.cpuMs,
      messageDatabaseCpuMs: one.messages.databaseCpuMs,
      uploadCpuMs: one.uploads.cpuMs,
      uploadDatabaseCpuMs: one.uploads.databaseCpuMs,
      learnCpuMs: learning.cpuMs,
    }
    return report(lines, costs, { sqliteBytes, movedRows, learnRate: learning.rate })
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

// Only answering: learning would take the CPU that is to be measured, and is measured after it.
async function measure(engine: Engine, processes: number, key: string): Promise<Line> {
  const env = {
    ...engine.settings,
    MEMOIR_ADMIN_KEY: ADMIN_KEY,
    MEMOIR_RATE_LIMIT: '0',
    MEMOIR_ROLE: 'serve',
    MEMOIR_READER: '0',
  }
  const running: Launched[] = []
  for (let n = 0; n < processes; n++) running.push(await launch(env))
  const target = {
    urls: running.map(({ url }) => url),
    key,
    pids: running.map(({ child }) => child.pid!),
    databasePid: engine.databasePid,
  }
  const persona = () => nameOf(Math.floor(Math.random() * PERSONAS))
  const message = (n: number) => ({
    path: '/v1/message',
    body: { DomainName: persona(), Text: questions[n % questions.length] },
  })
  const upload = (n: number) => ({
    path: '/v1/memory',
    body: { DomainName: persona(), Text: `Note ${n}: the ferry was late again.`, SourceName: 'bench' },
  })
  const callers = CALLERS_EACH * processes
  await load(target, { callers, ms: 3_000 }, message)
  const messages = await load(target, { callers, ms: RUN_MS }, message)
  const uploads = await load(target, { callers, ms: RUN_MS }, upload)
  console.error(engine.name, processes, messages, uploads, `${Math.round(memoryOf(target.pids[0]!) / 2 ** 20)} MiB`)
  await Promise.all(running.map((one) => kill(one, 'SIGTERM')))
  return { engine: engine.name, processes, messages, uploads }
}

async function hotCosts({ url }: PostgresServer): Promise<{ hotBytes: number; coldMs: number }> {
  const store = await openPostgres(url)
  const { name, dimensions, close } = createEmbedder()
  const indexes = createIndexCache({ store, embedder: { name, dimensions } }, 1_024)
  const personas = (await store.personas.list()).slice(0, 500)
  for (const { id } of personas.slice(0, 100)) await indexes.use(id, () => {})
  const [before, held] = [process.cpuUsage(), indexes.bytes()]
  for (const { id } of personas.slice(100)) await indexes.use(id, () => {})
  const { user, system } = process.cpuUsage(before)
  const costs = { hotBytes: (indexes.bytes() - held) / 400, coldMs: (user + system) / 1000 / 400 }
  await store.close()
  await close()
  return costs
}

// What the uploads above left to learn, for a while, by one process.
async function learnCosts(engine: Engine, { url }: PostgresServer): Promise<{ rate: number; cpuMs: number }> {
  const waiting = async () =>
    (await ask(url, `select count(*)::int as n from documents where state in ('waiting', 'reading')`))[0].n as number
  const one = await launch({ ...engine.settings, MEMOIR_ADMIN_KEY: ADMIN_KEY, MEMOIR_ROLE: 'learn' })
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const [before, cpu, began] = [await waiting(), cpuOf([one.child.pid!]), performance.now()]
  for (let waited = 0; waited < 2 * RUN_MS && (await waiting()) > 0; waited += 500)
    await new Promise((resolve) => setTimeout(resolve, 500))
  const learned = Math.max(1, before - (await waiting()))
  const figures = {
    rate: learned / ((performance.now() - began) / 1000),
    cpuMs: (cpuOf([one.child.pid!]) - cpu) / learned,
  }
  await kill(one, 'SIGTERM')
  return figures
}

function report(lines: Line[], costs: Costs, { sqliteBytes, movedRows, learnRate }: Record<string, number>): string {
  const simulated = simulate(costs)
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  const figures = ({ rate, medianMs, slowMs, cpuMs, databaseCpuMs }: Figures) =>
    `${whole(rate)} | ${medianMs.toFixed(1)} / ${slowMs.toFixed(1)} | ${cpuMs.toFixed(1)} + ${databaseCpuMs.toFixed(1)}`
  const table = (what: 'messages' | 'uploads') => [
    '| engine | processes | a second | ms, median / 95 % | CPU ms each: Memoir + database |',
    '|---|---|---|---|---|',
    ...lines.map((line) => `| ${line.engine} | ${line.processes} | ${figures(line[what])} |`),
  ]
  const failed = lines.reduce((sum, { messages, uploads }) => sum + messages.failed + uploads.failed, 0)
  return [
    '# Scale',
    '',
    `On ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}; callers, Memoir and PostgreSQL 18 share them.`,
    `${whole(PERSONAS)} personas with ${MEMORIES_EACH} memories each, asked at random, ${CALLERS_EACH} callers for each process without a`,
    'pause, `MEMOIR_ROLE=serve`, `MEMOIR_READER=0`. PostgreSQL syncs every commit (`fsync=on`). ' +
      `${failed} requests failed.`,
    '',
    '## Messages',
    '',
    ...table('messages'),
    '',
    '## Uploads (memories acknowledged, not yet learned)',
    '',
    ...table('uploads'),
    '',
    '## One persona',
    '',
    '| | |',
    '|---|---|',
    `| bytes in PostgreSQL / SQLite | ${whole(costs.bytes)} / ${whole(sqliteBytes!)} |`,
    `| bytes in memory while it is hot | ${whole(costs.hotBytes)} |`,
    `| loading it into memory, ms of CPU | ${costs.coldMs.toFixed(1)} |`,
    `| learning one memory, ms of CPU | ${costs.learnCpuMs.toFixed(1)} (${whole(learnRate!)} a second by one process) |`,
    `| rows moved from SQLite to PostgreSQL, and compared, a second | ${whole(movedRows!)} |`,
    '',
    '## A hundred million personas, simulated',
    '',
    `Assumed: ${100 * assumed.activeADay} % are active a day, with ${assumed.messagesEach} messages and ${assumed.memoriesEach} new memories each; ${100 * assumed.busiestHour} % of a day falls into its busiest hour;`,
    `the n-th most asked is asked in proportion to 1/n; a core is busy to ${100 * assumed.busyAtMost} % at most, and serves one process with ${assumed.cacheMib} MiB for hot`,
    'personas. Everything else is measured above, in this run.',
    '',
    '| | |',
    '|---|---|',
    `| in the busiest hour, a second | ${whole(simulated.messages)} messages, ${whole(simulated.memories)} new memories |`,
    `| questions that find their persona in memory | ${(100 * simulated.found.atHome).toFixed(0)} % if a balancer keeps personas to processes, ${(100 * simulated.found.anywhere).toFixed(0)} % if not |`,
    `| processes that answer | ${whole(simulated.processes)} if it does, ${whole(simulated.processesAnywhere)} if not |`,
    `| processes that learn | ${whole(simulated.learners)} |`,
    `| bytes in the database | ${(simulated.bytes / 1e12).toFixed(1)} TB, ${((simulated.bytes * assumed.copies) / 1e12).toFixed(1)} TB in ${assumed.copies} copies |`,
    `| cores of databases | ${whole(simulated.databaseCores)} |`,
    `| PostgreSQL nodes of ${assumed.coresOfADatabase} cores and ${assumed.bytesOfADatabase / 1e12} TB | ${whole(simulated.databases)}, and their copies |`,
  ].join('\n')
}

async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await act()
  console.error(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}
