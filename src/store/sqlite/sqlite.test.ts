import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { requestsSuite } from '../requests.suite.ts'
import { storeSuite } from '../store.suite.ts'
import { someDocument, someKey, someMessage, somePersona, someSource, someTrigger } from '../suite-things.ts'
import { triggersSuite } from '../triggers.suite.ts'
import { workSuite } from '../work.suite.ts'
import { createAllowances } from './allowances.ts'
import { migrate, migrations } from './migrate.ts'
import { openSqlite } from './open.ts'
import { groupSync } from './sync.ts'

const folder = mkdtempSync(join(tmpdir(), 'memoir-store-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const open = (name: string, ownerKey?: Uint8Array) => async () => {
  const store = await openSqlite(join(folder, name), { ownerKey })
  after(() => store.close())
  return store
}

storeSuite('SQLite', open('suite.db'))
workSuite('SQLite', open('work.db'))
triggersSuite('SQLite', open('triggers.db'))
requestsSuite('SQLite', open('requests.db'))

const ownerKey = randomBytes(32)
storeSuite('SQLite, encrypted', open('sealed-suite.db', ownerKey))
workSuite('SQLite, encrypted', open('sealed-work.db', ownerKey))
triggersSuite('SQLite, encrypted', open('sealed-triggers.db', ownerKey))
requestsSuite('SQLite, encrypted', open('sealed-requests.db', ownerKey))

// Names and definitions of everything in the schema.
const schema = (db: DatabaseSync) => db.prepare('select type, name, sql from sqlite_schema order by type, name').all()

for (let version = 0; version <= migrations.length; version++) {
  test(`a store of version ${version} becomes the newest, and keeps what it holds`, async () => {
    const path = join(folder, `from-${version}.db`)
    const old = new DatabaseSync(path)
    migrate(old, version)
    if (version > 0) {
      old.exec(
        `insert into personas (id, domain_key, domain_name, name, threshold, instructions, owner_name, owner_email, owner_picture, owner_identity_id, created_at)
         values (7, 'old', 'Old', 'Old', 0, '', '', '', '', 8, 1)`,
      )
      old.exec(`insert into messages values (7, 's', 1, 'm', 'user', 'hello', 0, 'api', null, '{}', 1)`)
    }
    old.close()
    const fresh = new DatabaseSync(':memory:')
    migrate(fresh)
    const store = await openSqlite(path)
    if (version > 0) {
      assert.equal((await store.personas.byDomainName('old'))?.id, 7)
      assert.equal((await Array.fromAsync((await store.conversations.history(7, 's'))!)).flat()[0]?.text, 'hello')
    }
    await store.close()
    const now = new DatabaseSync(path)
    assert.deepEqual(schema(now), schema(fresh))
    now.close()
  })
}

test('a store of a newer version is refused with a sentence', async () => {
  const path = join(folder, 'newer.db')
  const newer = new DatabaseSync(path)
  newer.exec(`pragma user_version = ${migrations.length + 1}`)
  newer.close()
  await assert.rejects(openSqlite(path), /newer Memoir/)
})

test('writers that come together share one sync, and each sync begins after its write', async () => {
  let syncs = 0
  let release: () => void = () => {}
  const sync = groupSync({
    sync: () => {
      syncs++
      return new Promise<void>((resolve) => {
        release = resolve
      })
    },
    close: async () => {},
  })
  const first = sync()
  const others = [sync(), sync(), sync()]
  assert.equal(syncs, 1)
  let done = false
  others[0]!.then(() => {
    done = true
  })
  release()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(done, false)
  assert.equal(syncs, 2)
  release()
  await Promise.all(others)
  assert.equal(syncs, 2)
})

test('a write that cannot be synced is not acknowledged', async () => {
  const store = await openSqlite(join(folder, 'full.db'), {
    openDisk: async () => ({
      sync: () => Promise.reject(new Error('no space left')),
      close: async () => {},
    }),
  })
  await assert.rejects(store.personas.create(somePersona()), /no space left/)
  await store.close().catch(() => {})
})

const batch = { lane: 'short' as const, afterPersona: 0, documents: 1, characters: 1 }

test('leases of a process that is gone are free at the next start', async () => {
  const path = join(folder, 'leases.db')
  const store = await openSqlite(path)
  const persona = somePersona()
  await store.personas.create(persona)
  await store.documents.add(someDocument(persona.id))
  const claims = await store.work.claim(new Date(), { ...batch, leaseMs: 3_600_000 })
  assert.equal(claims.length, 1)
  await store.triggers.create(someTrigger(persona.id))
  await store.conversations.record({ messages: [someMessage(persona.id, 'hello')] })
  assert.ok(await store.outbox.claim(new Date(), { passOver: [], leaseMs: 3_600_000 }))
  await store.sources.create(someSource(persona.id))
  assert.equal((await store.sources.claim(new Date(), 3_600_000))?.source.look, 1)
  await store.close()
  const again = await openSqlite(path)
  assert.equal((await again.work.claim(new Date(), { ...batch, leaseMs: 1 })).length, 1)
  assert.ok(await again.outbox.claim(new Date(), { passOver: [], leaseMs: 1 }))
  // The look that was under way goes on.
  assert.equal((await again.sources.claim(new Date(), 1))?.source.look, 1)
  await again.close()
})

for (const [name, openStore] of [
  ['SQLite', open('sources.db')],
  ['SQLite, encrypted', open('sealed-sources.db', ownerKey)],
] as const)
  test(`a source is looked at page by page, and its account is told: ${name}`, async () => {
    const store = await openStore()
    const persona = somePersona()
    await store.personas.create(persona)
    const source = someSource(persona.id)
    await store.sources.create(source)
    await assert.rejects(store.sources.create({ ...source, id: 'another' }), /already/)
    const claim = (await store.sources.claim(new Date(), 60_000))!
    assert.equal(claim.source.url, source.url)
    await store.sources.recognise(claim, { kind: 'site', title: 'The garden', pagesOf: 2 })
    const page = { look: 1, reason: null, version: null, hash: 'h', etag: '"1"', lastModified: null }
    const document = someDocument(persona.id, { fileBytes: 3 })
    const incoming = { name: 'page/a', hash: 'h', document, file: Buffer.from('abc') }
    const first = { ...page, url: 'a', outcome: 'new' as const, documentId: document.id, fetchedAt: new Date() }
    assert.ok(await store.sources.keep(claim, first, incoming))
    assert.ok(await store.sources.keep(claim, { ...first, outcome: 'changed' }))
    assert.ok(await store.sources.keep(claim, { ...first, url: 'b', outcome: 'left out', reason: 'Why.' }))
    assert.equal((await store.sources.pages(claim)).length, 2)
    const end = { leftOut: { more: 3 }, others: 'vanished' as const, etag: null, lastModified: null }
    assert.ok(await store.sources.finish(claim, end, new Date()))
    assert.ok(!(await store.sources.keep(claim, first)))
    const after = (await store.sources.get(persona.id, source.id))!
    assert.deepEqual([after.title, after.lookBegan], ['The garden', null])
    assert.deepEqual(after.account, {
      ...{ new: 0, changed: 1, same: 0, vanished: 0, vanished_pages: [] },
      left_out: { more: 3, 'Why.': 1 },
    })
    assert.equal(Buffer.from(await store.documents.file(persona.id, document.id)).toString(), 'abc')
  })

test('what a key did not spend is saved up for a minute, and no longer', async () => {
  let now = 0
  const { take } = createAllowances(() => now)
  assert.equal((await take('k', 60, 60)).granted, 60)
  assert.deepEqual(await take('k', 60, 1), { granted: 0, left: 0, waitMs: 1000 })
  now = 1000
  assert.equal((await take('k', 60, 9)).granted, 1)
  now = 10_000_000
  assert.equal((await take('k', 60, 99)).granted, 60)
})

test('two processes see each other: a key removed by one is unknown to the other at once', async () => {
  const path = join(folder, 'shared.db')
  const one = await openSqlite(path)
  const two = await openSqlite(path)
  await one.keys.create(someKey('k', 'h'))
  assert.equal((await two.keys.byHash('h'))?.id, 'k')
  await two.keys.remove('k')
  assert.equal(await one.keys.byHash('h'), undefined)
  await one.close()
  await two.close()
})
