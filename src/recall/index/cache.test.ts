import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSqlite } from '../../store/sqlite/open.ts'
import { batch, learnedOf, someDocument, somePersona, traceOf } from '../../store/suite-things.ts'
import { createIndexCache } from './cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'memoir-cache-'))
const store = await openSqlite(join(folder, 'cache.db'))
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const PERSONAS = 4
const MEMORIES = 100

async function personaWith(memories: number): Promise<number> {
  const persona = somePersona()
  await store.personas.create(persona)
  for (let i = 0; i < memories; i++) await store.documents.add(someDocument(persona.id, { text: `memory ${i}` }))
  for (const claim of await store.work.claim(new Date(), { ...batch, documents: memories })) {
    const { text, title, startTime } = claim.document
    await store.work.finish(claim, learnedOf(claim, { text, title, startTime }))
  }
  return persona.id
}

test('the least recently used personas go when memory is short, and come back whole', async () => {
  const ids: number[] = []
  for (let i = 0; i < PERSONAS; i++) ids.push(await personaWith(MEMORIES))
  const embedder = { name: traceOf('').embedder, dimensions: 384 }
  const roomy = createIndexCache({ store, embedder }, 64)
  for (const id of ids) await roomy.use(id, () => {})
  assert.equal(roomy.personas(), PERSONAS)
  const each = roomy.bytes() / PERSONAS

  const bound = (2.5 * each) / 1024 ** 2
  const tight = createIndexCache({ store, embedder }, bound)
  for (const id of [...ids, ...ids.toReversed(), ids[0]!]) {
    const live = await tight.use(id, ({ columns }) => columns.live())
    assert.equal(live, MEMORIES)
    assert.ok(
      tight.personas() <= 2 && tight.bytes() <= bound * 1024 ** 2,
      `${tight.personas()} personas, ${tight.bytes()} bytes`,
    )
  }

  const one = createIndexCache({ store, embedder }, 0)
  await one.use(ids[0]!, () => {})
  assert.equal(one.personas(), 1, 'the one just asked for stays, however large')
})
