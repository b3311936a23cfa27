// A PostgreSQL database as it is at one moment, read beside whoever writes to it.
import type pg from 'pg'
import { AppError } from '../../domain/errors.ts'
import type { Snapshot } from '../keep/backup.ts'
import { connectedApart } from './alone.ts'
import { migrations } from './migrate.ts'
import { onlyOn } from './only.ts'

export async function postgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connectedApart(url)
  const db = onlyOn(client)
  try {
    await client.query('begin isolation level repeatable read read only')
    await checkVersion(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return { db, close: () => client.end() }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const there = await client.query(`select to_regclass('schema_version') as version`)
  if (!there.rows[0].version) throw new AppError('not_found', 'There is no store in this database.')
  const { rows } = await client.query('select version from schema_version')
  if (rows[0]?.version !== migrations.length)
    throw new AppError(
      'conflict',
      'This database was last used by another version of Memoir: start this one on it first.',
    )
}
