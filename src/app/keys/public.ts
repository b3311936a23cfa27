// What a key says of itself.
import type { Implementation } from '../request.ts'
import { presentOwner } from './present.ts'

// The owner of the key's default persona, else of its first.
export const validateKey: Implementation<'validateKey'> = async ({ store }, { caller: { key } }) => {
  const id = key.defaultPersona ?? (key.personas === '*' ? undefined : key.personas[0])
  return presentOwner(id === undefined ? undefined : await store.personas.byId(id))
}
