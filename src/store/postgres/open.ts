// The store on PostgreSQL: any number of processes on any number of machines share it.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { AppError } from '../../domain/errors.ts'
import { sortAfter } from '../../domain/id.ts'
import type { Store } from '../../ports/store.ts'
import { inSpan } from '../../telemetry/scope.ts'
import { runThread } from '../keep/run-thread.ts'
import { limits } from '../limits.ts'
import { halfMoved } from '../move.ts'
import { audit } from '../tables/audit.ts'
import { conversations, drafts } from '../tables/conversations.ts'
import type { Database, Writing } from '../tables/database.ts'
import { documents } from '../tables/documents.ts'
import { identities } from '../tables/identities.ts'
import { keys } from '../tables/keys.ts'
import { memories } from '../tables/memories.ts'
import { notices } from '../tables/notices.ts'
import { origins } from '../tables/origins.ts'
import { outbox } from '../tables/outbox.ts'
import { passkeys } from '../tables/passkeys.ts'
import { accounts, invitations } from '../tables/people.ts'
import { personas } from '../tables/personas.ts'
import { replies } from '../tables/replies.ts'
import { requests } from '../tables/requests.ts'
import { signIns } from '../tables/sign-ins.ts'
import { sources } from '../tables/sources.ts'
import { traces } from '../tables/traces.ts'
import { transfers } from '../tables/transfers.ts'
import { triggers } from '../tables/triggers.ts'
import { work } from '../tables/work.ts'
import { createAllowances } from './allowances.ts'
import { alone, apart } from './alone.ts'
import { type Connections, connect } from './connection.ts'
import { releaseDeadLeases } from './leases.ts'
import { migrate } from './migrate.ts'
import { retrying } from './retry.ts'
import { createSignal } from './signal.ts'

export async function openPostgres(url: string): Promise<Store> {
  await migrate(url)
  // What the server, and with it every other process, knows this one by.
  const name = `memoir-${randomUUID()}`
  const connections = connect(url, name)
  await prepare(connections).catch(async (error) => {
    await connections.close()
    throw error
  })
  const signal = createSignal(url, name, (text) => sql.raw(text).execute(connections.read))
  const database = databaseOf(connections, () => signal.announce('events'))
  const upkeep = setInterval(() => releaseDeadLeases(connections).catch(() => {}), limits.leaseGraceMs).unref()

  return {
    personas: personas(database),
    keys: keys(database),
    documents: documents(database),
    origins: origins(database),
    memories: memories(database),
    traces: traces(database),
    conversations: conversations(database),
    drafts: drafts(database),
    replies: replies(database),
    requests: requests(database, name),
    audit: audit(database),
    people: {
      accounts: accounts(database),
      invitations: invitations(database),
      signIns: signIns(database),
      passkeys: passkeys(database),
      identities: identities(database),
    },
    sources: sources(database, name),
    triggers: triggers(database),
    notices: notices(database, name),
    outbox: { ...outbox(database, name), onWritten: (heard) => signal.onAnnounced('events', heard) },
    work: {
      ...work(database, name),
      announce: () => signal.announce('work'),
      onAnnounced: (heard) => signal.onAnnounced('work', heard),
    },
    allowances: createAllowances(connections),
    compact: () => apart(url, compact),
    async bytes() {
      const { rows } = await sql<{ bytes: string }>`${sql.raw(SIZE)}`.execute(connections.read)
      return Number(rows[0]!.bytes)
    },
    backup: (passphrase) => runThread({ place: { url }, backup: { passphrase } }),
    transfers: {
      ...transfers(database),
      export: (personaId, options) => runThread({ place: { url }, persona: { personaId, ...options } }),
    },
    encryption: () => 'elsewhere',
    damaged: async () => [], // the server has checksums of its own
    alone: (act) => alone(url, act),
    async ping() {
      const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(connections.read)
      if (rows[0]?.is) throw new AppError('unavailable', 'The database is a replica: nothing can be written to it.')
    },
    async close() {
      clearInterval(upkeep)
      await signal.close()
      await connections.close()
    },
  }
}

async function prepare(connections: Connections): Promise<void> {
  const [moving] = (await connections.query(`select to_regclass('moving') as there`, [])) as { there: unknown }[]
  if (moving!.there) throw halfMoved('this database')
  await releaseDeadLeases(connections)
  const [latest] = (await connections.query('select max(changed_at) as at from documents', [])) as {
    at: string | null
  }[]
  sortAfter(Number(latest!.at ?? 0))
}

function databaseOf({ read, query, write, writeLightly }: Connections, announceEvents: () => void): Database {
  const durably = <T>(change: (tx: Writing) => Promise<T>) =>
    inSpan('commit', { facts: { ...POSTGRES, 'memoir.synced': true } }, () =>
      retrying(() => write.transaction().execute(change)),
    )
  return {
    read,
    stored: read,
    query,
    durably,
    // Another process may have seen it and live on when the database crashes: then it must not be undone.
    visibly: durably,
    quickly: (change) =>
      inSpan('commit', { facts: POSTGRES }, () => retrying(() => writeLightly.transaction().execute(change))),
    free: (rows) => rows.forUpdate().skipLocked(),
    announceEvents,
  }
}

const POSTGRES = { 'db.system.name': 'postgresql' }

const SIZE = 'select pg_database_size(current_database()) as bytes'

// Locks each table while it is written anew, as SQLite does with its file.
async function compact(client: pg.Client): Promise<{ bytesBefore: number; bytesAfter: number }> {
  const size = async () => (await client.query(SIZE)).rows[0].bytes
  const bytesBefore = await size()
  await client.query('vacuum full')
  return { bytesBefore, bytesAfter: await size() }
}
