// The first minute: an empty store gets an admin key, and a guide that knows Memoir's own documentation.
import { readdirSync, readFileSync } from 'node:fs'
import { newKey, ownerKey } from '../domain/access.ts'
import { newId } from '../domain/id.ts'
import type { Store } from '../ports/store.ts'
import type { App } from './app.ts'
import { setAdminKey } from './keys/new-key.ts'

export const GUIDE = 'memoir-guide'

// Secrets made by this start, to be shown once.
export type Made = { adminKey?: string; guideKey?: string }

// Of many processes that start at once on an empty store, one finds it empty.
export const firstStart = (app: App, store: Store, givenAdminKey: string | undefined): Promise<Made> =>
  store.alone(() => prepare(app, store, givenAdminKey))

async function prepare(app: App, store: Store, givenAdminKey: string | undefined): Promise<Made> {
  const made: Made = {}
  const known = await store.keys.list()
  if (givenAdminKey) await setAdminKey(store, givenAdminKey)
  else if (!known.some((key) => key.admin)) {
    made.adminKey = newKey('memoir_admin')
    await setAdminKey(store, made.adminKey)
  }
  const isEmpty = known.length === 0 && (await store.personas.list()).length === 0
  if (isEmpty) made.guideKey = await createGuide(app)
  return made
}

async function createGuide(app: App): Promise<string> {
  const admin = app.admin({ key: ownerKey, requestId: newId() })
  await admin.createPersona({
    domain_name: GUIDE,
    name: 'Memoir Guide',
    instructions: 'You are the guide to Memoir. You answer questions about installing, using and understanding it.',
  })
  const { key } = await admin.createKey({ personas: [GUIDE], default_persona: GUIDE, name: 'guide' })
  const service = app.as({ key: (await app.identify(key))!, requestId: newId() })
  for (const { title, text } of documentation())
    await service.uploadText({ Title: title, Text: text, Tags: 'documentation' })
  return key
}

const root = new URL('../../', import.meta.url)

function documentation(): { title: string; text: string }[] {
  const pages = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'))
  return [...pages.map((name) => `docs/${name}`), 'README.md'].map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    return { title: /^#\s+(.+)$/m.exec(text)?.[1] ?? path, text }
  })
}
