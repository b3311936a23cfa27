// Passkeys: a device proves that its owner is there. The question is random and answered once; the answer is signed for
// this site alone.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '../../domain/errors.ts'
import type { Account, Passkey } from '../../domain/people.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'

// Where the browser is: what it signs for.
export type Site = { origin: string; host: string }

// Loaded by the first who comes with one.
const library = () => import('@simplewebauthn/server')

const ANYBODY = ''
const until = (): Date => new Date(Date.now() + limits.passkeyMs)

export async function beginPasskey({ people }: Store, account: Account, site: Site): Promise<object> {
  const { generateRegistrationOptions } = await library()
  const known = await people.passkeys.list(account.id)
  const options = await generateRegistrationOptions({
    rpName: 'Memoir',
    rpID: site.host,
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await people.passkeys.ask(options.challenge, account.id, until())
  return options
}

export async function addPasskey(
  { people }: Store,
  account: Account,
  site: Site,
  { name, response }: { name: string; response: object },
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => people.passkeys.answered(challenge, account.id),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
  }).catch(refuse)
  if (!verified || !registrationInfo) return refuse()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const passkey = {
    id,
    accountId: account.id,
    name,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
    createdAt: new Date(),
    lastUsedAt: null,
  }
  await people.passkeys.add(passkey, limits.passkeys)
  return passkey
}

export async function askForPasskey({ people }: Store, site: Site): Promise<object> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID: site.host, userVerification: 'required' })
  await people.passkeys.ask(options.challenge, ANYBODY, until())
  return options
}

// Whose passkey answered; undefined where it is nobody's, or the answer is not right.
export async function whosePasskey({ people }: Store, site: Site, response: object): Promise<Account | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const given = response as AuthenticationResponseJSON
  const passkey = typeof given.id === 'string' ? await people.passkeys.byId(given.id) : undefined
  if (!passkey) return undefined
  const { id, publicKey, counter } = passkey
  const verdict = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: (challenge) => people.passkeys.answered(challenge, ANYBODY),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).catch(() => undefined)
  if (!verdict?.verified) return undefined
  await people.passkeys.used(id, verdict.authenticationInfo.newCounter, new Date())
  return people.accounts.byId(passkey.accountId)
}

// Anything from outside may be anything: what the library throws is the same as what it refuses.
function refuse(cause?: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('invalid', 'The passkey was not confirmed. Try again.', { cause })
}
