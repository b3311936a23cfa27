// Handing out keys and taking them back.
import type { Admin } from '../../contract/admin-api.ts'
import { scopes as allScopes, type Key, newKey } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime } from '../../domain/time.ts'
import type { AdminNeeds } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { keyOf } from './new-key.ts'
import { presentKey } from './present.ts'

export function adminKeys(needs: AdminNeeds): Pick<Admin, 'createKey' | 'listKeys' | 'revokeKey'> {
  const { store } = needs
  const names = async () => new Map((await store.personas.list()).map((persona) => [persona.id, persona.domainName]))
  return {
    async createKey({ personas, default_persona, scopes, legacy, name, expires_at }) {
      const ids =
        personas === '*'
          ? personas
          : await Promise.all(personas.map(async (named) => (await personaNamed(needs, named)).id))
      const defaultPersona = default_persona === undefined ? null : (await personaNamed(needs, default_persona)).id
      if (defaultPersona !== null && ids !== '*' && !ids.includes(defaultPersona)) {
        throw new AppError('invalid', 'default_persona must be one of the personas of the key.')
      }
      const text = newKey('memoir')
      const key: Key = {
        ...keyOf(text, name ?? ''),
        personas: ids === '*' ? ids : [...new Set(ids)],
        defaultPersona,
        scopes: scopes ?? [...allScopes],
        legacy: legacy === undefined ? needs.keys.legacyByDefault : legacy === true,
        expiresAt: expires_at === undefined ? null : (parseTime(expires_at) ?? null),
      }
      await store.keys.create(key)
      return { ...presentKey(key, await names()), key: text }
    },

    async listKeys() {
      const named = await names()
      return { keys: (await store.keys.list()).filter((key) => !key.admin).map((key) => presentKey(key, named)) }
    },

    async revokeKey({ id }) {
      const key = (await store.keys.list()).find((one) => one.id === id)
      // The admin key is not in the list, and nobody shuts themselves out through it.
      if (!key || key.admin || !(await store.keys.remove(id)))
        throw new AppError('not_found', 'There is no key with that id.')
      return { revoked: id }
    },
  }
}
