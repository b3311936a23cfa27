// An owner has another program told, in a real browser: made, tried out, switched, looked at, sent again, deleted.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { noBrowser, openWindow, startBrowser } from './console-browser.ts'
import { startReceiver, verify } from './receiver.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`Triggers in a browser: skipped, ${noBrowser}.`)

describe('triggers in a browser', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1' })
  await service.persona('pottery')
  const key = await service.key(['pottery'])
  const receiver = await startReceiver()
  const browser = await startBrowser()
  const { page, trouble, signIn } = await openWindow(browser, service)
  after(() => assert.deepEqual(trouble, []))
  const row = (text: string) => page.locator('.document', { hasText: text }).first()
  const say = (Text: string, more: object = {}) =>
    service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text, ...more } })
  let secret = ''

  test('one is made, and its secret shown once', async () => {
    await signIn('/console/p/pottery/triggers')
    await page.getByText('Nobody is told yet').waitFor()
    await page.getByRole('button', { name: 'New trigger' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Address').fill('http://127.0.0.1:25/')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').getByText('on is empty').waitFor()
    await page.getByRole('checkbox', { name: 'A message came in' }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').getByText('Port 25').waitFor()
    await page.getByLabel('Address').fill(`${receiver.url}/shop`)
    await page.getByRole('button', { name: 'Create' }).click()
    secret = (await page.getByRole('button', { name: /Copy secret/ }).innerText()).trim()
    await page.getByRole('button', { name: 'I have it' }).click()
    await row('Shop').getByText('message.received').waitFor()
    assert.ok(!(await page.content()).includes('whsec_'))
  })

  test('a test event arrives, and is in the log', async () => {
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByText('Nothing was delivered yet').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await row('trigger.test').getByText('sent', { exact: true }).waitFor()
    const [received] = await receiver.until('/shop', 1)
    assert.equal(verify(secret, received!).type, 'trigger.test')
  })

  test('what failed is seen with its reason, and sent again', async () => {
    receiver.answer((response) => response.writeHead(500).end('the till is closed'))
    assert.equal((await say('Is the shop open?')).status, 200)
    await page.reload()
    await row('message.received').getByText('status 500').first().waitFor()
    await page.getByText(/^failing, first/).waitFor()
    receiver.answer(200)
    await page.getByRole('button', { name: 'Look at message.received' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('the till is closed').waitFor()
    await sheet.getByText('What is sent').click()
    await sheet.getByText('Is the shop open?').waitFor()
    await sheet.getByRole('button', { name: 'Send again' }).click()
    await sheet.locator('.tag.ready', { hasText: '200' }).first().waitFor()
    await page.keyboard.press('Escape')
    await row('message.received').getByText('sent', { exact: true }).waitFor()
  })

  test('it is changed, switched off and on, and gets a new secret', async () => {
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('One SourceName only').check()
    await page.getByLabel('SourceName', { exact: true }).fill('till')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.tag', { hasText: 'from till' }).waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.locator('.tag.failed', { hasText: 'off' }).waitFor()
    await page.getByText('It was switched off.').waitFor()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.locator('.tag.ready', { hasText: /^on$/ }).waitFor()
    await page.getByRole('button', { name: 'New secret…' }).click()
    await page.getByRole('button', { name: 'New secret', exact: true }).click()
    const other = (await page.getByRole('button', { name: /Copy secret/ }).innerText()).trim()
    assert.notEqual(other, secret)
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByText('The secret before the last one signs, too').waitFor()
  })

  test('messages must say where they come from, once the owner says so', async () => {
    await page.locator('.crumb').getByRole('link', { name: 'Triggers' }).click()
    await page.getByRole('checkbox', { name: 'Every message must carry SourceName' }).click()
    await page.getByText('Messages without SourceName are refused from now on.').waitFor()
    assert.equal((await say('Hello?')).status, 400)
    assert.equal((await say('Hello?', { SourceName: 'till' })).status, 200)
    await receiver.until('/shop', 4)
  })

  test('it is deleted, with its log', async () => {
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Nobody is told yet').waitFor()
    assert.deepEqual((await service.admin('GET', '/personas/pottery/triggers')).triggers, [])
  })
})
