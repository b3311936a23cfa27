// A key as its owner and its holder see it, never the key itself.
import type { z } from 'zod'
import type { KeyAnswer } from '../../contract/admin-answers.ts'
import type { KeyOwner, KeyPersonas } from '../../contract/public/answers.ts'
import type { Key } from '../../domain/access.ts'
import type { Persona } from '../../domain/persona.ts'

// Keys hold persona ids; owners know personas by name. A persona deleted meanwhile is left out.
export function presentKey(key: Key, names: Map<number, string>): z.output<typeof KeyAnswer> {
  return {
    id: key.id,
    last4: key.last4,
    name: key.name,
    personas: key.personas === '*' ? '*' : key.personas.flatMap((id) => names.get(id) ?? []),
    scopes: key.scopes,
    default_persona: (key.defaultPersona !== null && names.get(key.defaultPersona)) || null,
    legacy: key.legacy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}

type KeyPersona = z.output<typeof KeyPersonas>['personas'][number]

export const presentPersona = ({ id, domainName, name, picture }: Persona, key: Key): KeyPersona => ({
  DomainName: domainName,
  ai_name: name,
  ai_picture: picture,
  is_default: key.defaultPersona === id,
})

export function presentOwner(persona: Persona | undefined): z.output<typeof KeyOwner> {
  const [firstName = '', ...rest] = (persona?.owner.name ?? '').trim().split(/\s+/)
  return { validation: 'success', firstName, lastName: rest.join(' '), email: persona?.owner.email ?? '' }
}
