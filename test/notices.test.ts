// People are told of what waits: by mail from a real server, once, in their language, while they may and want to be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { nextDigest } from '../src/domain/notice.ts'
import { start } from '../src/start.ts'
import { startPushService } from './push-service.ts'
import { join } from './signed-in.ts'
import { startSmtp } from './smtp-server.ts'
import { isOnPostgres, startService, storedIn, temporaryFolder } from './started.ts'

const smtp = await startSmtp()
const browsers = await startPushService()
const env = {
  MEMOIR_READER: '0',
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
  MEMOIR_SMTP_URL: smtp.url,
  MEMOIR_MAIL_FROM: 'Memoir <memoir@example.com>',
  MEMOIR_PUBLIC_URL: 'https://memoir.example',
  MEMOIR_NOTICE_DELAY_S: '1',
  MEMOIR_DISK_LEAST_MIB: '0',
  MEMOIR_DATA: temporaryFolder(),
}
const service = await startService(env)
await service.persona('pottery', { name: 'Osman’s Pottery' })
await service.persona('others', { name: 'Others' })
const key = await service.key('*')
const rita = await join(service, 'rita@example.com', { role: 'reviewer', personas: ['pottery'] })
const olga = await join(service, 'olga@example.com', { role: 'owner', personas: ['pottery', 'others'] })
const readingOnly = await join(service, 'reader@example.com', { role: 'reader', personas: ['pottery'] })

const QUESTION = 'What is the secret glaze?'
const draft = (DomainName = 'pottery') =>
  service.call({ path: '/v1/message', key, body: { DomainName, Text: QUESTION, is_draft: true } })
const change = async (person: typeof rita, body: object) =>
  (await person.call({ method: 'PATCH', path: '/admin/me/notices', body })).body

test('nobody is told who did not ask for it; the admin key cannot ask', async () => {
  assert.equal(
    (await service.call({ method: 'GET', path: '/admin/me/notices', key: 'admin-key-of-the-tests' })).status,
    400,
  )
  const { mail } = (await rita.call({ method: 'GET', path: '/admin/me/notices' })).body
  assert.deepEqual(mail, { is_possible: true, drafts: false, digest: false, language: 'en', trouble: null })
  assert.equal((await rita.call({ path: '/admin/me/notices/test', body: {} })).status, 400)
  const wrong = await rita.call({ method: 'PATCH', path: '/admin/me/notices', body: { time_zone: 'Nowhere/At all' } })
  assert.match(wrong.body.detail, /time_zone is no time zone/)
})

test('many drafts are one mail to each, in their language, with names and numbers alone', async () => {
  await change(rita, { drafts: true, language: 'de' })
  await change(olga, { drafts: true })
  await change(readingOnly, { drafts: true })
  await Promise.all([draft(), draft(), draft()])
  await draft('others')
  const mails = await smtp.until(2)
  const to = (address: string) => mails.find((mail) => mail.to === address)!
  const german = to('rita@example.com')
  assert.equal(german.headers.subject, 'Memoir: 3 Entwürfe warten auf Sie')
  assert.match(german.text, /Guten Tag rita,\n\nOsman’s Pottery: 3 Entwürfe warten auf Sie\.\n/)
  assert.match(german.text, /https:\/\/memoir\.example\/console\/waiting/)
  assert.match(german.text, /https:\/\/memoir\.example\/console\/you/)
  assert.match(german.headers['content-type']!, /^text\/plain/)
  const english = to('olga@example.com')
  assert.equal(english.headers.subject, 'Memoir: 4 drafts wait for you')
  assert.match(english.text, /Osman’s Pottery: 3 drafts wait for you\.\nOthers: 1 draft waits for you\./)
  for (const mail of mails) assert.doesNotMatch(mail.text, /glaze/)
})

const troubleOf = async (person: typeof rita) =>
  (await person.call({ method: 'GET', path: '/admin/me/notices' })).body.mail.trouble

test('what the server refuses is said, and comes later, once', async () => {
  await change(rita, { drafts: false })
  smtp.refuse(1)
  await draft('others')
  for (const end = Date.now() + 10_000; !(await troubleOf(olga)) && Date.now() < end; ) await wait(50)
  assert.match(await troubleOf(olga), /come again later/)
  const [, , mail] = await smtp.until(3)
  assert.match(mail!.text, /\n\nOthers: 1 draft waits for you\.\n\n/)
  assert.equal(await troubleOf(olga), null)
  await change(olga, { drafts: false })
})

