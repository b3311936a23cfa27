// Backing up while the service answers: how fast against a plain copy of the same bytes, and what callers notice.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/domain/id.ts'
import { start } from '../src/start.ts'
import { someDocument } from '../src/store/suite-things.ts'

const ADMIN_KEY = 'admin-key-of-the-benchmark'
const FILES = Number(process.env.BENCH_FILES ?? 400)
const FILE_BYTES = 2 ** 20
const PIECE_BYTES = 256 * 1024
const ROUNDS = 3
const QUIET_MESSAGES = 30 // at least, however slow the machine is
const MiB = 2 ** 20

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-keep-'))
  const config = readConfig({ MEMOIR_DATA: folder, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_RATE_LIMIT: '0' })
  const running = await start(config)
  try {
    await setAdminKey(running.store, ADMIN_KEY)
    const ask = await prepare(running.url, running.store)
    const database = join(folder, 'memoir.db')
    await running.store.compact() // so that the file holds everything, and nothing else
    const bytes = statSync(database).size
    const target = join(folder, 'target')
    const rounds = []
    // Both in each round, for the machine may have more to do in one than in another.
    for (let round = 0; round < ROUNDS; round++) {
      const copyMs = await timed(() => write(createReadStream(database, { highWaterMark: MiB }), target))
      const quiet = await latencies(ask, pause(Math.max(2_000, copyMs)), QUIET_MESSAGES)
      let backupMs = 0
      const backup = timed(() => download(running.url, target)).then((ms) => {
        backupMs = ms
      })
      const busy = await latencies(ask, backup)
      rounds.push({ copyMs, backupMs, quiet, busy })
    }
    return report(bytes, statSync(target).size, rounds)
  } finally {
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Running = Awaited<ReturnType<typeof start>>
type Round = { copyMs: number; backupMs: number; quiet: number[]; busy: number[] }

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

async function download(url: string, target: string): Promise<void> {
  const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/admin/backup`, { method: 'POST', headers, body: '{}' })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await write(Readable.fromWeb(answer.body as never), target)
}

// To the disk, not to its cache alone.
async function write(from: Readable, target: string): Promise<void> {
  await pipeline(from, createWriteStream(target))
  const file = await open(target, 'r+')
  await file.sync().finally(() => file.close())
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

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const quantile = (values: number[], share: number): number =>
  values.toSorted((one, two) => one - two)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const median = (values: number[]): number => quantile(values, 0.5)

function report(bytes: number, backupBytes: number, rounds: Round[]): string {
  const rows = rounds.map(({ copyMs, backupMs, quiet, busy }, at) => {
    const speed = (ms: number) => (bytes / MiB / (ms / 1000)).toFixed(0)
    const times = [quiet, busy].flatMap((some) => [0.5, 0.95].map((share) => quantile(some, share).toFixed(1)))
    return `| ${at + 1} | ${speed(copyMs)} | ${speed(backupMs)} | ${times.join(' | ')} |`
  })
  const share = median(rounds.map(({ copyMs, backupMs }) => copyMs / backupMs))
  const slower = (of: number) => median(rounds.map(({ quiet, busy }) => quantile(busy, of) / quantile(quiet, of)))
  return `# Backing up while the service answers

A data folder of ${Math.round(bytes / MiB)} MiB, half of it text, is backed up through \`POST /admin/backup\` while one caller asks
without a pause; the backup has ${Math.round(backupBytes / MiB)} MiB. A plain copy of the same file to the same disk, synced as the backup is,
and the same questions without a backup are measured in each round. ${availableParallelism()} cores, shared with other work: the ratios count.

| round | copy, MiB/s | backup, MiB/s | quiet: p50, ms | p95 | meanwhile: p50, ms | p95 |
|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

- A backup runs at **${(share * 100).toFixed(0)} %** of the speed of a copy (aim: 60 %).
- A message takes **${slower(0.5).toFixed(2)} times** as long meanwhile at the median (aim: 1.5), ${slower(0.95).toFixed(2)} times at the 95th percentile.
`
}
