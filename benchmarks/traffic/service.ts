// The service under traffic: a process of its own with personas that know something, and what can be seen of it from outside.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill, launch } from '../../test/launched.ts'
import type { Watched } from '../../test/loop-watch.ts'
import { ADMIN_KEY, nameOf } from '../scale/seed.ts'

export type Caller = { persona: string; key: string; address: string }
export type Service = Awaited<ReturnType<typeof startService>>

const MEMORIES_EACH = 20

export const sessions = ['monday', 'tuesday']

export const notes = (n: number): string =>
  `On day ${n} the ferry left at ${5 + (n % 17)} o'clock, and ${['Ada', 'Bob', 'Cleo', 'Dan'][n % 4]} sold ${n + 3} tickets at the pier.`
export const questionAbout = (n: number): string => `Who sold tickets on day ${n % MEMORIES_EACH}?`

// Without a rate limit: it would refuse before the service is busy.
export async function startService(personas: number, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-load-'))
  const settings = {
    MEMOIR_DATA: folder,
    MEMOIR_ADMIN_KEY: ADMIN_KEY,
    MEMOIR_RATE_LIMIT: '0',
    MEMOIR_GUIDE: '0',
    ...env,
  }
  // Settings of the benchmark are none of the service.
  for (const name of Object.keys(process.env)) if (name.startsWith('MEMOIR_BENCH_')) delete process.env[name]
  const nodeOptions = ['--import', './test/loop-watch.ts', '--import', './benchmarks/traffic/live-bytes.ts']
  const { url, child } = await launch(settings, 'inherit', { nodeOptions })
  const pid = child.pid!

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const admin = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { 'x-api-key': ADMIN_KEY, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}/admin${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const hear = <T>(question: string) =>
    new Promise<T>((resolve) => {
      child.once('message', (said) => resolve(said as T))
      child.send(question)
    })
  // Milliseconds until all that was accepted is learned.
  const learned = async (mostMs = 600_000): Promise<number> => {
    const began = performance.now()
    while ((await admin('GET', '/work')).pending > 0 && performance.now() - began < mostMs) await wait(100)
    return performance.now() - began
  }
  const callers: Caller[] = []
  for (let n = 0; n < personas; n++) {
    const persona = nameOf(n)
    await admin('POST', '/personas', { domain_name: persona, name: 'Ada' })
    const { key } = await admin('POST', '/keys', { personas: [persona] })
    // Every caller has an address of its own: what one address may hold open is bounded.
    callers.push({ persona, key, address: `127.0.1.${1 + n}` })
    for (let m = 0; m < MEMORIES_EACH; m++)
      await post(`${url}/v1/memory`, key, { DomainName: persona, Text: notes(m), SourceName: 'bench' })
  }
  await learned()
  for (const { persona, key } of callers)
    for (const [n, SessionId] of sessions.entries())
      await post(`${url}/v1/message`, key, { DomainName: persona, SessionId, Text: questionAbout(n) })
  return {
    url,
    callers,
    admin,
    learned,
    waiting: async (): Promise<number> => (await admin('GET', '/work')).pending,
    // The longest turns of the event loop since it was last asked.
    turns: () => hear<Watched>('read and begin again'),
    liveBytes: () => hear<number>('collect and tell'),
    // Resident: all of it, and without what is mapped from files (programs, the database), which the system may take back.
    memory: () => ({ rss: residentBytes(pid, 'VmRSS'), own: residentBytes(pid, 'RssAnon') }),
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    folderBytes: () => bytesBelow(folder),
    async stop() {
      await kill({ url, child }, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function post(url: string, key: string, body: object): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${said}`)
}

// Of the process and those it started: models and readers have threads, some of them processes.
function residentBytes(pid: number, kind: 'VmRSS' | 'RssAnon'): number {
  const status = (one: number) => {
    try {
      return readFileSync(`/proc/${one}/status`, 'utf8')
    } catch {
      return '' // it has ended meanwhile
    }
  }
  const field = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  const tree = [pid, ...all.filter((one) => field(status(one), 'PPid') === pid)]
  return tree.reduce((sum, one) => sum + field(status(one), kind) * 1024, 0)
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    if (!entry.isFile()) return sum
    return sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
  }, 0)
