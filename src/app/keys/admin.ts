// Handing out keys and taking them back.
import type { Admin } from '../../contract/admin-api.ts'
import { scopes as allScopes, type Key, newKey } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime } from '../../domain/time.ts'
import { isOwner } from '../access.ts'
import type { AdminNeeds } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { keyOf } from './new-key.ts'
import { presentKey } from './present.ts'

export function adminKeys(needs: AdminNeeds): Pick<Admin, 'createKey' | 'listKeys' | 'revokeKey'> {
  const { store } = needs
  const names = async () => new Map((await store.personas.list()).map((persona) => [persona.id, persona.domainName]))
  // Not the admin key, and for somebody with some personas only keys for no others.
  const isTheirs = ({ admin, personas }: Key): boolean => {
    const own = isOwner(needs.caller.key) ? '*' : needs.caller.key.personas
    return !admin && (own === '*' || (personas !== '*' && personas.every((id) => own.includes(id))))
  }
  return {
    async createKey({ personas, default_persona, scopes, legacy, name, expires_at }) {
      const { key: caller } = needs.caller
      if (personas === '*' && !isOwner(caller) && caller.personas !== '*')
        throw new AppError('unauthorized', 'A key for all personas is for whoever has all of them.')
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
      return { keys: (await store.keys.list()).filter(isTheirs).map((key) => presentKey(key, named)) }
    },

    async revokeKey({ id }) {
      const key = (await store.keys.list()).find((one) => one.id === id)
      // The admin key is not in the list, and nobody shuts themselves out through it.
      if (!key || !isTheirs(key) || !(await store.keys.remove(id)))
        throw new AppError('not_found', 'There is no key with that id.')
      return { revoked: id }
    },
  }
}
