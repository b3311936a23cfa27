// A PostgreSQL database as the place a backup goes to: everything happens in one transaction.
import type pg from 'pg'
import { AppError } from '../../domain/errors.ts'
import type { Target } from '../keep/restore.ts'
import { isEmpty, tableNames } from '../rows.ts'
import { connectedApart, LOCK } from './alone.ts'
import { continueNumbers } from './end.ts'
import { migrate, migrateWithin, migrations } from './migrate.ts'
import { onlyOn } from './only.ts'

export async function postgresTarget(url: string): Promise<Target> {
  await migrate(url)
  const client = await connectedApart(url)
  try {
    // Whoever starts meanwhile waits for it.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await refuseServed(client)
  } catch (error) {
    await client.end()
    throw error
  }
  const db = onlyOn(client)
  const { host, pathname } = new URL(url)
  return {
    name: `postgres://${host}${pathname}`, // without its password
    isEmpty: () => isEmpty(db),
    async replaceWith({ postgres: age }, fill) {
      await client.query('begin')
      try {
        await client.query(`drop table ${[...tableNames, 'allowances', 'schema_version'].join(', ')}`)
        await migrateWithin(client, 0, age)
        await fill(db)
        await client.query('set constraints all immediate') // a table with checks to come cannot be changed
        await migrateWithin(client, age, migrations.length)
        await continueNumbers(db)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
    close: () => client.end(),
  }
}

// Processes hold in memory what they read: it would no longer be true.
async function refuseServed(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name like 'memoir-%' and pid <> pg_backend_pid()
       and application_name not like 'memoir-apart%' limit 1`,
  )
  if (rows.length > 0) throw new AppError('conflict', 'A service runs on this database: stop it first.')
}
