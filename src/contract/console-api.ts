// Signing in to the console. These are the page's own and no part of the described interface: programs send a key.
import { z } from 'zod'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'
import { email, password } from './people-api.ts'

// Carries the half of a session that one tab of the browser keeps.
export const tabHeader = 'x-memoir-tab'

const Opened = z.object({ tab: z.string().describe(`Goes into ${tabHeader}; a cookie holds the other half.`) })

const stay = field.flag.default(false).describe('The session outlives the tab and the browser.')
const token = field.text(limits.keyCharacters).min(1, 'is empty')

export const signInWays = operation({
  name: 'signInWays',
  method: 'GET',
  path: '/console/ways',
  summary: 'How people sign in here',
  answer: z.object({
    accounts: z.boolean().describe('There are accounts; else there is the admin key alone.'),
    openid: z.string().nullable().describe('The host of the OpenID Connect issuer through which people sign in.'),
  }),
  errors: {},
})

export const signIn = operation({
  name: 'signIn',
  method: 'POST',
  path: '/console/session',
  summary: 'Open a session of the console with the admin key, or with a mail address and a password',
  body: z.object({
    key: field.text(limits.keyCharacters).min(1, 'is empty').optional(),
    email: field.text(limits.nameCharacters).optional(),
    password: password.optional(),
    stay,
  }),
  answer: Opened,
  errors: { 400: 'The key, or the password, is missing.', 403: 'They are not right.' },
})

export const signOut = operation({
  name: 'signOut',
  method: 'DELETE',
  path: '/console/session',
  summary: 'End the session',
  answer: z.object({ signed_out: z.boolean() }),
  errors: {},
})

export const openInvitation = operation({
  name: 'openInvitation',
  method: 'POST',
  path: '/console/invitation',
  summary: 'What a one-time link leads to',
  body: z.object({ token }),
  answer: z.object({
    email: z.string().describe('Empty: whoever comes says it.'),
    is_reset: z.boolean(),
    expires_at: z.string(),
  }),
  errors: { 404: 'The link was used, withdrawn, or has run out.' },
})

export const acceptInvitation = operation({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/console/invitation/accept',
  summary: 'Make the account that a one-time link leads to, or set its new password, and sign in',
  body: z.object({
    token,
    email: email.optional(),
    name: field.text(limits.nameCharacters).default(''),
    password,
    stay,
  }),
  answer: Opened,
  errors: { 400: 'A field is missing or malformed.', 404: 'The link was used, withdrawn, or has run out.' },
})

export const askForPasskey = operation({
  name: 'askForPasskey',
  method: 'POST',
  path: '/console/passkey/options',
  summary: 'What a browser answers with a passkey (WebAuthn)',
  answer: z.object({ options: z.record(z.string(), z.unknown()) }),
  errors: {},
})

export const signInByPasskey = operation({
  name: 'signInByPasskey',
  method: 'POST',
  path: '/console/passkey',
  summary: 'Open a session of the console with a passkey',
  body: z.object({ response: z.record(z.string(), z.unknown(), { error: 'is missing' }), stay }),
  answer: Opened,
  errors: { 400: 'A field is missing.', 403: 'The passkey is not known, or was not confirmed.' },
})

export const beginOpenId = operation({
  name: 'beginOpenId',
  method: 'POST',
  path: '/console/openid/begin',
  summary: 'Where a browser goes to sign in through the OpenID Connect issuer',
  answer: z.object({ address: z.string() }),
  errors: { 404: 'There is none.', 503: 'It does not answer.' },
})

export const signInByOpenId = operation({
  name: 'signInByOpenId',
  method: 'POST',
  path: '/console/openid',
  summary: 'Open a session of the console with what the issuer sent the browser back with',
  body: z.object({
    query: field.text(limits.openIdQueryCharacters).describe('All of the query of the address.'),
    stay,
  }),
  answer: Opened,
  errors: { 400: 'A field is missing.', 403: 'It is not known who that is, or they may not come in.' },
})

export const consoleOperations = [
  signIn,
  signOut,
  signInWays,
  openInvitation,
  acceptInvitation,
  askForPasskey,
  signInByPasskey,
  beginOpenId,
  signInByOpenId,
]
