// Accounts: the first link, invitations, passwords, and sessions of the console that are kept in the store.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { firstStart } from '../src/app/first-start.ts'
import { welcome } from '../src/cli/serve.ts'
import { hashSecret } from '../src/domain/people.ts'
import { halvesOf, invite, join, PASSWORD, personOf, signIn } from './signed-in.ts'
import { ADMIN_KEY, isOnPostgres, type Started, startService, temporaryFolder } from './started.ts'

const service = await startService({ MEMOIR_READER: '0' })
await service.persona('ada-l')
const accept = (token: string, more: object = {}) =>
  service.call({ path: '/console/invitation/accept', body: { token, password: PASSWORD, name: 'Ada', ...more } })

// The same service again: another process on the same store.
const beside = (one: Started) =>
  startService({
    MEMOIR_READER: '0',
    MEMOIR_DATA: isOnPostgres ? temporaryFolder() : one.folder,
    ...(one.databaseUrl && { MEMOIR_DATABASE_URL: one.databaseUrl }),
  })

describe('the first start', () => {
  test('makes a link to the account of an administrator, once', async () => {
    const empty = await startService({ MEMOIR_READER: '0' })
    for (const { id } of await empty.store.keys.list()) await empty.store.keys.remove(id)
    const made = await firstStart(empty.app, empty.store, { adminKey: ADMIN_KEY, guide: false })
    assert.match(made.ownerPath!, /^\/console\/welcome#[\w-]{43}$/)
    assert.equal((await firstStart(empty.app, empty.store, { guide: true })).ownerPath, undefined)
    const token = made.ownerPath!.split('#')[1]
    const look = await empty.call({ path: '/console/invitation', body: { token } })
    assert.deepEqual([look.body.email, look.body.is_reset], ['', false])
    const body = { token, password: PASSWORD, name: 'Ada' }
    assert.equal((await empty.call({ path: '/console/invitation/accept', body })).body.detail, 'email is missing.')
    const owner = { ...body, email: 'Ada@example.com' }
    const person = await personOf(empty, await empty.call({ path: '/console/invitation/accept', body: owner }))
    const me = (await person.call({ method: 'GET', path: '/admin/me' })).body
    assert.deepEqual([me.email, me.role, me.personas], ['Ada@example.com', 'administrator', '*'])
    assert.equal(
      (await person.call({ path: '/admin/personas', body: { domain_name: 'new', name: 'New' } })).status,
      200,
    )
    assert.equal((await empty.call({ method: 'GET', path: '/console/ways' })).body.accounts, true)
    await empty.close()
  })
})

describe('an invitation', () => {
  test('leads to one account, once', async () => {
    const token = await invite(service, 'once@example.com')
    const both = await Promise.all([accept(token), accept(token)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404])
    assert.equal((await service.call({ path: '/console/invitation', body: { token } })).status, 404)
    const again = await service.call({
      path: '/admin/people',
      key: ADMIN_KEY,
      body: { email: 'ONCE@example.com' },
    })
    assert.equal(again.status, 409)
  })

  test('is kept as a hash, and the newest for an address is the one that leads anywhere', async () => {
    const first = await invite(service, 'twice@example.com')
    const second = await invite(service, 'twice@example.com')
    const kept = await service.store.people.invitations.list()
    assert.ok(!JSON.stringify(kept).includes(second))
    assert.equal((await accept(first)).status, 404)
    assert.equal((await accept(second)).status, 200)
  })

  test('runs out, and can be withdrawn', async () => {
    const at = new Date(Date.now() - 1_000)
    await service.store.people.invitations.create({
      id: 'old',
      hash: hashSecret('token'),
      email: 'late@example.com',
      role: 'reader',
      personas: [],
      accountId: null,
      createdAt: at,
      expiresAt: at,
    })
    assert.equal((await accept('token')).status, 404)
    const token = await invite(service, 'gone@example.com')
    const { invitations } = await service.admin('GET', '/people')
    const { id } = invitations.find((one: { email: string }) => one.email === 'gone@example.com')
    await service.admin('DELETE', `/people/invitations/${id}`)
    assert.equal((await accept(token)).status, 404)
  })

  test('is for the address it names', async () => {
    const token = await invite(service, 'named@example.com')
    const person = await personOf(service, await accept(token, { email: 'other@example.com' }))
    assert.equal((await person.call({ method: 'GET', path: '/admin/me' })).body.email, 'named@example.com')
  })
})

describe('a password', () => {
  test('has twelve characters, and is none of the commonest', async () => {
    const token = await invite(service, 'violetta@example.com')
    const wrong = [
      'short',
      'elevenchars',
      'password1234',
      'P@ssw0rd2024!',
      'qwertyuiop123',
      '123456789012',
      'aaaaaaaaaaaa',
      'abcabcabcabcabc',
      'iloveyou!!!!!',
      'violetta1234',
      'x'.repeat(300),
    ]
    for (const password of wrong) assert.equal((await accept(token, { password })).status, 400, password)
    assert.equal((await accept(token, { password: 'tall ship at noon' })).status, 200)
  })

  test('signs in, whatever the case of the address; anything else is refused in the same words', async () => {
    await join(service, 'sam@example.com')
    assert.equal((await signIn(service, ' SAM@example.com ')).status, 200)
    const wrong = await signIn(service, 'sam@example.com', 'not the password at all')
    const unknown = await signIn(service, 'nobody@example.com', 'not the password at all')
    assert.deepEqual([wrong.status, wrong.body], [403, unknown.body])
    assert.equal((await service.call({ path: '/console/session', body: { email: 'sam@example.com' } })).status, 400)
  })

  test('takes as long to be refused for an address without an account', async () => {
    const times: Record<string, number[]> = { 'sam@example.com': [], 'nobody-at-all@example.com': [] }
    for (let n = 0; n < 3; n++)
      for (const email of Object.keys(times)) {
        const began = performance.now()
        await signIn(service, email, 'not the password at all')
        times[email]!.push(performance.now() - began)
      }
    const [known, unknown] = Object.values(times).map((all) => Math.min(...all))
    // Without the comparison it would be a hundredth.
    assert.ok(unknown! > known! / 4, `${unknown} ms against ${known} ms`)
  })

  test('is changed by who knows it; other sessions end', async () => {
    const here = await join(service, 'change@example.com')
    const elsewhere = await personOf(service, await signIn(service, 'change@example.com'))
    const change = (old_password: string, password: string) =>
      here.call({ path: '/admin/me/password', body: { old_password, password } })
    assert.equal((await change('wrong old password', 'a much better one')).status, 400)
    assert.equal((await change(PASSWORD, 'short')).status, 400)
    assert.deepEqual((await change(PASSWORD, 'a much better one')).body, { ended: 1 })
    assert.equal((await here.call({ method: 'GET', path: '/admin/me' })).status, 200)
    assert.equal((await elsewhere.call({ method: 'GET', path: '/admin/me' })).status, 401)
    assert.equal((await signIn(service, 'change@example.com')).status, 403)
    assert.equal((await signIn(service, 'change@example.com', 'a much better one')).status, 200)
  })

  test('that was lost is replaced by a link; whoever was signed in is out', async () => {
    const person = await join(service, 'lost@example.com')
    const { path } = await service.admin('POST', `/people/${person.id}/reset`)
    const answer = await accept(path.split('#')[1], { password: 'found behind the sofa' })
    assert.equal(answer.status, 200)
    assert.equal((await person.call({ method: 'GET', path: '/admin/me' })).status, 401)
    const again = await personOf(service, answer)
    assert.equal(again.id, person.id)
    assert.equal((await signIn(service, 'lost@example.com', 'found behind the sofa')).status, 200)
  })

  test('is guessed ten times a minute, and no more, wherever the guesses come from', async () => {
    const proxied = await startService({ MEMOIR_READER: '0', MEMOIR_BEHIND_PROXY: '1' })
    await join(proxied, 'target@example.com')
    const guess = (n: number, email: string, password = 'a guess of a password') =>
      proxied.call({
        path: '/console/session',
        body: { email, password },
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      })
    for (const email of ['target@example.com', 'unknown@example.com']) {
      const guesses = Array.from({ length: 20 }, async (_, n) => (await guess(n, email)).status)
      // Who is refused hears at once, while the ten are still being checked.
      const refused = guesses.map(async (status) => assert.equal(await status, 429))
      await Promise.any(refused)
      assert.equal((await guess(99, email, PASSWORD)).status, 429, 'also the right one')
      const checked = (await Promise.all(guesses)).filter((status) => status === 403).length
      assert.ok(checked >= 10 && checked <= 12, `${checked} of 20 guesses at ${email} were checked`)
    }
    await proxied.close()
  })

  test('is hashed beside the event loop', async () => {
    const began = performance.now()
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    await Promise.all([1, 2, 3].map((n) => signIn(service, `busy-${n}@example.com`, 'some long password')))
    clearInterval(timer)
    const most = (performance.now() - began) / 5
    assert.ok(turns > most / 4, `${turns} turns of at most ${most}`)
  })
})

describe('a session', () => {
  test('survives a restart, and serves behind any balancer', async () => {
    const first = await startService({ MEMOIR_READER: '0' })
    const person = await join(first, 'ada@example.com', { role: 'administrator' })
    const owner = halvesOf(await first.call({ path: '/console/session', body: { key: ADMIN_KEY } }))
    if (!isOnPostgres) await first.close()
    const second = await beside(first)
    for (const headers of [person.halves, owner]) {
      const { status } = await second.call({ method: 'GET', path: '/admin/personas', headers })
      assert.equal(status, 200)
    }
    // What one process ends, the other refuses at once.
    const all = await second.call({ method: 'GET', path: '/admin/sign-ins', headers: person.halves })
    const out = { method: 'DELETE', path: `/admin/sign-ins/${all.body.sign_ins[0].id}`, headers: person.halves }
    assert.equal((await second.call(out)).status, 200)
    const one = isOnPostgres ? first : second
    assert.equal((await one.call({ method: 'GET', path: '/admin/me', headers: person.halves })).status, 401)
    await first.close()
    await second.close()
  })

  test('is listed with device and address, and ended one by one or all', async () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const here = await join(service, 'many@example.com')
    const other = await service.call({
      path: '/console/session',
      body: { email: 'many@example.com', password: PASSWORD, stay: true },
      headers: { 'user-agent': agent },
    })
    assert.match(other.headers.get('set-cookie')!, /Max-Age=2592000$/)
    const third = await personOf(service, await signIn(service, 'many@example.com'))
    const list = async () => (await here.call({ method: 'GET', path: '/admin/sign-ins' })).body.sign_ins
    const all: { id: string; device: string; address: string; is_this: boolean; is_kept: boolean }[] = await list()
    assert.equal(all.length, 3)
    assert.equal(all.filter(({ is_this }) => is_this).length, 1)
    const kept = all.find(({ is_kept }) => is_kept)!
    assert.equal(kept.device, 'Firefox on Windows')
    assert.match(kept.address, /127\.0\.0\.1|::1/)
    assert.ok(!JSON.stringify(all).includes(here.halves['x-memoir-tab']!.split('.')[1]!))

    assert.equal((await here.call({ method: 'DELETE', path: `/admin/sign-ins/${kept.id}` })).status, 200)
    assert.equal((await service.call({ method: 'GET', path: '/admin/me', headers: halvesOf(other) })).status, 401)
    assert.deepEqual((await here.call({ method: 'DELETE', path: '/admin/sign-ins' })).body, { ended: 1 })
    assert.equal((await third.call({ method: 'GET', path: '/admin/me' })).status, 401)
    assert.equal((await list()).length, 1)
    assert.equal((await here.call({ method: 'DELETE', path: '/console/session' })).body.signed_out, true)
    assert.equal((await here.call({ method: 'GET', path: '/admin/me' })).status, 401)
  })

  test('of another is for an administrator to see and end', async () => {
    const one = await join(service, 'one@example.com')
    const two = await join(service, 'two@example.com', { role: 'owner', personas: '*' })
    const [{ id }] = (await one.call({ method: 'GET', path: '/admin/sign-ins' })).body.sign_ins
    const end = (query: string) => two.call({ method: 'DELETE', path: `/admin/sign-ins/${id}${query}` })
    assert.equal((await end('')).status, 404)
    assert.equal((await end(`?person=${one.id}`)).status, 403)
    assert.deepEqual(await service.admin('DELETE', `/sign-ins/${id}?person=${one.id}`), { ended: 1 })
    assert.equal((await one.call({ method: 'GET', path: '/admin/me' })).status, 401)
  })

  test('ends with its account, and knows less as soon as its role does', async () => {
    const person = await join(service, 'less@example.com', { role: 'owner', personas: ['ada-l'] })
    const rename = () => person.call({ method: 'PATCH', path: '/admin/personas/ada-l', body: { name: 'Ada' } })
    assert.equal((await rename()).status, 200)
    await service.admin('PATCH', `/people/${person.id}`, { role: 'reader' })
    assert.equal((await rename()).status, 403)
    await service.admin('PATCH', `/people/${person.id}`, { personas: [] })
    assert.equal((await person.call({ method: 'GET', path: '/admin/personas/ada-l' })).status, 404)
    await service.admin('DELETE', `/people/${person.id}`)
    assert.equal((await person.call({ method: 'GET', path: '/admin/me' })).status, 401)
    assert.equal((await signIn(service, 'less@example.com')).status, 403)
  })
})

