// People, invitations and sessions of the console as those see them who may.
import type { Account, Invitation, Passkey, SignIn } from '../../domain/people.ts'
import type { Role } from '../../domain/roles.ts'

// Accounts hold persona ids; people know personas by name. A persona deleted meanwhile is left out.
export type Names = Map<number, string>

export const namesIn = (personas: number[] | '*', names: Names): string[] | '*' =>
  personas === '*' ? personas : personas.flatMap((id) => names.get(id) ?? [])

const all = (role: Role, personas: number[] | '*') => (role === 'administrator' ? '*' : personas)

export const presentPerson = (account: Account, names: Names) => ({
  id: account.id,
  email: account.email,
  name: account.name,
  role: account.role,
  personas: namesIn(all(account.role, account.personas), names),
  created_at: account.createdAt.toISOString(),
  last_seen_at: account.lastSeenAt?.toISOString() ?? null,
})

export const presentInvitation = (invitation: Invitation, names: Names) => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  personas: namesIn(all(invitation.role, invitation.personas), names),
  is_reset: invitation.accountId !== null,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
})

export const presentSignIn = (signIn: SignIn, thisId: string | undefined) => ({
  id: signIn.id,
  device: signIn.device,
  address: signIn.address,
  is_this: signIn.id === thisId,
  is_kept: signIn.isKept,
  created_at: signIn.createdAt.toISOString(),
  last_seen_at: signIn.lastSeenAt.toISOString(),
})

export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
})
