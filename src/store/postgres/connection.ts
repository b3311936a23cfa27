// Lets kysely speak to PostgreSQL: pools of connections whose statements stay prepared, and rows as SQLite gives them.
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { limits } from '../limits.ts'
import type { Tables } from '../tables/schema.ts'
import { isLost, retrying, UnknownOutcome } from './retry.ts'

export type Connections = {
  read: Kysely<Tables>
  write: Kysely<Tables>
  // Commits without waiting for the disk.
  writeLightly: Kysely<Tables>
  query(sql: string, values: readonly unknown[]): Promise<unknown[]>
  close(): Promise<void>
}

// `name` is what the server calls this process, so that others can see whether it lives.
export function connect(url: string, name: string): Connections {
  const settings = { ...clientSettings(url, name), max: limits.connections, idleTimeoutMillis: 30_000 }
  const pool = new pg.Pool(settings)
  const lightPool = new pg.Pool({ ...settings, max: limits.lightConnections })
  // Its first statement: whatever comes next on this connection waits behind it.
  lightPool.on('connect', (client) => void client.query('set synchronous_commit = off').catch(() => {}))
  // A lost connection is told to whoever asks something of it; nobody else needs to hear.
  for (const one of [pool, lightPool]) {
    one.on('error', () => {})
    one.on('connect', (client) => client.on('error', () => {}))
  }

  const [turns, lightTurns] = [createTurns(limits.connections), createTurns(limits.lightConnections)]
  const one = (text: string, values: readonly unknown[]) =>
    retrying(async () => {
      await turns.take()
      return pool.query({ ...preparedAs(text, values), text, values: [...values] }).finally(turns.giveBack)
    })
  // A read is one statement: it needs no connection of its own, and may be asked again on another.
  const reader = { query: one, release: () => {} } as unknown as PostgresPoolClient
  const dialect = (connectOne: () => Promise<PostgresPoolClient>, end = async () => {}) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { options: {}, connect: connectOne, end } }) })
  return {
    read: dialect(async () => reader),
    write: dialect(() => writer(pool, turns)),
    writeLightly: dialect(() => writer(lightPool, lightTurns)),
    query: async (text, values) => (await one(text, values)).rows,
    close: async () => void (await Promise.all([pool.end(), lightPool.end()])),
  }
}

export const clientSettings = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  connectionTimeoutMillis: limits.connectMs,
  query_timeout: limits.queryMs,
  keepAlive: true,
})

// Whole numbers come as numbers, as from SQLite: ours stay below 2^53.
const INT8 = 20
const parserOf = (type: number, format?: 'text' | 'binary') =>
  type === INT8 ? Number : pg.types.getTypeParser(type, format as 'text')

// Whoever waits here waits for the others of this process, however long; who waits longer for the server than
// `databaseConnectMs` has lost it.
function createTurns(most: number) {
  let free = most
  const line: (() => void)[] = []
  return {
    take: async () => (free > 0 ? void free-- : new Promise<void>((resolve) => line.push(resolve))),
    giveBack() {
      const next = line.shift()
      if (next) next()
      else free++
    },
  }
}

// A connection for a transaction. One that was lost is not used again.
async function writer(pool: pg.Pool, turns: ReturnType<typeof createTurns>): Promise<PostgresPoolClient> {
  await turns.take()
  const client = await pool.connect().catch((error) => {
    turns.giveBack()
    throw error
  })
  let broken = false
  return {
    async query(text: string, values: readonly unknown[]) {
      try {
        return await client.query({ ...preparedAs(text, values), text, values: [...values] })
      } catch (error) {
        if (!isLost(error)) throw error
        broken = true
        throw text === 'commit' ? new UnknownOutcome(error) : error
      }
    },
    release(destroy = false) {
      client.release(destroy || broken)
      turns.giveBack()
    },
  } as unknown as PostgresPoolClient
}

// The server plans a statement once for each connection. Lists of values make texts without end: those beyond are not
// kept.
const STATEMENTS_KEPT = 300
const names = new Map<string, string>()

function preparedAs(text: string, values: readonly unknown[]): { name?: string } {
  if (values.length === 0) return {}
  let name = names.get(text)
  if (name === undefined && names.size < STATEMENTS_KEPT) {
    name = `s${names.size}`
    names.set(text, name)
  }
  return name === undefined ? {} : { name }
}