test('an administrator does not lock themselves out', async () => {
  const boss = await join(service, 'boss@example.com', { role: 'administrator' })
  const at = `/admin/people/${boss.id}`
  assert.equal((await boss.call({ method: 'PATCH', path: at, body: { role: 'reader' } })).status, 400)
  assert.equal((await boss.call({ method: 'DELETE', path: at })).status, 400)
})

test('the audit record tells who of them did what', async () => {
  const owner = await join(service, 'clara@example.com', { role: 'owner', personas: ['ada-l'] })
  await owner.call({ method: 'PATCH', path: '/admin/personas/ada-l', body: { threshold: 3 } })
  await signIn(service, 'clara@example.com', 'a wrong password entirely')
  const { entries } = await service.admin('GET', '/audit?limit=4')
  assert.deepEqual(entries.map(({ who, what, outcome }: Record<string, string>) => [who, what, outcome]).reverse(), [
    ['owner', 'invitePerson', 'done'],
    [owner.id, 'acceptInvitation', 'done'],
    [owner.id, 'changePersona', 'done'],
    ['nobody', 'signIn', 'unauthorized'],
  ])
  assert.equal(entries[1].name, 'clara')
  assert.ok(!JSON.stringify(entries).includes('wrong password'))
})

describe('a passkey', () => {
  test('that is made up is refused, and a question is answered once', async () => {
    const ask = async () => (await service.call({ path: '/console/passkey/options', body: {} })).body.options
    const { challenge, userVerification } = await ask()
    assert.ok(Buffer.from(challenge, 'base64url').length >= 32)
    assert.equal(userVerification, 'required')
    assert.notEqual((await ask()).challenge, challenge)
    const answers = [{}, { id: 'x' }, { id: 7 }, { id: 'x', response: { clientDataJSON: 'e30' } }]
    for (const response of answers) {
      const { status, body } = await service.call({ path: '/console/passkey', body: { response } })
      assert.deepEqual([status, body.detail], [403, 'This passkey is not known here, or was not confirmed.'])
    }
    assert.equal((await service.call({ path: '/console/passkey', body: {} })).status, 400)
    const { passkeys } = service.store.people
    assert.deepEqual([await passkeys.answered(challenge, ''), await passkeys.answered(challenge, '')], [true, false])
  })

  test('of another is not added: a question belongs to who asked it', async () => {
    const person = await join(service, 'device@example.com')
    const other = await join(service, 'other-device@example.com')
    const { options } = (await person.call({ path: '/admin/me/passkeys/options', body: {} })).body
    assert.equal(options.user.name, 'device@example.com')
    assert.equal(await service.store.people.passkeys.answered(options.challenge, other.id), false)
    const response = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
    const { status } = await person.call({ path: '/admin/me/passkeys', body: { response } })
    assert.equal(status, 400)
    const byKey = await service.call({
      path: '/admin/me/passkeys/options',
      key: ADMIN_KEY,
      body: {},
    })
    assert.equal(byKey.status, 400)
  })
})

