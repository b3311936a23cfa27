// The settings of an issuer that knows people: all of them, or none.
import { ConfigError, isLoopback } from './config-values.ts'
import { type Role, roles } from './domain/roles.ts'

export const openIdSettings = [
  {
    name: 'MEMOIR_OIDC_ISSUER',
    meaning:
      'OpenID Connect issuer through which people sign in to the console, such as https://id.example. Unset: none.',
    fallback: '',
  },
  { name: 'MEMOIR_OIDC_CLIENT_ID', meaning: 'What it calls Memoir. Goes with MEMOIR_OIDC_ISSUER.', fallback: '' },
  { name: 'MEMOIR_OIDC_CLIENT_SECRET', meaning: 'The secret that it gave Memoir, if it gave one.', fallback: '' },
  { name: 'MEMOIR_OIDC_CLIENT_SECRET_FILE', meaning: 'Or a file that holds it.', fallback: '' },
  {
    name: 'MEMOIR_OIDC_ROLE',
    meaning:
      'owner, reviewer or reader: whoever the issuer knows gets an account with this role, for all personas. ' +
      'Unset: only who is invited or has an account comes in.',
    fallback: '',
  },
] as const

export type OpenIdSettings = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  clientSecretFile: string | undefined
  role: Role | undefined // of accounts that are made for whoever comes
}

type OpenIdName = (typeof openIdSettings)[number]['name']

export function openId(text: (name: OpenIdName) => string): OpenIdSettings | undefined {
  const [issuer, clientId] = [text('MEMOIR_OIDC_ISSUER'), text('MEMOIR_OIDC_CLIENT_ID')]
  const [clientSecret, clientSecretFile] = [text('MEMOIR_OIDC_CLIENT_SECRET'), text('MEMOIR_OIDC_CLIENT_SECRET_FILE')]
  const role = text('MEMOIR_OIDC_ROLE')
  if (!issuer && !clientId && !clientSecret && !clientSecretFile && !role) return undefined
  if (!issuer || !clientId)
    throw new ConfigError('MEMOIR_OIDC_ISSUER and MEMOIR_OIDC_CLIENT_ID go together: one of them is missing.')
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ConfigError(`MEMOIR_OIDC_ISSUER must be an https address; it is "${issuer}".`)
  if (clientSecret && clientSecretFile)
    throw new ConfigError('MEMOIR_OIDC_CLIENT_SECRET and MEMOIR_OIDC_CLIENT_SECRET_FILE are both set: one is enough.')
  // An issuer may know the whole world.
  if (role && (role === 'administrator' || !roles.includes(role as Role)))
    throw new ConfigError(`MEMOIR_OIDC_ROLE must be one of owner, reviewer, reader; it is "${role}".`)
  return {
    issuer,
    clientId,
    clientSecret: clientSecret || undefined,
    clientSecretFile: clientSecretFile || undefined,
    role: (role || undefined) as Role | undefined,
  }
}
