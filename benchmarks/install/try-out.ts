// Starts an installed Memoir as its users do, and looks whether it learns, answers and shows its console.
import { spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ADMIN_KEY = 'admin-key-of-a-trial'
const START_MS = 120_000

export type Trial = { startedMs: number; reply: string; score: number; console: boolean; document: string }

export async function tryOut(program: string[], cwd: string, env: Record<string, string> = {}): Promise<Trial> {
  const data = mkdtempSync(join(tmpdir(), 'memoir-trial-'))
  const began = performance.now()
  const child = spawn(program[0]!, [...program.slice(1), 'serve'], {
    cwd,
    env: {
      PATH: process.env.PATH!,
      HOME: data,
      MEMOIR_ADMIN_KEY: ADMIN_KEY,
      ...env,
      MEMOIR_DATA: data,
      MEMOIR_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  try {
    const url = await addressOf(() => said)
    const startedMs = performance.now() - began
    return { startedMs, ...(await talk(url)) }
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    rmSync(data, { recursive: true, force: true })
  }
}

async function addressOf(said: () => string): Promise<string> {
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(50)) {
    const url = /interface\s+(http:\S+)\/v1/.exec(said())?.[1]
    if (url) return url.replace('0.0.0.0', '127.0.0.1')
  }
  throw new Error(`It did not start: ${said()}`)
}

async function talk(url: string): Promise<Omit<Trial, 'startedMs'>> {
  const call = async (path: string, body: object, key = ADMIN_KEY) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return { body: (await answer.json()) as Record<string, string>, headers: answer.headers }
  }
  await call('/admin/personas', { domain_name: 'ada-l', name: 'Ada' })
  const { key } = (await call('/admin/keys', { personas: ['ada-l'] })).body
  const told = { DomainName: 'ada-l', Text: 'My cat is called Turing. He is nine years old.', SourceName: 'trial' }
  const { headers } = await call('/v1/memory', told, key)
  const { body } = await call('/v1/message', { DomainName: 'ada-l', Text: 'What is my cat called?' }, key)
  const page = await fetch(`${url}/console`)
  return {
    reply: body.ai_message!,
    score: Number(body.ai_score),
    console: page.ok && (await page.text()).includes('/console/assets/'),
    document: headers.get('x-memoir-document-id') ?? '',
  }
}

// What a folder weighs, in megabytes: the bytes of its files, each once.
export function megabytesOf(folder: string, seen = new Set<number>()): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const { size, ino, nlink } = lstatSync(join(entry.parentPath, entry.name))
    if (nlink > 1 && seen.has(ino)) continue
    seen.add(ino)
    bytes += size
  }
  return Math.round(bytes / 1e6)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
