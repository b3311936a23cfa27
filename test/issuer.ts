// A small OpenID Connect issuer on this machine: it asks who one is, hands out codes, redeems them once for signed
// tokens, and lies as it is told.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export const CLIENT = { id: 'memoir', secret: 'a secret between two' }

export type Says = {
  claims?: Record<string, unknown> // over those of an honest token; undefined leaves one out
  alg?: 'RS256' | 'ES256' | 'none'
  isForged?: boolean // signed with a key that is not the issuer's
  userInfo?: Record<string, unknown>
  isBroken?: boolean // answers 500 where codes are redeemed
}

type Asked = { nonce: string; challenge: string; back: string; says: Says }

const keys = { RS256: newKeys('RS256'), ES256: newKeys('ES256') }
const forged = newKeys('RS256')

export async function startIssuer(port = 0) {
  const codes = new Map<string, Asked>()
  const issuer = { url: '', says: {} as Says, close: async () => {} }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, issuer.url)
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') return json(discovery(issuer.url))
    if (url.pathname === '/keys')
      return json({ keys: Object.entries(keys).map(([alg, key]) => jwk(alg, key.publicKey)) })
    if (url.pathname === '/userinfo') return json(issuer.says.userInfo)
    if (url.pathname === '/authorize') {
      const asked = url.searchParams
      const code = randomBytes(9).toString('base64url')
      const back = new URL(asked.get('redirect_uri')!)
      const [nonce, challenge] = [asked.get('nonce')!, asked.get('code_challenge')!]
      codes.set(code, { nonce, challenge, back: back.href, says: issuer.says })
      back.search = new URLSearchParams({ code, state: asked.get('state')!, iss: issuer.url }).toString()
      // A person is asked, a program is sent back at once.
      if (!request.headers.accept?.includes('text/html')) return response.writeHead(302, { location: back.href }).end()
      const page = `<!doctype html><title>Issuer</title><a href="${back.href.replaceAll('&', '&amp;')}">Continue</a>`
      return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
    const form = new URLSearchParams(await bodyOf(request))
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const wrong = asked ? wrongOf(asked, form, request) : 'the code'
    if (asked?.says.isBroken) return json({}, 500)
    if (!asked || wrong) return json({ error: 'invalid_grant', error_description: wrong }, 400)
    json({ access_token: 'for-userinfo', token_type: 'Bearer', id_token: tokenOf(issuer.url, asked) })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  issuer.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  after(issuer.close)
  return issuer
}

const discovery = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  userinfo_endpoint: `${url}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

function wrongOf({ challenge, back }: Asked, form: URLSearchParams, { headers }: IncomingMessage): string | undefined {
  const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
  if (verifier.digest('base64url') !== challenge) return 'the verifier'
  if (form.get('redirect_uri') !== back) return 'the address'
  const [id, secret] = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64')
    .toString()
    .split(':')
  const plain = (text = '') => decodeURIComponent(text.replaceAll('+', ' '))
  return plain(id) === CLIENT.id && plain(secret) === CLIENT.secret ? undefined : 'the client'
}

function tokenOf(url: string, { nonce, says: { claims, alg = 'RS256', isForged } }: Asked): string {
  const now = Math.floor(Date.now() / 1000)
  const honest = { iss: url, aud: CLIENT.id, sub: 'nobody', iat: now, exp: now + 300, nonce, email_verified: true }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg, kid: alg, typ: 'JWT' })}.${part({ ...honest, ...claims })}`
  if (alg === 'none') return `${text}.`
  const key = isForged ? forged.privateKey : keys[alg].privateKey
  return `${text}.${createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const jwk = (alg: string, key: KeyObject) => ({ ...key.export({ format: 'jwk' }), alg, kid: alg, use: 'sig' })

function newKeys(alg: 'RS256' | 'ES256') {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}
