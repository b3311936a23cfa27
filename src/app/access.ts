// Who is calling, and may they do this to that persona? Every refusal reads the same, so that nobody can probe.
import { limits } from '../contract/limits.ts'
import type { Operation } from '../contract/operation.ts'
import { hashKey, isMistypedKey, type Key, ownerKey, type Scope } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { Persona } from '../domain/persona.ts'
import { mayRole, type Right } from '../domain/roles.ts'
import type { Keys, Store } from '../ports/store.ts'

export type Caller = {
  key: Key
  requestId: string
  signInId?: string | undefined // the session of the console they call from
  site?: { origin: string; host: string } | undefined // where their browser is
  from?: string | undefined // the address they call from; undefined: the command line
  onceName?: string | undefined // their own name for the request (Idempotency-Key): sending it again does not double it
  onDocument?: (documentId: string) => void // told the id of each document that is kept for the request
  onReply?: (replyId: string) => void // told the id under which the owner finds the reply explained
  signal?: AbortSignal // says when they leave
  // What was said before, oldest first, where the caller brings it along instead of leaving it to the session.
  before?: { role: 'user' | 'ai'; text: string }[] | undefined
  // Told the reply as it is written, where it may be seen before it is scored.
  onText?: (delta: string, sessionId: string) => void
}

const TOUCH_EVERY_MS = 60_000

// Undefined for a key that is missing, unknown, revoked or expired.
export async function identify({ keys }: { keys: Keys }, keyText: string | undefined): Promise<Key | undefined> {
  if (!keyText || keyText.length > limits.keyCharacters || isMistypedKey(keyText)) return undefined
  return known(keys, hashKey(keyText))
}

// By its hash: a key found before may have been revoked or have run out since.
export async function known(keys: Keys, hash: string): Promise<Key | undefined> {
  const key = await keys.byHash(hash)
  const at = new Date()
  if (!key || (key.expiresAt && key.expiresAt <= at)) return undefined
  if (!key.lastUsedAt || at.getTime() - key.lastUsedAt.getTime() > TOUCH_EVERY_MS) {
    key.lastUsedAt = at
    keys.touched(key.id, at)
  }
  return key
}

const refusal = (operation: Operation): AppError =>
  new AppError('unauthorized', operation.unauthorized?.sentence ?? 'This key may not do that.')

// The key behind a public request, before its body is read.
export function admitted(key: Key | undefined, operation: Operation): Key {
  if (!key || key.admin) throw refusal(operation)
  return key
}

// The admin key is for the owner's commands alone: a program that talks needs a key of its own.
export function allow({ key }: Caller, operation: Operation): void {
  if (key.admin || (operation.scope && !key.scopes.includes(operation.scope))) throw refusal(operation)
}

// Beyond the scope of its route, a call may have an effect that takes another one: teaching, say, or reading.
export const may = ({ key }: Pick<Caller, 'key'>, scope: Scope): boolean => key.scopes.includes(scope)

export function allowEffect(caller: Caller, operation: Operation, scope: Scope): void {
  if (!may(caller, scope)) throw refusal(operation)
}

// The admin key and whoever holds the data folder may do everything.
export const isOwner = (key: Key): boolean => key.admin || key === ownerKey

export const mayDo = ({ key }: Pick<Caller, 'key'>, right: Right): boolean => isOwner(key) || mayRole(key.role, right)

export function allowRight(caller: Pick<Caller, 'key'>, right: Right): void {
  if (mayDo(caller, right)) return
  const sentence = caller.key.role ? 'Your role does not allow this.' : 'This is not an admin key.'
  throw new AppError('unauthorized', sentence)
}

export const sees = ({ key }: Pick<Caller, 'key'>, personaId: number): boolean =>
  isOwner(key) || key.personas === '*' || key.personas.includes(personaId)

// The persona a request is for, if it is this key's.
export async function personaFor(
  { store }: { store: Store },
  { key }: Caller,
  operation: Operation,
  domainName: string | undefined,
): Promise<Persona> {
  if (domainName === undefined && key.defaultPersona === null) {
    throw new AppError('invalid', 'DomainName is missing, and this key has no default persona.')
  }
  const persona =
    domainName === undefined
      ? await store.personas.byId(key.defaultPersona!)
      : await store.personas.byDomainName(domainName)
  // The owner has nothing to probe for, and may have mistyped it.
  if (!persona && domainName !== undefined && key === ownerKey)
    throw new AppError('not_found', `There is no persona named ${domainName}.`)
  if (!persona || (key.personas !== '*' && !key.personas.includes(persona.id))) throw refusal(operation)
  return persona
}
