// An OpenID Connect issuer of the owner's choice: the code flow with PKCE, every signature verified.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type * as library from 'openid-client'
import { AppError } from '../domain/errors.ts'
import type { Identity } from '../domain/people.ts'
import type { OpenId } from '../ports/open-id.ts'
import { readBody } from './fetch-body.ts'
import { limits } from './limits.ts'

export type OpenIdNeeds = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  onTrouble(error: unknown): void
}

type Library = typeof library
type Known = { at: number; issuer: library.Configuration }

export function createOpenId({ onTrouble, ...settings }: OpenIdNeeds): OpenId {
  const name = new URL(settings.issuer).host
  let known: Known | undefined

  // Loaded and asked by the first who signs in with it; a start does not wait for an issuer.
  const open = async () => {
    const client = await import('openid-client')
    if (!known || Date.now() - known.at > limits.openIdKeptMs) {
      const issuer = await discover(client, settings).catch((cause) => {
        onTrouble(cause)
        throw silent(name, cause)
      })
      known = { at: Date.now(), issuer }
    }
    return { client, issuer: known.issuer }
  }

  return {
    name,

    async addressFor({ back, state, nonce, verifier }) {
      const { client, issuer } = await open()
      const address = client.buildAuthorizationUrl(issuer, {
        redirect_uri: back,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return address.href
    },

    async recognise({ back, state, nonce, verifier }, query) {
      const { client, issuer } = await open()
      const current = new URL(back)
      current.search = query
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      try {
        const tokens = await client.authorizationCodeGrant(issuer, current, checks)
        const claims = tokens.claims()!
        if (plain(claims.sub) !== claims.sub) throw new Error('The subject is no plain text, or too long.')
        // Some issuers keep the address out of the token.
        const isAsked = claims.email === undefined && issuer.serverMetadata().userinfo_endpoint !== undefined
        const more = isAsked ? await client.fetchUserInfo(issuer, tokens.access_token, claims.sub) : {}
        return identityFrom(claims.iss, { ...claims, ...more })
      } catch (cause) {
        onTrouble(cause)
        throw isSilence(cause) ? silent(name, cause) : refused(name, cause)
      }
    },
  }
}

type Settings = Omit<OpenIdNeeds, 'onTrouble'>

function discover(client: Library, { issuer, clientId, clientSecret }: Settings): Promise<library.Configuration> {
  const address = new URL(issuer)
  const execute = [client.enableNonRepudiationChecks]
  // The settings allow it on this machine alone.
  if (address.protocol === 'http:') execute.push(client.allowInsecureRequests)
  const metadata = { [client.clockTolerance]: limits.openIdClockS }
  return client.discovery(address, clientId, metadata, authentication(client, clientSecret), {
    timeout: limits.timeoutMs / 1000,
    [client.customFetch]: fetchSome,
    execute,
  })
}

// As the issuer likes it; in a header where it does not say.
function authentication(client: Library, secret: string | undefined): library.ClientAuth {
  if (secret === undefined) return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (ways.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

const fetchSome: library.CustomFetch = async (url, options) => {
  const { body, status, headers } = await fetch(url, options as RequestInit)
  const bytes = body && (await readBody(Readable.fromWeb(body as ReadableStream), '', limits.openIdBytes))
  return new Response(bytes && new Uint8Array(bytes), { status, headers })
}

type Claims = { sub: string; email?: unknown; email_verified?: unknown; name?: unknown }

const identityFrom = (issuer: string, { sub, email, email_verified, name }: Claims): Identity => ({
  issuer,
  subject: sub,
  email: plain(email),
  isVerified: email_verified === true,
  name: plain(name),
})

// As a store can hold it.
const plain = (text: unknown): string =>
  typeof text === 'string' ? text.slice(0, limits.openIdCharacters).toWellFormed().replaceAll('\0', '') : ''

const silences = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']

const isSilence = (error: unknown): boolean =>
  (error instanceof TypeError && error.cause !== undefined) ||
  silences.includes((error as { code?: string }).code ?? '')

const silent = (name: string, cause: unknown): AppError =>
  new AppError('unavailable', `${name} does not answer. Sign in another way, or try again later.`, { cause })

const refused = (name: string, cause: unknown): AppError =>
  new AppError('unauthorized', `${name} did not confirm who you are. Try again.`, { cause })
