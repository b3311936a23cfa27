// A service on a folder, in this process, with an embedder that outlives it: it starts in a moment, and many times.
import { setAdminKey } from '../../src/app/keys/new-key.ts'
import { readConfig } from '../../src/config.ts'
import { createEmbedder } from '../../src/models/embedder.ts'
import { start } from '../../src/start.ts'

export const ADMIN_KEY = 'admin-key-of-the-fault-points'
export const configOf = (folder: string, databaseUrl?: string) =>
  readConfig({
    MEMOIR_DATA: folder,
    MEMOIR_PORT: '0',
    MEMOIR_LOG: 'silent',
    MEMOIR_RATE_LIMIT: '0',
    MEMOIR_READER: '0',
    ...(databaseUrl && { MEMOIR_DATABASE_URL: databaseUrl }),
  })

const embedder = createEmbedder()
const lasting = { ...embedder, close: async () => {} }
export const closeEmbedder = (): Promise<void> => embedder.close()

export type Running = Awaited<ReturnType<typeof startOn>>

export async function startOn(folder: string, databaseUrl?: string) {
  const running = await start(configOf(folder, databaseUrl), { embedder: lasting })
  const call = async (method: string, path: string, key: string, body?: unknown) => {
    const isRaw = body instanceof FormData || body instanceof Uint8Array
    const type = body instanceof Uint8Array ? 'application/zip' : 'application/json'
    const answer = await fetch(running.url + path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && !(body instanceof FormData) && { 'content-type': type }) },
      ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${Buffer.from(bytes)}`)
    return { bytes, headers: answer.headers }
  }
  const json = async (...given: Parameters<typeof call>) => {
    const { bytes, headers } = await call(...given)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { body: JSON.parse(Buffer.from(bytes).toString()) as any, headers }
  }
  return {
    ...running,
    call,
    json,
    admin: (method: string, path: string, body?: unknown) => json(method, `/admin${path}`, ADMIN_KEY, body),
    takeAdminKey: () => setAdminKey(running.store, ADMIN_KEY),
  }
}
