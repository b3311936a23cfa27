// A key as it is made, and the one for /admin.
import { scopes as allScopes, hashKey, type Key } from '../../domain/access.ts'
import { newId } from '../../domain/id.ts'
import type { Store } from '../../ports/store.ts'

// The one key for /admin. A key given by the setting replaces whatever was there.
export async function setAdminKey(store: Store, text: string): Promise<void> {
  const before = (await store.keys.list()).filter((key) => key.admin)
  if (before.some((key) => key.hash === hashKey(text)) && before.length === 1) return
  for (const key of before) await store.keys.remove(key.id)
  await store.keys.create({ ...keyOf(text, 'admin'), admin: true, scopes: [] })
}

export const keyOf = (text: string, name: string): Key => ({
  id: newId(),
  hash: hashKey(text),
  last4: text.slice(-4),
  name,
  admin: false,
  personas: [],
  defaultPersona: null,
  scopes: [...allScopes],
  legacy: false,
  expiresAt: null,
  createdAt: new Date(),
  lastUsedAt: null,
})
