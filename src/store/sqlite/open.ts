// The embedded store: one file in the data folder, safe to share between processes of one machine.

import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { isAlive } from '../../alive.ts'
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
import { copyBeforeUpgrade } from './before-upgrade.ts'
import { cacheKeys, cachePersonas, createCache } from './cache.ts'
import { type Connection, connect } from './connection.ts'
import { asStoreFault, isDamage, untilFree } from './faults.ts'
import { migrate } from './migrate.ts'
import { markKnown, type Presence, refuseMissing, watchPresence } from './presence.ts'
import { keepPrivate } from './private.ts'
import type { Codec } from './sealed/codec.ts'
import { encryptionOf, openCodec, unsealed } from './sealed/open.ts'
import { type Resealing, startResealing } from './sealed/reseal.ts'
import { type OnDamage, type SoundTexts, soundTexts } from './sound-texts.ts'
import { hangSoundViews, keepSums } from './sums.ts'
import { type Disk, groupSync, walOf } from './sync.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export type SqliteOptions = {
  openDisk?: (path: string) => Promise<Disk>
  onUpgrade?: OnUpgrade
  onDamage?: OnDamage | undefined // of a text, which is not handed out any more
  ownerKey?: Uint8Array | undefined // everything is encrypted with it
  resealing?: Resealing | undefined // what an older data key encrypted is encrypted anew; otherwise it stays
}

export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const { openDisk = walOf, ownerKey } = options
  refuseMissing(path)
  keepPrivate(path)
  const upkeep = createUpkeep(path)
  const { writer, codec } = openSound(path, upkeep, options)
  markKnown(path)
  // From here on nobody waits for a lock on the event loop.
  writer.raw.exec('pragma busy_timeout = 0')
  // A large upload is written bit by bit, and its log carried over by the upkeep thread; if that fails, here at last.
  writer.raw.exec('pragma cache_size = -8192; pragma wal_autocheckpoint = 100000')
  const reader = unsealed(connect(path, { readOnly: true, onError: (error) => told(error) }), codec)
  const disk = await openDisk(path)
  const sync = groupSync(disk)
  const presence = watchPresence(path)
  let isFull = false
  const told = (error: unknown): never => {
    const fault = asStoreFault(error)
    if (fault?.code === 'storage_full') isFull = true
    if (isDamage(error)) {
      presence.damaged((error as Error).message)
      presence.assert()
    }
    throw fault ?? error
  }

  const commit = <T>(write: (tx: Writing) => Promise<T>) =>
    untilFree(() => writer.db.transaction().execute(write)).catch(told)
  const quickly: Database['quickly'] = (write) => inSpan('commit', { facts: SQLITE }, () => commit(write))
  const listeners: (() => void)[] = []
  const database: Database = {
    read: reader.db,
    stored: codec ? reader.db : reader.db.withSchema('main'),
    query: async (sql, values) => reader.query(sql, values),
    quickly,
    visibly: quickly, // a process that saw it dies with the machine
    free: (rows) => rows, // there is one writer at a time
    announceEvents() {
      for (const heard of listeners) heard()
    },
    durably: (write) =>
      inSpan('commit', { facts: { ...SQLITE, 'memoir.synced': true } }, async () => {
        const result = await commit(write)
        await sync().catch(told)
        presence.assert(true)
        return result
      }),
  }
  const cache = createCache(writer.raw, presence.assert)
  const texts = textsOf(database, reader.raw, codec, options.onDamage)
  const stopChecking = checkInTurns(upkeep, presence, texts)
  const stopResealing = startResealing({ raw: writer.raw, ...database }, codec, options.resealing)

  return {
    personas: cachePersonas(personas(database), cache),
    keys: cacheKeys(keys(database), cache),
    origins: origins(database),
    ...texts.parts,
    conversations: conversations(database),
    drafts: drafts(database),
    replies: replies(database),
    requests: requests(database, leaseHolder),
    audit: audit(database),
    people: peopleOf(database),
    sources: sources(database, leaseHolder),
    triggers: triggers(database),
    notices: notices(database, leaseHolder),
    outbox: { ...outbox(database, leaseHolder), onWritten: (heard) => void listeners.push(heard) },
    // Whoever else uses the data folder looks for events and work by itself.
    work: { ...texts.parts.work, announce() {}, onAnnounced() {} },
    allowances: createAllowances(),
    async compact() {
      const bytesBefore = bytesOf(path)
      // Not on one with views before its tables: the engine would take them for the tables.
      const { raw } = connect(path)
      try {
        raw.exec('vacuum; pragma wal_checkpoint(truncate)')
      } finally {
        raw.close()
      }
      return { bytesBefore, bytesAfter: bytesOf(path) }
    },
    bytes: async () => bytesOf(path),
    backup: (passphrase) => runThread({ place: { path, ownerKey }, backup: { passphrase } }),
    transfers: {
      ...transfers(database),
      export: (personaId, options) => runThread({ place: { path, ownerKey }, persona: { personaId, ...options } }),
    },
    encryption: () => encryptionOf(writer.raw, codec),
    damaged: texts.damaged,
    alone: (act) => act(), // a data folder is served by one process
    async ping() {
      presence.assert(true)
      await sql`select 1`.execute(reader.db)
      // After a full disk only a write tells whether there is room again.
      if (!isFull) return
      await quickly((tx) => sql`create table if not exists room (taken integer)`.execute(tx))
      await quickly((tx) => sql`drop table room`.execute(tx))
      isFull = false
    },
    async close() {
      stopChecking()
      await stopResealing()
      await upkeep.close()
      await sync()
      await disk.close()
      await reader.db.destroy()
      reader.raw.isOpen && reader.raw.close()
      await writer.db.destroy()
      writer.raw.isOpen && writer.raw.close()
    },
  }
}

