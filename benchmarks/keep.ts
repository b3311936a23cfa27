// Backing up while the service answers: how fast against a plain copy of the same bytes, and what callers notice.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/domain/id.ts'
import { start } from '../src/start.ts'
import { someDocument } from '../src/store/suite-things.ts'
import type { Taken } from './keep/taker.ts'

const ADMIN_KEY = 'admin-key-of-the-benchmark'
const FILES = Number(process.env.BENCH_FILES ?? 1_000) // so that what a start takes is a small part
const FILE_BYTES = 2 ** 20
const PIECE_BYTES = 256 * 1024
const ROUNDS = 3
const QUIET_MS = 3_000
const QUIET_MESSAGES = 30 // at least, however slow the machine is
const MiB = 2 ** 20

export async function run(): Promise<string> {
  const [load] = loadavg() as [number, number, number] // of others, who would take from a backup first
  const folder = mkdtempSync(join(tmpdir(), 'memoir-keep-'))
  const config = readConfig({ MEMOIR_DATA: folder, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_RATE_LIMIT: '0' })
  const running = await start(config)
  const { take, stop } = await startTaker()
  try {
    await setAdminKey(running.store, ADMIN_KEY)
    const ask = await prepare(running.url, running.store)
    const database = join(folder, 'memoir.db')
    await running.store.compact() // so that the file holds everything, and nothing else
    const bytes = statSync(database).size
    const target = join(folder, 'target')
    const rounds: Round[] = []
    const copy = () => take({ file: database, target })
    const backup = () => take({ data: folder, target })
    const download = () => take({ url: `${running.url}/admin/backup`, key: ADMIN_KEY, target })
    // All in each round, for the machine may have more to do in one than in another.
    for (let round = 0; round < ROUNDS; round++) {
      const copyMs = await copy()
      const before = process.cpuUsage()
      const downloadMs = await download()
      const { user, system } = process.cpuUsage(before)
      const alone = { copyMs, backupMs: await backup() }
      const quiet = await latencies(ask, pause(QUIET_MS), QUIET_MESSAGES)
      const copied = await meanwhile(ask, copy)
      const backedUp = await meanwhile(ask, backup)
      const asked = { copyMs: copied.ms, backupMs: backedUp.ms }
      rounds.push({
        alone,
        downloadMs,
        cpuMs: (user + system) / 1000,
        asked,
        quiet,
        beside: { copy: copied.took, backup: backedUp.took },
      })
    }
    return report(bytes, statSync(target).size, rounds, load)
  } finally {
    stop()
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Running = Awaited<ReturnType<typeof start>>
type Times = { copyMs: number; backupMs: number }
type Round = {
  alone: Times
  downloadMs: number
  cpuMs: number
  asked: Times
  quiet: number[]
  beside: { copy: number[]; backup: number[] }
}

// A persona that answers, and another with files: half of their bytes like text, half like what is compressed already.
async function prepare(url: string, store: Running['store']): Promise<() => Promise<void>> {
  const call = async (path: string, body: object, key = ADMIN_KEY) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
  for (const domain_name of ['ada-l', 'archive']) await call('/admin/personas', { domain_name, name: 'Ada' })
  const { key } = await call('/admin/keys', { personas: ['ada-l'] })
  for (let n = 0; n < 200; n++) {
    const Text = `In the year ${1800 + n} the harbour of town ${n} was repaired for ${n * 7} pounds.`
    await call('/v1/memory', { DomainName: 'ada-l', Text, SourceName: 'benchmark' }, key)
  }
  const { id } = (await store.personas.byDomainName('archive'))!
  const words = 'the harbour was repaired in that year and the lighthouse shone again over the quiet bay '.split(' ')
  for (let n = 0; n < FILES; n++) {
    const document = someDocument(id, { id: newId(), kind: 'file', state: 'ready', fileBytes: FILE_BYTES })
    await store.documents.add(document, { file: n % 2 ? () => noise() : () => prose(words) })
  }
  let asked = 0
  return async () => {
    const Text = `What was repaired in ${1800 + (asked++ % 200)}?`
    await call('/v1/message', { DomainName: 'ada-l', Text }, key)
  }
}

async function* noise(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < FILE_BYTES; at += PIECE_BYTES) yield randomBytes(PIECE_BYTES)
}

async function* prose(words: string[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < FILE_BYTES; at += PIECE_BYTES) {
    let text = ''
    while (text.length < PIECE_BYTES) text += `${words[Math.floor(Math.random() * words.length)]} `
    yield Buffer.from(text.slice(0, PIECE_BYTES))
  }
}

type Take = (what: Taken) => Promise<number>

// How many milliseconds it took, as measured there.
async function startTaker(): Promise<{ take: Take; stop(): void }> {
  const child = fork(new URL('./keep/taker.ts', import.meta.url))
  child.once('exit', (code) => code && process.exit(code))
  await once(child, 'message')
  const take = async (what: Taken) => {
    child.send(what)
    return ((await once(child, 'message')) as [number])[0]
  }
  return { take, stop: () => child.kill() }
}

async function latencies(ask: () => Promise<void>, until: Promise<unknown>, least = 1): Promise<number[]> {
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  const took: number[] = []
  while (!isOver || took.length < least) took.push(await timed(ask))
  await over
  return took
}

async function meanwhile(ask: () => Promise<void>, act: () => Promise<number>) {
  const acting = act()
  const took = await latencies(ask, acting)
  return { ms: await acting, took }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const quantile = (values: number[], share: number): number =>
  values.toSorted((one, two) => one - two)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const median = (values: number[]): number => quantile(values, 0.5)

function report(bytes: number, backupBytes: number, rounds: Round[], load: number): string {
  const speed = (ms: number) => (bytes / MiB / (ms / 1000)).toFixed(0)
  const rows = rounds.map(({ alone, downloadMs, asked, quiet, beside }, at) => {
    const took = [alone.copyMs, alone.backupMs, downloadMs, asked.copyMs, asked.backupMs]
    const speeds = took.map(speed)
    const times = [quiet, beside.copy, beside.backup].flatMap((some) =>
      [0.5, 0.95].map((share) => quantile(some, share).toFixed(0)),
    )
    return `| ${[at + 1, ...speeds, ...times].join(' | ')} |`
  })
  const share = (of: (round: Round) => Times) =>
    (median(rounds.map((round) => of(round).copyMs / of(round).backupMs)) * 100).toFixed(0)
  const slower = (beside: 'copy' | 'backup', at: number) =>
    median(rounds.map((round) => quantile(round.beside[beside], at) / quantile(round.quiet, at))).toFixed(2)
  const download = share(({ alone, downloadMs }) => ({ ...alone, backupMs: downloadMs }))
  const seconds = ((median(rounds.map(({ cpuMs }) => cpuMs)) / bytes) * (2 ** 30 / 1000)).toFixed(1)
  return `# Backing up while the service answers

A data folder of ${Math.round(bytes / MiB)} MiB, half of it text, is backed up by \`memoir backup FILE\`: by itself, and while one caller asks
the service without a pause. The file has ${Math.round(backupBytes / MiB)} MiB. Beside it a download of the same (\`POST /admin/backup\`), and a plain copy
of the database to the same disk; all of them synced, the command's start included. ${availableParallelism()} cores, on which all of this runs: a
caller that never pauses keeps both busy, and the threads of a backup have a lower priority. When it began,
${load.toFixed(1)} threads of others wanted a core. Speeds are MiB of the data folder a second, times are milliseconds.

| round | copy | backup | download | copy, asked | backup, asked | message: p50 | p95 | during a copy: p50 | p95 | during a backup: p50 | p95 |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

- A backup runs at **${share(({ alone }) => alone)} %** of the speed of a copy (aim: 60 %), a download at ${download} %; a backup while messages
  are answered without a pause at ${share(({ asked }) => asked)} %.
- For a download the service needs ${seconds} s of processor time a GiB, what it takes to send it included.
- A message takes **${slower('backup', 0.5)} times** as long during a backup at the median (aim: 1.5), ${slower('backup', 0.95)} times at the 95th
  percentile; during a copy ${slower('copy', 0.5)} and ${slower('copy', 0.95)} times.
`
}
