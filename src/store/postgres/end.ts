// A PostgreSQL database as one end of a move.
import { type Kysely, sql } from 'kysely'
import type { End } from '../move.ts'
import type { Tables } from '../tables/schema.ts'
import { connectedApart } from './alone.ts'
import { migrate } from './migrate.ts'
import { onlyOn } from './only.ts'

export async function postgresEnd(url: string): Promise<End> {
  await migrate(url)
  const client = await connectedApart(url)
  const db = onlyOn(client)
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
    settle: () => continueNumbers(db),
    close: () => db.destroy(),
  }
}

// Numbers go on after the last one that came in.
export async function continueNumbers(db: Kysely<Tables>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('memories', 'number'), coalesce(max(number), 0) + 1, false) from memories`.execute(
    db,
  )
}
