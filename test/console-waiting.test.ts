// What waits, in a real browser: the count in the frame, its page, the way to each, and how one is told of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { someSource } from '../src/store/suite-things.ts'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { startPushService } from './push-service.ts'
import { join, PASSWORD } from './signed-in.ts'
import { startSmtp } from './smtp-server.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`What waits, in a browser: skipped, ${noBrowser}.`)

describe('what waits, in a browser', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const smtp = await startSmtp()
  const push = await startPushService()
  const service = await startService({
    MEMOIR_READER: '0',
    MEMOIR_DISK_LEAST_MIB: '0',
    MEMOIR_ALLOW_PRIVATE_URLS: '1',
    MEMOIR_SMTP_URL: smtp.url,
    MEMOIR_MAIL_FROM: 'memoir@example.com',
    MEMOIR_PUBLIC_URL: 'https://memoir.example',
  })
  await service.persona('pottery', { name: 'Osman’s Pottery' })
  const key = await service.key(['pottery'])
  const browser = await startBrowser()
  const draft = () =>
    service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text: 'Open today?', is_draft: true } })

  test('on a phone: a bell with the count, a page that leads to the draft, and nothing once it is settled', async () => {
    const { page, trouble, signIn, go } = await openWindow(browser, service, 'light', 360)
    await signIn('/console/waiting')
    await page.getByText('Nothing waits for you').waitFor()
    assert.equal(await page.locator('.bell').count(), 0)
    await draft()
    const form = new FormData()
    form.set('file', new Blob(['%PDF-1.7 broken']), 'broken.pdf')
    form.set('message_request', JSON.stringify({ DomainName: 'pottery' }))
    await service.call({ path: '/v1/upload-file', key, body: form })
    await service.learned()
    await go('/p/pottery/talk')
    await page.getByRole('link', { name: '2 things wait' }).click()
    await page.getByText('1 draft to settle').waitFor()
    await sound(page, 'what waits')
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    assert.ok(width <= 360, `${width} wide`)
    await page.getByRole('link', { name: '1 document was not learned' }).click()
    await page.locator('.document', { hasText: 'broken' }).first().waitFor()
    assert.equal(await page.getByLabel('State').inputValue(), 'failed')
    await page.goBack()
    await page.getByRole('link', { name: '1 draft to settle' }).click()
    await page.getByRole('button', { name: 'Reject' }).first().click()
    await page.getByRole('link', { name: '1 thing waits' }).waitFor()
    assert.deepEqual(trouble, [])
  })

  test('a source that could not be followed leads to what the persona follows', async () => {
    const { id } = (await service.store.personas.byDomainName('pottery'))!
    const source = { ...someSource(id), isOn: false, offReason: 'It could not be followed 8 times in a row.' }
    await service.store.sources.create(source)
    const { page, signIn } = await openWindow(browser, service, 'light', 360)
    await signIn('/console/waiting')
    await page.getByText(source.offReason).waitFor()
    await page.getByRole('link', { name: `“${source.url}” is not followed any more` }).click()
    await page.getByRole('heading', { name: 'Following' }).waitFor()
    await service.store.sources.remove(id, source.id)
  })

  test('on a desk the count stands in the rail', async () => {
    const { page, signIn } = await openWindow(browser, service)
    await signIn()
    await page.getByRole('link', { name: 'Waiting 1 waiting' }).click()
    await page.getByRole('heading', { name: 'Waiting' }).waitFor()
  })

  test('somebody has themselves told by mail and on their device, and tries it out', async () => {
    const rita = await join(service, 'rita@example.com', { role: 'reviewer', personas: ['pottery'] })
    const { push: told } = (await rita.call({ method: 'GET', path: '/admin/me/notices' })).body
    const { endpoint, ...keys } = push.subscribe(told.public_key)
    const { page, context, trouble } = await openWindow(browser, service, 'light', 360)
    await context.grantPermissions(['notifications'])
    // The service of a browser's maker is out of reach here: what it would answer with is given in its place.
    const subscription = JSON.stringify({ endpoint, keys })
    await page.addInitScript(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) })`)
    await page.goto(`${service.url}/console/you`)
    await page.getByLabel('Mail address').fill('rita@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('A mail when drafts wait').click()
    await page.getByText('Saved').first().waitFor()
    await page.getByRole('button', { name: 'Tell me on this device' }).click()
    await page.getByText('told since').waitFor()
    await sound(page, 'being told')
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    assert.ok(width <= 360, `${width} wide`)
    await page.getByRole('button', { name: 'Send me a test' }).click()
    assert.equal((await smtp.until(1))[0]!.to, 'rita@example.com')
    const [pushed] = await push.until(1)
    assert.match(pushed!.notice.body, /test that you asked for/)
    const worker = context.serviceWorkers()[0]!
    const data = JSON.stringify(JSON.stringify(pushed!.notice))
    await worker.evaluate(`dispatchEvent(new PushEvent('push', { data: ${data} }))`)
    const shown = 'registration.getNotifications().then((all) => all.map(({ body }) => body))'
    let bodies: unknown[] = []
    for (let times = 0; times < 50 && bodies.length === 0; times++) bodies = (await worker.evaluate(shown)) as unknown[]
    assert.deepEqual(bodies, [pushed!.notice.body])
    await page.getByRole('button', { name: /^End notices on/ }).click()
    await page.getByText('told since').waitFor({ state: 'detached' })
    assert.deepEqual(trouble, [])
  })
})
