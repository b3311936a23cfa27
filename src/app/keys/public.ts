// What a key says of itself, and inviting others to its persona.
import { type Key, newKey } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { may, mayDo } from '../access.ts'
import type { Implementation } from '../request.ts'
import { keyOf } from './new-key.ts'
import { presentOwner, presentPersona } from './present.ts'

// The owner of the key's default persona, else of its first; nobody for a key that may only talk: it may be on a page.
export const validateKey: Implementation<'validateKey'> = async ({ store }, { caller }) => {
  const { key } = caller
  if (!may(caller, 'read')) return presentOwner(undefined)
  const id = key.defaultPersona ?? (key.personas === '*' ? undefined : key.personas[0])
  return presentOwner(id === undefined ? undefined : await store.personas.byId(id))
}

// All of them, where the key is for all.
export const personas: Implementation<'personas'> = async ({ store }, { caller: { key } }) => {
  const known = await store.personas.list()
  const own = known.filter(({ id }) => key.personas === '*' || key.personas.includes(id))
  return { personas: own.map((persona) => presentPersona(persona, key)).sort(byName), scopes: key.scopes }
}

const byName = (one: { DomainName: string }, two: { DomainName: string }): number =>
  one.DomainName < two.DomainName ? -1 : 1

// The new key can do no more, and lasts no longer, than the one that asks for it.
export const invite: Implementation<'invite'> = async ({ store, keys }, { caller, persona, query }) => {
  if (!keys.invites || (caller.key.role && !mayDo(caller, 'manage')))
    throw new AppError('unauthorized', 'AI invite api unauthorized.')
  const text = newKey('memoir')
  const key: Key = {
    ...keyOf(text, query.email),
    personas: [persona.id],
    defaultPersona: persona.id,
    scopes: ['message'],
    expiresAt: caller.key.expiresAt,
  }
  await store.keys.create(key)
  return { message: 'invitation accepted', email: query.email, domain_name: persona.domainName, key: text }
}
