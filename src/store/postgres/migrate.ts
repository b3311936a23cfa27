// Brings a database up to the newest version, one numbered step a transaction. Many processes may start at once: one
// does it.
import type pg from 'pg'
import { alone } from './alone.ts'
import { sql as first } from './migrations/001-first.ts'
import { sql as characters } from './migrations/002-characters.ts'
import { sql as triggers } from './migrations/003-triggers.ts'
import { sql as sessions } from './migrations/004-sessions.ts'
import { sql as callers } from './migrations/005-callers.ts'
import { sql as sharing } from './migrations/006-sharing.ts'
import { sql as audit } from './migrations/007-audit.ts'
import { sql as answers } from './migrations/008-answers.ts'
import { sql as people } from './migrations/009-people.ts'
import { sql as passkeys } from './migrations/010-passkeys.ts'
import { sql as origins } from './migrations/011-origins.ts'
import { sql as costs } from './migrations/012-costs.ts'
import { sql as notices } from './migrations/013-notices.ts'
import { sql as identities } from './migrations/014-identities.ts'
import { sql as sources } from './migrations/015-sources.ts'
import { sql as pageStarts } from './migrations/016-page-starts.ts'

export const migrations: readonly string[] = [
  first,
  characters,
  triggers,
  sessions,
  callers,
  sharing,
  audit,
  answers,
  people,
  passkeys,
  origins,
  costs,
  notices,
  identities,
  sources,
  pageStarts,
]

export const migrate = (url: string, target = migrations.length): Promise<void> =>
  alone(url, (client) => bringUp(client, target))

async function bringUp(client: pg.Client, target: number): Promise<void> {
  await client.query('create table if not exists schema_version (version integer not null)')
  const { rows } = await client.query('select version from schema_version')
  const version: number = rows[0]?.version ?? 0
  if (version > migrations.length) {
    throw new Error(
      `This database was written by a newer Memoir (version ${version} of the store, this one knows ${migrations.length}). ` +
        'Start the newer Memoir, or point MEMOIR_DATABASE_URL to another database.',
    )
  }
  for (let next = version; next < target; next++) {
    await client.query('begin')
    await step(client, next)
    await client.query('commit')
  }
}

async function step(client: pg.Client, from: number): Promise<void> {
  await client.query(migrations[from]!)
  await client.query(
    from === 0 ? 'insert into schema_version values (1)' : `update schema_version set version = ${from + 1}`,
  )
}

// Within a transaction that is under way, on a database that has no table of ours or is at `from`.
export async function migrateWithin(client: pg.Client, from: number, to: number): Promise<void> {
  if (from === 0) await client.query('create table schema_version (version integer not null)')
  for (let next = from; next < to; next++) await step(client, next)
}