const peopleOf = (database: Database) => ({
  accounts: accounts(database),
  invitations: invitations(database),
  signIns: signIns(database),
  passkeys: passkeys(database),
  identities: identities(database),
})

// What is read and quoted; an encrypted store authenticates it as it is.
function textsOf(
  database: Database,
  reader: DatabaseSync,
  codec: Codec | undefined,
  onDamage: OnDamage | undefined,
): SoundTexts {
  const parts = {
    documents: documents(database),
    memories: memories(database),
    traces: traces(database),
    work: work(database, leaseHolder),
  }
  if (codec) return { parts, found: async () => {}, withhold: () => '', damaged: async () => [] }
  const texts = soundTexts(database, parts, onDamage)
  hangSoundViews(reader, texts.withhold)
  return texts
}

type Sound = { writer: Connection; codec: Codec | undefined }

function openSound(path: string, upkeep: Upkeep, { onUpgrade, ownerKey }: SqliteOptions): Sound {
  let writer: Connection | undefined
  try {
    writer = connect(path, { onWrite: upkeep.wrote })
    const { raw } = writer
    const codec = openCodec(raw, ownerKey, path)
    migrate(raw, undefined, (version) => {
      const copy = copyBeforeUpgrade(raw, path, version)
      onUpgrade?.(copy, version)
    })
    if (raw.prepare(`select 1 from sqlite_schema where name = 'moving'`).get()) throw halfMoved(path)
    releaseDeadLeases(raw)
    if (!codec) keepSums(raw)
    const { at } = raw.prepare('select max(changed_at) as at from documents').get() as { at: number | null }
    sortAfter(at ?? 0)
    return { writer: unsealed(writer, codec), codec }
  } catch (error) {
    writer?.raw.close()
    if (!isDamage(error)) throw error
    const sentence = `${path} is damaged (${(error as Error).message}). Put a backup of it back.`
    throw new AppError('unavailable', sentence, { cause: error })
  }
}

// Told of the copy that was made before the tables were changed, and of the version they had.
export type OnUpgrade = (copy: string, version: number) => void

// Looks through the file soon and then now and then, as long as it is open.
function checkInTurns(upkeep: Upkeep, presence: Presence, texts: SoundTexts): () => void {
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    const found = await upkeep.check()
    if (found.damage !== null) presence.damaged(found.damage)
    for (const at of found.changed) await texts.found(at).catch(() => {}) // it is looked for again
  }
  timer = setTimeout(() => {
    timer = setInterval(check, limits.checkEveryMs).unref()
    check()
  }, limits.checkAfterMs).unref()
  return () => clearTimeout(timer)
}

const SQLITE = { 'db.system.name': 'sqlite' }

const bytesOf = (path: string): number => sizeOf(path) + sizeOf(`${path}-wal`)
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const leaseHolder = `${hostname()}/${process.pid}`

// After a crash nobody waits for the leases to run out: a lease of this machine whose process is gone is free at once.
// What was begun goes behind what was not, so that a document that stops the process does not do it at once again.
// One that carries this process's own number is from before it started (in a container it is always the same number).
function releaseDeadLeases(writer: ReturnType<typeof connect>['raw']): void {
  const held = writer
    .prepare(
      `select lease from documents where state = 'reading' and lease is not null
       union select lease from deliveries where lease is not null
       union select lease from requests where lease is not null
       union select lease from sources where lease is not null`,
    )
    .all()
  const release = [
    `update documents set state = 'waiting', lease = null, lease_until = null, due_at = iif(attempts = 0, created_at, ?)
     where state = 'reading' and lease = ?`,
    'update deliveries set lease = null, due_at = ? where lease = ?',
    'update requests set lease_until = ? where lease = ?',
    'update sources set lease = null, lease_until = null, due_at = min(due_at, ?) where lease = ?',
  ].map((text) => writer.prepare(text))
  for (const { lease } of held as { lease: string }[]) {
    const [host, pid] = lease.split('/')
    if (host !== hostname() || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    for (const statement of release) statement.run(Date.now(), lease)
  }
}
