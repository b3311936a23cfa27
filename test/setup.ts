// Before all tests: one PostgreSQL for those that want one. After them: it goes. Each test file is a process of its own
// that loads the whole service: compiled once, it loads in half the time.
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  server = await startPostgres()
  process.env.TEST_POSTGRES_URL = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