test('a test comes at once; what was settled, or is not theirs any more, is not told', async () => {
  await change(rita, { drafts: true })
  await draft()
  const { drafts } = await service.admin('GET', '/personas/pottery/drafts?limit=1')
  await service.admin('POST', `/personas/pottery/drafts/${drafts[0].id}/reject`)
  await wait(2_100) // longer than a draft waits for others, and until the outbox is looked at
  await draft()
  await service.admin('PATCH', `/people/${rita.id}`, { role: 'reader' })
  await wait(2_100)
  await service.admin('PATCH', `/people/${rita.id}`, { role: 'reviewer' })
  assert.equal((await rita.call({ path: '/admin/me/notices/test', body: {} })).body.sent, 1)
  assert.equal((await smtp.until(4))[3]!.headers.subject, 'Memoir: ein Test')
})

test('what a process began to tell when it died is not told again', async () => {
  await draft()
  const { notices } = service.store
  const claim = await notices.claim(new Date(), { mailAfterMs: 0, pushAfterMs: 0, leaseMs: 1 })
  assert.deepEqual([claim!.type, claim!.drafts.length], ['notice.drafts', 1])
  await wait(2_100)
  assert.equal(await notices.claim(new Date(), { mailAfterMs: 0, pushAfterMs: 0, leaseMs: 1 }), undefined)
  assert.equal(smtp.received.length, 4)
})

test('a digest with all that waits comes in the morning of the person, once', async () => {
  await change(rita, { digest: true, drafts: false, time_zone: 'Asia/Tokyo' })
  const [way] = await service.store.notices.ways(rita.id)
  assert.equal(way!.digestAt!.getUTCHours(), 22)
  await service.store.notices.change(rita.id, way!.id, { digestAt: new Date(Date.now() - 1) })
  const digest = (await smtp.until(5))[4]!
  assert.equal(digest.headers.subject, 'Memoir: was heute wartet')
  assert.match(digest.text, /Osman’s Pottery: \d Entwürfe warten auf Sie\./)
  assert.doesNotMatch(digest.text, /Others/)
})

test('a device is told what only it can read, and is forgotten when its browser wants no more', async () => {
  const berta = await join(service, 'berta@example.com', { role: 'administrator' })
  const shown = async () => (await berta.call({ method: 'GET', path: '/admin/me/notices' })).body.push
  const { public_key } = await shown()
  assert.equal((await shown()).public_key, public_key)
  const device = { ...browsers.subscribe(public_key), name: 'Phone' }
  const add = (body: object) => berta.call({ path: '/admin/me/notices/devices', body })
  assert.match((await add({ ...device, auth: 'c2hvcnQ' })).body.detail, /auth must be 16 bytes/)
  assert.equal((await add(device)).status, 200)
  assert.equal((await add(device)).status, 200)
  assert.equal((await shown()).devices.length, 1)
  await Promise.all([draft(), draft()])
  const [pushed] = await browsers.until(1)
  assert.deepEqual(pushed!.notice, { title: 'Memoir', body: 'Osman’s Pottery: 2 drafts wait for you.' })
  assert.equal(pushed!.headers['content-encoding'], 'aes128gcm')
  await berta.call({ path: '/admin/me/notices/test', body: {} })
  assert.match((await browsers.until(2))[1]!.notice.body, /test that you asked for/)
  browsers.answer(410)
  await draft()
  for (const end = Date.now() + 10_000; (await shown()).devices.length > 0 && Date.now() < end; ) await wait(50)
  assert.deepEqual((await shown()).devices, [])
  assert.equal(browsers.received.length, 2)
  assert.equal(smtp.received.length, 5)
})

test('the morning is at seven, also where the clocks change', () => {
  const next = (zone: string, at: string) => nextDigest(zone, new Date(at)).toISOString()
  assert.equal(next('Europe/Berlin', '2026-10-24T12:00:00Z'), '2026-10-25T06:00:00.000Z')
  assert.equal(next('Europe/Berlin', '2026-10-25T06:00:00Z'), '2026-10-26T06:00:00.000Z')
  assert.equal(next('Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T05:00:00.000Z')
})

test('of several processes one sends, and somebody who is removed is told nothing', {
  skip: !isOnPostgres,
}, async () => {
  smtp.received.length = 0
  await change(olga, { drafts: true })
  const stored = await storedIn(env.MEMOIR_DATA)
  const more = { MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_ROLE: 'learn', ...env, ...stored }
  const others = await Promise.all([start(readConfig(more)), start(readConfig(more))])
  await Promise.all([draft(), draft(), draft()])
  await smtp.until(1)
  await wait(2_100)
  assert.equal(smtp.received.length, 1)
  await draft()
  await service.admin('DELETE', `/people/${olga.id}`)
  await wait(2_100)
  assert.equal(smtp.received.length, 1)
  for (const other of others) await other.close()
})
