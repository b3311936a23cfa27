// A PostgreSQL database as one end of a move.
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { End } from '../move.ts'
import type { Tables } from '../tables/schema.ts'
import { clientSettings } from './connection.ts'
import { migrate } from './migrate.ts'

export async function postgresEnd(url: string): Promise<End> {
  await migrate(url)
  const client = new pg.Client({ ...clientSettings(url, 'memoir-move'), query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  // One connection for everything: the lock is its own.
  const only = Object.assign(client, { release() {} }) as unknown as PostgresPoolClient
  const pool = { options: {}, connect: async () => only, end: () => client.end() }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const { host, pathname } = new URL(url)
  return {
    name: `postgres://${host}${pathname}`, // without its password
    db,
    async freeze() {
      const { rows } = await client.query('select tablename from pg_tables where schemaname = current_schema()')
      const names = rows.map(({ tablename }) => `"${tablename}"`)
      await client.query('begin')
      await client.query(`lock table ${names.join(', ')} in share mode`)
    },
    // Numbers go on after the last one that came in.
    async settle() {
      await sql`select setval(pg_get_serial_sequence('memories', 'number'), coalesce(max(number), 0) + 1, false) from memories`.execute(
        db,
      )
    },
    close: () => db.destroy(),
  }
}
