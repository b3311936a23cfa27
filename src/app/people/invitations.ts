// One-time links: made, looked at, and redeemed for an account or a new password.
import { randomBytes } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import { type Account, hashSecret, type Invitation } from '../../domain/people.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { checkPassword, hashPassword } from './passwords.ts'

type For = Pick<Invitation, 'email' | 'role' | 'personas' | 'accountId'>

// The path of the link stands after `#`: browsers do not send it, so that no log has it.
export async function invite({ people }: Store, whom: For): Promise<{ invitation: Invitation; path: string }> {
  const { invitations } = people
  const now = new Date()
  const open = await invitations.list()
  // Only the newest link for somebody leads anywhere.
  for (const one of open)
    if (one.expiresAt <= now || (whom.email !== '' && one.email === whom.email)) await invitations.remove(one.id)
  if (open.length >= limits.invitations)
    throw new AppError('conflict', `There are ${open.length} invitations already; withdraw some.`)
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + limits.invitationMs)
  const invitation = { ...whom, id: newId(), hash: hashSecret(token), createdAt: now, expiresAt }
  await invitations.create(invitation)
  return { invitation, path: `/console/welcome#${token}` }
}

export async function invitationOf({ people }: Store, token: string): Promise<Invitation> {
  const invitation = await people.invitations.byHash(hashSecret(token))
  if (!invitation || invitation.expiresAt <= new Date()) throw used()
  return invitation
}

export type Accepted = { token: string; email?: string | undefined; name: string; password: string }

// The account that somebody may now sign in to.
export async function accept(store: Store, { token, email, name, password }: Accepted): Promise<Account> {
  const invitation = await invitationOf(store, token)
  const { accountId, role, personas } = invitation
  const address = invitation.email || email
  if (!address) throw new AppError('invalid', 'email is missing.')
  checkPassword(password, address)
  const hash = await hashPassword(password)
  const account = {
    id: accountId ?? newId(),
    email: address,
    name: name.trim() || address.split('@')[0]!,
    role,
    personas,
    password: hash,
    createdAt: new Date(),
    lastSeenAt: null,
  }
  const redeemed = accountId === null ? { account } : { accountId, password: hash }
  if (!(await store.people.invitations.redeem(invitation.id, redeemed))) throw used()
  const made = await store.people.accounts.byId(account.id)
  if (!made) throw used() // removed at the same moment
  return made
}

const used = (): AppError =>
  new AppError('not_found', 'This link was used, withdrawn, or has run out. Ask for another one.')