describe('the command line', () => {
  const env = { ...process.env, MEMOIR_URL: service.url, MEMOIR_KEY: ADMIN_KEY }
  const memoir = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'people', ...args], { env })).stdout

  test('invites, lists, changes, resets and removes people', async () => {
    const invited = JSON.parse(await memoir('invite', 'cli@example.com', '--personas', 'ada-l', '--json'))
    assert.deepEqual([invited.role, invited.personas], ['reader', ['ada-l']])
    assert.ok(invited.link.startsWith(`${service.url}/console/welcome#`))
    const person = await personOf(service, await accept(invited.link.split('#')[1]))
    assert.match(await memoir('list'), /cli@example\.com +Ada +reader +ada-l/)
    assert.match(await memoir('set', person.id, '--role', 'reviewer', '--personas', '*'), /is reviewer of all/)
    assert.match(await memoir('reset', person.id), /\/console\/welcome#[\w-]{43}\n/)
    assert.equal(await memoir('remove', person.id), `Removed ${person.id}.\n`)
    await assert.rejects(memoir('invite', 'nowhere'), /email is no mail address/)
    const { id } = JSON.parse(await memoir('invite', 'back@example.com', '--json'))
    assert.equal(await memoir('withdraw', id), `Withdrawn ${id}.\n`)
  })

  test('shows the first link where the service starts', () => {
    const shown = welcome({ url: 'http://localhost' }, { ownerPath: '/console/welcome#token' }, './data')
    assert.match(shown, /Open this once within a week.*\n.*http:\/\/localhost\/console\/welcome#token/)
  })
})
