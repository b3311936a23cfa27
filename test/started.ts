// A started service on a data folder of its own, and the few calls every test makes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { readConfig } from '../src/config.ts'
import { start } from '../src/start.ts'
import { newDatabase } from './postgres-server.ts'

export const ADMIN_KEY = 'admin-key-of-the-tests'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; body: any; headers: Headers }
export type Call = {
  method?: string
  path: string
  body?: unknown
  key?: string | null
  headers?: Record<string, string>
}

export type Started = Awaited<ReturnType<typeof startService>>

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// On PostgreSQL (test/postgres.test.ts) each folder has a database of its own, and keeps it over a restart.
export const isOnPostgres = process.env.TEST_ENGINE === 'postgres'
const databases = new Map<string, string>()

export async function storedIn(folder: string): Promise<Record<string, string>> {
  if (!isOnPostgres) return { MEMOIR_DATA: folder }
  const url = databases.get(folder) ?? (await newDatabase())
  databases.set(folder, url)
  return { MEMOIR_DATA: folder, MEMOIR_DATABASE_URL: url }
}

export async function startService(env: Record<string, string> = {}) {
  const folder = env.MEMOIR_DATA ?? temporaryFolder()
  const stored = await storedIn(folder)
  const running = await start(
    readConfig({ MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_RATE_LIMIT: '0', ...stored, ...env }),
  )
  await setAdminKey(running.store, ADMIN_KEY)
  let closed = false
  const close = async () => {
    if (!closed) await running.close()
    closed = true
  }
  after(close)

  const call = async ({ method = 'POST', path, body, key, headers = {} }: Call): Promise<Answer> => {
    const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
    const response = await fetch(running.url + path, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text), headers: response.headers }
  }
  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await call({ method, path: `/admin${path}`, key: ADMIN_KEY, body })
    if (answer.status !== 200)
      throw new Error(`${method} /admin${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const persona = (domainName: string, more: object = {}) =>
    admin('POST', '/personas', { domain_name: domainName, name: 'Ada', ...more })
  const key = async (personas: string[] | '*', more: object = {}): Promise<string> =>
    (await admin('POST', '/keys', { personas, ...more })).key
  // Until everything accepted has been learned, or has failed.
  const learned = async () => {
    while ((await admin('GET', '/work')).pending > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { ...running, folder, databaseUrl: stored.MEMOIR_DATABASE_URL, call, admin, persona, key, learned, close }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
