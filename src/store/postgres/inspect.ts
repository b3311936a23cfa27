// What can be told of a database without changing it.
import pg from 'pg'
import type { Inspected } from '../sqlite/inspect.ts'
import { clientSettings } from './connection.ts'
import { migrations } from './migrate.ts'

const LEAST_SERVER = 150_000 // PostgreSQL 15

export async function inspectPostgres(url: string): Promise<Inspected> {
  const client = new pg.Client(clientSettings(url, 'memoir-doctor'))
  await client.connect()
  try {
    const one = async (text: string) => (await client.query(text)).rows[0] as Record<string, unknown> | undefined
    const server = await one(`select current_setting('server_version_num')::int as number,
      pg_is_in_recovery() as replica, has_schema_privilege(current_schema(), 'create') as creates,
      to_regclass('schema_version') is not null as begun, current_setting('data_checksums') as checksums`)
    const version = server?.begun ? Number((await one('select version from schema_version'))?.version ?? 0) : 0
    return {
      version,
      known: migrations.length,
      trouble: troubleOf(server ?? {}),
      isUnchecked: server?.checksums !== 'on',
    }
  } finally {
    await client.end()
  }
}

function troubleOf({ number, replica, creates }: Record<string, unknown>): string | null {
  if (Number(number) < LEAST_SERVER) return 'it is older than PostgreSQL 15'
  if (replica) return 'it is a replica, and nothing can be written to it'
  if (!creates) return 'this user may not create tables in it'
  return null
}
