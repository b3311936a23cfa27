// The first minute: an empty store gets an admin key, a link to the owner's account, and a guide that knows Memoir's
// own documentation.
import { readFileSync } from 'node:fs'
import { newKey, ownerKey } from '../domain/access.ts'
import { newId } from '../domain/id.ts'
import type { Store } from '../ports/store.ts'
import type { App } from './app.ts'
import { setAdminKey } from './keys/new-key.ts'
import { invite } from './people/invitations.ts'

export const GUIDE = 'memoir-guide'

// Secrets made by this start, to be shown once.
export type Made = { adminKey?: string; guideKey?: string; ownerPath?: string }

export type Wanted = { adminKey?: string | undefined; guide: boolean }

// Of many processes that start at once on an empty store, one finds it empty.
export const firstStart = (app: App, store: Store, wanted: Wanted): Promise<Made> =>
  store.alone(() => prepare(app, store, wanted))

async function prepare(app: App, store: Store, { adminKey, guide }: Wanted): Promise<Made> {
  const made: Made = {}
  const known = await store.keys.list()
  if (adminKey) await setAdminKey(store, adminKey)
  else if (!known.some((key) => key.admin)) {
    made.adminKey = newKey('memoir_admin')
    await setAdminKey(store, made.adminKey)
  }
  const isEmpty = known.length === 0 && (await store.personas.list()).length === 0
  if (isEmpty) {
    if (guide) made.guideKey = await createGuide(app)
    made.ownerPath = (await invite(store, OWNER)).path
  }
  return made
}

// Whoever opens the link says who they are.
const OWNER = { email: '', role: 'administrator', personas: '*', accountId: null } as const

async function createGuide(app: App): Promise<string> {
  const admin = app.admin({ key: ownerKey, requestId: newId() })
  await admin.createPersona({
    domain_name: GUIDE,
    name: 'Memoir Guide',
    instructions:
      'You are the guide to Memoir, a service of AI personas that answer from memory. You answer questions about ' +
      'installing, using and understanding it.',
  })
  const { key } = await admin.createKey({ personas: [GUIDE], default_persona: GUIDE, name: 'guide' })
  const service = app.as({ key: (await app.identify(key))!, requestId: newId() })
  for (const { title, text } of documentation())
    await service.uploadText({ Title: title, Text: text, Tags: 'documentation' })
  return key
}

const root = new URL('../../', import.meta.url)

// Pages for people who use Memoir. The README says the same as the guide; what went wrong is told in the words of the
// error itself; the other pages are for people who change the code. They would only compete with the right answer.
const PAGES = [
  'docs/guide.md',
  'docs/share.md',
  'docs/models.md',
  'docs/operate.md',
  'docs/glossary.md',
  'docs/reference/settings.md',
  'docs/reference/commands.md',
]

export function documentation(): { title: string; text: string }[] {
  return PAGES.map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    return { title: /^#\s+(.+)$/m.exec(text)?.[1] ?? path, text }
  })
}
