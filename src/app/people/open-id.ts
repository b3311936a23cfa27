// Signing in through a service that knows people. What the browser holds of it is one secret, in a cookie that no
// script can read; all that belongs to this one way there and back is made from it, so that any process can finish it.
import { createHmac, randomBytes } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import { type Account, emailKey, emailPattern, type Identity } from '../../domain/people.ts'
import type { Attempt, OpenId } from '../../ports/open-id.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import type { Site } from './passkeys.ts'

type OpenIdNeeds = Pick<Needs, 'store' | 'openId' | 'openIdRole'>

export type Begun = { state: string; secret: string; address: string; keptMs: number }
export type Returned = { secret: string; query: string }

// Whose question it is that the state answers.
const WHO = 'openid'

export async function beginOpenId(needs: OpenIdNeeds, site: Site): Promise<Begun> {
  const secret = randomBytes(32).toString('base64url')
  const attempt = attemptOf(secret, site)
  const address = await openIdOf(needs).addressFor(attempt)
  await needs.store.people.passkeys.ask(attempt.state, WHO, new Date(Date.now() + limits.openIdMs))
  return { state: attempt.state, secret, address, keptMs: limits.openIdMs }
}

// Whose account it is: known by its subject, or by its address, or made for who is invited.
export async function whoReturned(needs: OpenIdNeeds, site: Site, { secret, query }: Returned) {
  const openId = openIdOf(needs)
  const attempt = attemptOf(secret, site)
  if (!(await needs.store.people.passkeys.answered(attempt.state, WHO)))
    throw new AppError('unauthorized', 'This sign-in was begun elsewhere, is over, or took too long. Try again.')
  const identity = await openId.recognise(attempt, query)
  const known = await needs.store.people.identities.accountOf(identity)
  if (known) return { account: known, isNew: false }
  checkAddress(openId.name, identity)
  const { account, isNew } = await accountBy(needs, identity)
  if (!(await needs.store.people.identities.keep(account.id, identity)))
    throw new AppError('unauthorized', `${identity.email} is somebody else here than at ${openId.name}.`)
  return { account, isNew }
}

function openIdOf({ openId }: OpenIdNeeds): OpenId {
  if (!openId) throw new AppError('not_found', 'Nobody signs in through another service here.')
  return openId
}

function attemptOf(secret: string, { origin }: Site): Attempt {
  const part = (name: string) => createHmac('sha256', secret).update(name).digest('base64url')
  return { back: `${origin}/console/openid`, state: part('state'), nonce: part('nonce'), verifier: part('verifier') }
}

function checkAddress(name: string, { email, isVerified }: Identity): void {
  if (!emailPattern.test(email)) throw new AppError('unauthorized', `${name} does not say your mail address.`)
  if (!isVerified) throw new AppError('unauthorized', `${name} has not verified that ${email} is yours.`)
}

async function accountBy({ store, openIdRole }: OpenIdNeeds, { email, name }: Identity) {
  const { accounts, invitations } = store.people
  const existing = await accounts.byEmail(email)
  if (existing) return { account: existing, isNew: false }
  const now = new Date()
  const invited = (await invitations.list()).find(
    (one) => emailKey(one.email) === emailKey(email) && one.expiresAt > now && one.accountId === null,
  )
  const role = invited?.role ?? openIdRole
  if (!role)
    throw new AppError('unauthorized', `${email} has no account here and is not invited. Ask an administrator.`)
  const account: Account = {
    id: newId(),
    email,
    name: name.trim() || email.split('@')[0]!,
    role,
    personas: invited?.personas ?? '*',
    password: null,
    createdAt: now,
    lastSeenAt: null,
  }
  if (!invited) await accounts.create(account)
  else if (!(await invitations.redeem(invited.id, { account })))
    throw new AppError('conflict', 'The invitation was used at the same moment. Try again.')
  return { account, isNew: true }
}
