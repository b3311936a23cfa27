import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../test/postgres-server.ts'
import { requestsSuite } from '../requests.suite.ts'
import { storeSuite } from '../store.suite.ts'
import { batch, someDocument, someKey, someMessage, somePersona, someSource, someTrigger } from '../suite-things.ts'
import { triggersSuite } from '../triggers.suite.ts'
import { workSuite } from '../work.suite.ts'
import { migrations } from './migrate.ts'
import { openPostgres } from './open.ts'

const open = (database: Promise<string>) => async () => {
  const store = await openPostgres(await database)
  after(() => store.close())
  return store
}

storeSuite('PostgreSQL', open(newDatabase()))
workSuite('PostgreSQL', open(newDatabase()))
triggersSuite('PostgreSQL', open(newDatabase()))
requestsSuite('PostgreSQL', open(newDatabase()))

const shared = newDatabase()
const openShared = open(shared)
const query = async (url: string, sql: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('ten processes may start at once on an empty database', async () => {
  const url = await newDatabase()
  const stores = await Promise.all(Array.from({ length: 10 }, () => openPostgres(url)))
  assert.deepEqual(await query(url, 'select version from schema_version'), [{ version: migrations.length }])
  await Promise.all(stores.map((store, n) => store.personas.create(somePersona(`p-${n}`))))
  assert.equal((await stores[0]!.personas.list()).length, 10)
  await Promise.all(stores.map((store) => store.close()))
})

test('a database of a newer version is refused with a sentence', async () => {
  const url = await newDatabase()
  await query(url, `create table schema_version as select ${migrations.length + 1} as version`)
  await assert.rejects(openPostgres(url), /newer Memoir/)
})

test('two processes never claim the same document, and share them fairly', async () => {
  const [one, two] = [await openShared(), await openShared()]
  const personas = [somePersona(), somePersona(), somePersona()]
  for (const persona of personas) await one.personas.create(persona)
  for (let i = 0; i < 40; i++) await one.documents.add(someDocument(personas[0]!.id))
  for (const persona of personas.slice(1)) for (let i = 0; i < 4; i++) await one.documents.add(someDocument(persona.id))
  const claims = (
    await Promise.all([one, two, one, two].map((store) => store.work.claim(new Date(), { ...batch, documents: 12 })))
  ).flat()
  assert.equal(new Set(claims.map(({ document }) => document.id)).size, claims.length)
  assert.equal(claims.length, 48)
  const ofSmall = claims.filter(({ document }) => document.personaId !== personas[0]!.id)
  assert.equal(ofSmall.length, 8, 'the two with little to learn did not wait behind the one with much')
  for (const { document } of claims) await one.documents.remove(document.personaId, document.id)
})

test('a process hears when another has accepted something', async () => {
  const [one, two] = [await openShared(), await openShared()]
  const heard = new Promise<void>((resolve) => two.work.onAnnounced(resolve))
  const again = setInterval(one.work.announce, 50)
  await heard
  clearInterval(again)
})

test('a key revoked in one process is unknown to the other at once', async () => {
  const [one, two] = [await openShared(), await openShared()]
  await one.keys.create(someKey('k', 'h'))
  assert.equal((await two.keys.byHash('h'))?.id, 'k')
  await two.keys.remove('k')
  assert.equal(await one.keys.byHash('h'), undefined)
})

test('leases of a process that is gone are free before they run out', async () => {
  const url = await newDatabase()
  const gone = await openPostgres(url)
  const persona = somePersona()
  await gone.personas.create(persona)
  await gone.documents.add(someDocument(persona.id))
  await gone.triggers.create(someTrigger(persona.id))
  await gone.conversations.record({ messages: [someMessage(persona.id, 'hello')] })
  const soon = { ...batch, leaseMs: 1_000_000 }
  assert.equal((await gone.work.claim(new Date(Date.now()), soon)).length, 1)
  assert.ok(await gone.outbox.claim(new Date(), { passOver: [], leaseMs: 1_000_000 }))
  for (const path of ['/a', '/b']) await gone.sources.create(someSource(persona.id, path))
  const looks = await Promise.all([1, 2, 3].map(() => gone.sources.claim(new Date(), 1_000_000)))
  assert.equal(looks.filter(Boolean).length, 1)
  await gone.close()
  // As if it had last been renewed a while ago.
  await query(url, 'update documents set lease_until = lease_until - 999000')
  await query(url, 'update deliveries set due_at = due_at - 999000')
  await query(url, 'update sources set lease_until = lease_until - 999000')
  const other = await openPostgres(url)
  after(() => other.close())
  assert.equal((await other.work.claim(new Date(), batch)).length, 1)
  assert.ok(await other.outbox.claim(new Date(), { passOver: [], leaseMs: 1 }))
  assert.equal((await other.sources.claim(new Date(), 1_000_000))?.source.look, 1)
  assert.equal(await other.sources.claim(new Date(), 1_000_000), undefined)
})

test('nothing is accepted for a persona that is being deleted', async () => {
  const store = await openShared()
  const persona = somePersona()
  await store.personas.create(persona)
  const adding = Array.from({ length: 20 }, () => store.documents.add(someDocument(persona.id)).catch((error) => error))
  const [removed, ...added] = await Promise.all([store.personas.remove(persona.id), ...adding])
  assert.ok(removed)
  for (const one of added) assert.ok(typeof one === 'string' || one.code === 'not_found', String(one))
  assert.deepEqual(await query(await shared, `select id from documents where persona_id = ${persona.id}`), [])
})

test('a thousand at once wait for their turn', async () => {
  const store = await openShared()
  const persona = somePersona()
  await store.personas.create(persona)
  const found = await Promise.all(Array.from({ length: 1_000 }, () => store.personas.byId(persona.id)))
  assert.ok(found.every((one) => one?.id === persona.id))
})

test('a database that is not there is a sentence, and soon', async () => {
  const begin = Date.now()
  await assert.rejects(openPostgres('postgres://memoir@127.0.0.1:1/none'), { code: 'unavailable', retryAfterS: 2 })
  assert.ok(Date.now() - begin < 10_000)
})

test('a table that a newer Memoir changes is read on', async () => {
  const url = await newDatabase()
  const store = await openPostgres(url)
  after(() => store.close())
  const persona = somePersona()
  await store.personas.create(persona)
  assert.equal((await store.personas.byId(persona.id))?.name, persona.name)
  await query(url, 'alter table personas add column newer text')
  assert.equal((await store.personas.byId(persona.id))?.name, persona.name)
  assert.equal((await store.personas.update(persona.id, { name: 'Other' }))?.name, 'Other')
})
