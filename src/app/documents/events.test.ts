// One loop looks for steps, however often its listener comes back, and a store that fails does not end it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../ports/store.ts'
import { openSqlite } from '../../store/sqlite/open.ts'
import { someDocument, somePersona } from '../../store/suite-things.ts'
import { limits } from '../limits.ts'
import { createEvents } from './events.ts'

const folder = mkdtempSync(join(tmpdir(), 'memoir-test-'))
const store = await openSqlite(join(folder, 'memoir.db'))
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

// The store, with something done before each look at its work and its personas.
const watched = (onLook: () => Promise<void>, onPersona: () => void = () => {}): Pick<Store, 'work' | 'personas'> => ({
  work: {
    ...store.work,
    changedSince: async (...given) => {
      await onLook()
      return store.work.changedSince(...given)
    },
  },
  personas: {
    ...store.personas,
    byId: async (id) => {
      onPersona()
      return store.personas.byId(id)
    },
  },
})

test('a listener who comes back during a look starts no second loop', async () => {
  let looks = 0
  let comeBack: (() => void) | undefined
  const events = createEvents(
    watched(async () => {
      looks++
      comeBack?.()
    }),
  )
  let leave = events.follow(() => {})
  comeBack = () => {
    leave()
    leave = events.follow(() => {})
  }
  await pause(6 * limits.eventsPollMs)
  comeBack = undefined
  leave()
  const seen = looks
  assert.ok(seen >= 2 && seen <= 6, `${seen} looks`)
  await pause(3 * limits.eventsPollMs)
  assert.ok(looks <= seen + 1, 'nobody looks when nobody follows')
})

test('a lookup that fails is made again, and no step is lost', async () => {
  const persona = somePersona()
  await store.personas.create(persona)
  let failures = 2
  const failing = watched(
    async () => {},
    () => {
      if (failures-- > 0) throw new Error('The store does not answer.')
    },
  )
  const heard: string[] = []
  const leave = createEvents(failing).follow((event) => heard.push(`${event.domain_name} ${event.id}`))
  const document = someDocument(persona.id)
  await store.documents.add(document)
  await pause(6 * limits.eventsPollMs)
  leave()
  assert.deepEqual(heard, [`${persona.domainName} ${document.id}`])
})
