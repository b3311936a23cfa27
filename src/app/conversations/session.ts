// A session belongs to the key that began it. To another key of the persona its id is as good as unused: what that key
// says under it is a session of its own, so that an id that was guessed opens nothing and tells nothing.
import type { Persona } from '../../domain/persona.ts'
import { type Caller, may } from '../access.ts'
import type { Needs } from '../needs.ts'

// The id under which the store keeps what this caller says in the session that it calls so.
export async function keptSession(
  { store }: Pick<Needs, 'store'>,
  caller: Caller,
  persona: Persona,
  sessionId: string,
): Promise<string> {
  if (may(caller, 'sessions')) return sessionId
  const holder = await store.conversations.holder(persona.id, sessionId)
  return holder === undefined || holder === null || holder === caller.key.id
    ? sessionId
    : `${sessionId}/${caller.key.id}`
}
