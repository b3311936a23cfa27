// Signing in through an OpenID Connect issuer: who comes in, who does not, and what an issuer or a thief may try.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'
import { CLIENT, type Says, startIssuer } from './issuer.ts'
import { invite, join, personOf, signIn } from './signed-in.ts'
import { ADMIN_KEY, type Answer, type Started, startService, temporaryFolder } from './started.ts'

const issuer = await startIssuer()
const settings = (url: string) => ({
  MEMOIR_READER: '0',
  MEMOIR_OIDC_ISSUER: url,
  MEMOIR_OIDC_CLIENT_ID: CLIENT.id,
  MEMOIR_OIDC_CLIENT_SECRET: CLIENT.secret,
})
const service = await startService(settings(issuer.url))
await service.persona('ada-l')

type Way = { cookie: string; query: string }

// There, and back with what the issuer says.
async function go(says: Says, one: Started = service): Promise<Way> {
  issuer.says = says
  const { body, headers } = await one.call({ path: '/console/openid/begin' })
  const { headers: back } = await fetch(body.address, { redirect: 'manual' })
  const location = new URL(back.get('location')!)
  assert.equal(`${location.origin}${location.pathname}`, `${one.url}/console/openid`)
  return { cookie: headers.get('set-cookie')!.split(';')[0]!, query: location.search }
}

const arrive = ({ cookie, query }: Way, one: Started = service) =>
  one.call({ path: '/console/openid', body: { query }, headers: { cookie } })

const come = async (says: Says, one: Started = service): Promise<Answer> => arrive(await go(says, one), one)
const ofAda = { sub: 'ada-1', email: 'ada@example.com', name: 'Ada L.' }
const meOf = async (answer: Answer, one: Started = service) => {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  // The last cookie: the first one takes the secret away.
  const cookie = answer.headers.getSetCookie().at(-1)!
  const headers = new Headers({ 'set-cookie': cookie })
  const person = await personOf(one, { ...answer, headers })
  return (await person.call({ method: 'GET', path: '/admin/me' })).body
}
const lastOf = async (what: string) =>
  (await service.admin('GET', '/audit')).entries.find((entry: { what: string }) => entry.what === what)

describe('who comes in', () => {
  test('somebody invited, with the role and the personas of the invitation, and from then on by their subject', async () => {
    assert.equal((await service.call({ method: 'GET', path: '/console/ways' })).body.openid, new URL(issuer.url).host)
    await invite(service, 'Ada@Example.com', { role: 'reviewer', personas: ['ada-l'] })
    const me = await meOf(await come({ claims: ofAda }))
    assert.deepEqual([me.email, me.name, me.role, me.personas], ['ada@example.com', 'Ada L.', 'reviewer', ['ada-l']])
    assert.equal(me.has_password, false)
    assert.equal((await service.admin('GET', '/people')).invitations.length, 0)
    assert.equal((await lastOf('signIn')).outcome, 'done')
    assert.equal((await lastOf('acceptInvitation')).who, me.id)
    // The address changed, and nobody verified the new one: it is the same person.
    const claims = { ...ofAda, email: 'ada@elsewhere.example', email_verified: false }
    const later = await meOf(await come({ claims, alg: 'ES256' }))
    assert.deepEqual([later.id, later.email], [me.id, 'ada@example.com'])
  })

  test('somebody with an account, by the address that the issuer verified; it may be in the user info alone', async () => {
    const { id } = await join(service, 'ben@example.com')
    const userInfo = { sub: 'ben-1', email: 'BEN@example.com', email_verified: true }
    const says = { claims: { sub: 'ben-1', email_verified: undefined }, userInfo }
    assert.equal((await meOf(await come(says))).id, id)
    // The address has gone to another person there.
    const other = await come({ claims: { sub: 'ben-2', email: 'ben@example.com' } })
    assert.deepEqual([other.status, /somebody else/.test(other.body.detail)], [403, true])
    await service.admin('DELETE', `/people/${id}`)
    assert.equal((await come(says)).status, 403)
  })

  test('nobody else, who is told so', async () => {
    const { status, body } = await come({ claims: { sub: 'eve', email: 'eve@example.com' } })
    const sentence = 'eve@example.com has no account here and is not invited. Ask an administrator.'
    assert.deepEqual([status, body.detail], [403, sentence])
    assert.deepEqual([(await lastOf('signIn')).outcome, (await lastOf('signIn')).who], ['unauthorized', 'nobody'])
    await invite(service, 'cal@example.com')
    const claims = { sub: 'cal', email: 'cal@example.com', email_verified: false }
    assert.match((await come({ claims })).body.detail, /has not verified that cal@example.com is yours/)
    const withoutAddress = { claims: { sub: 'cal' }, userInfo: { sub: 'cal' } }
    assert.match((await come(withoutAddress)).body.detail, /does not say your mail address/)
  })
})

