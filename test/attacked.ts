// A service in a process of its own, attacked: what its event loop and its memory went through meanwhile.
import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { after } from 'node:test'
import { kill, type Launched, launch } from './launched.ts'
import type { Watched } from './loop-watch.ts'
import { storedIn, temporaryFolder } from './started.ts'

export const ADMIN_KEY = 'admin-key-of-the-attack-tests'
// The longest that one turn of the event loop may take, on a machine with nothing else to do. On one with more to do than
// it has cores, the same work takes more of them: caches and clocks are shared.
const LONGEST_TURN_MS = 200
const MOST_BUSY = 3

export function assertShort({ cpuMs }: Watched): void {
  const busy = Math.min(MOST_BUSY, Math.max(1, loadavg()[0]! / availableParallelism()))
  assert.ok(cpuMs < LONGEST_TURN_MS * busy, `one turn of the event loop took ${cpuMs.toFixed(0)} ms of CPU`)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; body: any; headers: Headers }
export type Attacked = Awaited<ReturnType<typeof startAttacked>>

export async function startAttacked(env: Record<string, string> = {}, more: { descriptors?: number } = {}) {
  const folder = env.MEMOIR_DATA ?? temporaryFolder()
  const all = { ...(await storedIn(folder)), MEMOIR_ADMIN_KEY: ADMIN_KEY, MEMOIR_RATE_LIMIT: '0', ...env }
  const options = { nodeOptions: ['--import', './test/loop-watch.ts'], ...more }
  let running: Launched = await launch(all, 'inherit', options)
  after(() => kill(running))

  const call = async (path: string, init: RequestInit & { key?: string | null } = {}): Promise<Answer> => {
    const { key, ...rest } = init
    const isForm = init.body instanceof FormData
    const headers = {
      ...(key && { 'x-api-key': key }),
      ...(init.body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(init.headers as Record<string, string>),
    }
    const answer = await fetch(running.url + path, { method: 'POST', ...rest, headers })
    const text = await answer.text()
    return { status: answer.status, body: parsed(text), headers: answer.headers }
  }
  const admin = async (method: string, path: string, body?: object) => {
    const given = body && { body: JSON.stringify(body) }
    const answer = await call(`/admin${path}`, { method, key: ADMIN_KEY, ...given })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    folder,
    call,
    admin,
    get url() {
      return running.url
    },
    get pid() {
      return running.child.pid!
    },
    persona: (domain_name: string) => admin('POST', '/personas', { domain_name, name: 'Ada' }),
    key: async (...personas: string[]): Promise<string> => (await admin('POST', '/keys', { personas })).key,
    learned: async () => {
      while ((await admin('GET', '/work')).pending > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    // What the process went through since it was last asked.
    watched: () =>
      new Promise<Watched>((resolve) => {
        running.child.once('message', (worst) => resolve(worst as Watched))
        running.child.send('read and begin again')
      }),
    async restart(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
      await kill(running, signal)
      running = await launch(all, 'inherit', options)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
