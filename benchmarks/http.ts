// What the service costs beside bare node:http: CPU a request for the same bytes, and what sharing a sync is worth.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { readConfig } from '../src/config.ts'
import { ownerKey } from '../src/domain/access.ts'
import { start } from '../src/start.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import { walOf } from '../src/store/sqlite/sync.ts'

const ADMIN_KEY = 'admin-key-of-the-benchmark'
const SLOW_SYNC_MS = 4 // what a sync takes on many a disk; added to this machine's own

type Case = { name: string; path: string; body: object; key: string }
type Figures = { rate: number; cpuUs: number; bytes: string }

// The server runs in a process of its own, so that its CPU time is its own.
if (process.argv[2] === 'child') await child(process.argv[3]!)

export async function run(): Promise<string> {
  const memoir = await Server.of('memoir')
  const slow = await Server.of('slow')
  const { key } = memoir.ready as { key: string }
  const cases: Case[] = [
    { name: 'a refused key', path: '/v1/message', body: { DomainName: 'ada-l', Text: 'x' }, key: 'memoir_wrong' },
    { name: 'a history of 20 entries', path: '/v1/conversation', body: { DomainName: 'ada-l', SessionId: 's' }, key },
    {
      name: 'a memory write',
      path: '/v1/memory',
      body: { DomainName: 'ada-l', Text: 'The kettle is blue.', SourceName: 'bench' },
      key,
    },
  ]
  const rows: string[] = []
  for (const one of cases) {
    const bytes = await answerOf(memoir, one)
    const bare = await Server.of('bare', bytes)
    // Twice each, interleaved, the better one: the machine's other work falls on both.
    const ours: Figures[] = []
    const theirs: Figures[] = []
    for (let round = 0; round < 3; round++) {
      theirs.push(await measure(bare, one, 16, 2500))
      ours.push(await measure(memoir, one, 16, 2500))
    }
    const [mine, base] = [least(ours), least(theirs)]
    rows.push(
      `| ${one.name} | ${base.toFixed(0)} | ${mine.toFixed(0)} | **${(mine / base).toFixed(2)}×** | ${one.name.includes('write') ? '–' : '≤ 2.5×'} |`,
    )
    await bare.stop()
  }
  const write = cases[2]!
  const scaling: string[] = []
  for (const [name, server, writeKey] of [
    ['this disk', memoir, key],
    [`a disk whose sync takes ${SLOW_SYNC_MS} ms more`, slow, (slow.ready as { key: string }).key],
  ] as const) {
    const one = await measure(server, { ...write, key: writeKey }, 1, 300)
    const many = await measure(server, { ...write, key: writeKey }, 64, 4000)
    scaling.push(
      `| ${name} | ${one.rate.toFixed(0)} | ${many.rate.toFixed(0)} | **${(many.rate / one.rate).toFixed(1)}×** | ≥ 10× |`,
    )
  }
  await memoir.stop()
  await slow.stop()
  return [
    '# HTTP',
    '',
    'CPU time of the server process a request, against bare `node:http` that reads the body and answers the same bytes, in the same run.',
    '',
    '| request | bare, µs | Memoir, µs | ratio | aim |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'Memory writes a second, each synced before its answer: one caller against 64 at once.',
    '',
    '| | 1 caller | 64 callers | ratio | aim |',
    '|---|---|---|---|---|',
    ...scaling,
    '',
    'Where a sync is quick, one caller is held up by CPU alone, and 64 cannot be ten times as fast: sharing pays where syncs are slow.',
  ].join('\n')
}

const least = (figures: Figures[]): number => Math.min(...figures.map((one) => one.cpuUs))

class Server {
  readonly process: ChildProcess
  ready: unknown
  url = ''
  constructor(process: ChildProcess) {
    this.process = process
  }
  static async of(kind: string, bytes = ''): Promise<Server> {
    const server = new Server(
      fork(import.meta.filename, ['child', kind], { env: { ...process.env, BENCH_BYTES: bytes } }),
    )
    const said = (await server.heard()) as { url: string }
    server.ready = said
    server.url = said.url
    return server
  }
  heard(): Promise<unknown> {
    return new Promise((resolve) => this.process.once('message', resolve))
  }
  async cpuUs(): Promise<number> {
    this.process.send('cpu')
    return (await this.heard()) as number
  }
  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.send('stop')
    await gone
  }
}

async function measure(server: Server, one: Case, callers: number, requests: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const loop = async (count: number) => {
    for (let i = 0; i < count; i++) await send(server.url, one, agent)
  }
  const all = (count: number) => Promise.all(Array.from({ length: callers }, () => loop(Math.ceil(count / callers))))
  await all(requests / 3) // warm
  const before = await server.cpuUs()
  const started = performance.now()
  await all(requests)
  const seconds = (performance.now() - started) / 1000
  const cpuUs = ((await server.cpuUs()) - before) / requests
  agent.destroy()
  return { rate: requests / seconds, cpuUs, bytes: '' }
}

const answerOf = (server: Server, one: Case): Promise<string> => send(server.url, one, new Agent())

function send(url: string, { path, body, key }: Case, agent: Agent): Promise<string> {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'x-api-key': key }
    const sent = request(url + path, { method: 'POST', agent, headers }, (answer) => {
      let answered = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        answered += chunk
      })
      answer.on('end', () => resolve(answered))
    })
    sent.on('error', reject).end(text)
  })
}

async function child(kind: string): Promise<never> {
  const cpu = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  const folder = mkdtempSync(join(tmpdir(), 'memoir-bench-'))
  const close = kind === 'bare' ? await bareServer() : await memoirServer(folder, kind === 'slow')
  process.on('message', async (said) => {
    if (said === 'cpu') process.send!(cpu())
    else {
      await close()
      rmSync(folder, { recursive: true, force: true })
      process.exit(0)
    }
  })
  return new Promise(() => {})
}

async function bareServer(): Promise<() => Promise<void>> {
  const bytes = process.env.BENCH_BYTES!
  const server = createServer((incoming, answer) => {
    incoming
      .on('data', () => {})
      .on('end', () => {
        answer
          .writeHead(200, {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(bytes),
          })
          .end(bytes)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  return async () => void server.close()
}

async function memoirServer(folder: string, isSlow: boolean): Promise<() => Promise<void>> {
  const config = readConfig({ MEMOIR_PORT: '0', MEMOIR_DATA: folder, MEMOIR_RATE_LIMIT: '0', MEMOIR_LOG: 'warn' })
  const slowDisk = async (path: string) => {
    const disk = await walOf(path)
    return { ...disk, sync: () => new Promise((resolve) => setTimeout(resolve, SLOW_SYNC_MS)).then(disk.sync) }
  }
  const running = await start(config, isSlow ? { openStore: (path) => openSqlite(path, { openDisk: slowDisk }) } : {})
  await setAdminKey(running.store, ADMIN_KEY)
  const admin = running.app.admin({ key: ownerKey, requestId: 'bench' })
  await admin.createPersona({ domain_name: 'ada-l', name: 'Ada' })
  const { key } = await admin.createKey({ personas: ['ada-l'] })
  const service = running.app.as({ key: (await running.app.identify(key))!, requestId: 'bench' })
  for (let i = 0; i < 10; i++)
    await service.message({ DomainName: 'ada-l', SessionId: 's', Text: `Question ${i} about nothing in particular` })
  process.send!({ url: running.url, key })
  return running.close
}