describe('what is refused', () => {
  const lies: [string, Says][] = [
    ['another nonce', { claims: { ...ofAda, nonce: 'of another sign-in' } }],
    ['another audience', { claims: { ...ofAda, aud: 'another program' } }],
    ['another issuer', { claims: { ...ofAda, iss: 'https://id.example' } }],
    ['a token that has run out', { claims: { ...ofAda, exp: Math.floor(Date.now() / 1000) - 120 } }],
    ['a forged signature', { claims: ofAda, isForged: true }],
    ['no signature', { claims: ofAda, alg: 'none' }],
  ]
  for (const [what, says] of lies)
    test(what, async () => {
      const { status, body } = await come(says)
      assert.deepEqual([status, /did not confirm who you are/.test(body.detail)], [403, true], body.detail)
    })

  test('another state, another browser, the same answer twice', async () => {
    const way = await go({ claims: ofAda })
    // Ends otherwise: the cookie is found, and what is in it does not fit.
    const state = new URLSearchParams(way.query).get('state')!
    const query = way.query.replace(state, `${state.slice(0, -4)}AAAA`)
    assert.equal((await arrive({ ...way, query })).status, 403)
    const other = await go({ claims: ofAda })
    assert.equal((await arrive({ ...other, cookie: '' })).status, 403)
    assert.equal((await arrive(other)).status, 200)
    assert.equal((await arrive(other)).status, 403)
    const gone = await go({ claims: ofAda })
    const given = new URLSearchParams(gone.query)
    const refusal = new URLSearchParams({ error: 'access_denied', state: given.get('state')!, iss: issuer.url })
    assert.equal((await arrive({ ...gone, query: `?${refusal}` })).status, 403)
  })

  test('settings that do not fit together', () => {
    const env = { MEMOIR_OIDC_ISSUER: 'https://id.example', MEMOIR_OIDC_CLIENT_ID: 'memoir' }
    assert.ok(readConfig(env).openId)
    for (const wrong of [
      { MEMOIR_OIDC_CLIENT_ID: '' },
      { MEMOIR_OIDC_ISSUER: 'http://id.example' },
      { MEMOIR_OIDC_ISSUER: 'id.example' },
      { MEMOIR_OIDC_ROLE: 'administrator' },
      { MEMOIR_OIDC_CLIENT_SECRET: 'one', MEMOIR_OIDC_CLIENT_SECRET_FILE: 'two' },
    ])
      assert.throws(() => readConfig({ ...env, ...wrong }), ConfigError)
  })

  test('where there is no issuer', async () => {
    const plain = await startService({ MEMOIR_READER: '0' })
    assert.equal((await plain.call({ method: 'GET', path: '/console/ways' })).body.openid, null)
    assert.equal((await plain.call({ path: '/console/openid/begin' })).status, 404)
    assert.equal((await plain.call({ path: '/console/openid', body: { query: '?code=1&state=2' } })).status, 404)
    await plain.close()
  })
})

test('a dead issuer says so, and leaves the other ways; with a role, whoever it knows comes in', async () => {
  const gone = await startIssuer()
  const port = Number(new URL(gone.url).port)
  await gone.close()
  const file = joinPath(temporaryFolder(), 'secret')
  writeFileSync(file, `${CLIENT.secret}\n`)
  const { MEMOIR_OIDC_CLIENT_SECRET: _, ...rest } = settings(gone.url)
  const open = await startService({ ...rest, MEMOIR_OIDC_CLIENT_SECRET_FILE: file, MEMOIR_OIDC_ROLE: 'reader' })
  await join(open, 'dan@example.com')
  const { status, body } = await open.call({ path: '/console/openid/begin' })
  assert.deepEqual([status, /^127\.0\.0\.1:\d+ does not answer/.test(body.detail)], [503, true])
  assert.equal((await signIn(open, 'dan@example.com')).status, 200)
  assert.equal((await open.call({ path: '/console/session', body: { key: ADMIN_KEY } })).status, 200)

  const back = await startIssuer(port)
  const claims = { sub: 'fay', email: 'fay@example.com' }
  const arriveThere = async (says: Says) => {
    back.says = says
    const begun = await open.call({ path: '/console/openid/begin' })
    const answer = await fetch(begun.body.address, { redirect: 'manual' })
    const query = new URL(answer.headers.get('location')!).search
    return arrive({ cookie: begun.headers.get('set-cookie')!.split(';')[0]!, query }, open)
  }
  assert.equal((await arriveThere({ claims, isBroken: true })).status, 503)
  const me = await meOf(await arriveThere({ claims }), open)
  assert.deepEqual([me.name, me.role, me.personas], ['fay', 'reader', '*'])
})
