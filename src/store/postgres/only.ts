// kysely on one connection alone, whose transaction and locks are then its own.
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../tables/schema.ts'

export function onlyOn(client: pg.Client): Kysely<Tables> {
  const only = Object.assign(client, { release() {} }) as unknown as PostgresPoolClient
  const pool = { options: {}, connect: async () => only, end: () => client.end() }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
