// What waits, in a real browser: the count in the frame, its page, and the way to each.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`What waits, in a browser: skipped, ${noBrowser}.`)

describe('what waits, in a browser', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService({ MEMOIR_READER: '0', MEMOIR_DISK_LEAST_MIB: '0' })
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

  test('on a desk the count stands in the rail', async () => {
    const { page, signIn } = await openWindow(browser, service)
    await signIn()
    await page.getByRole('link', { name: 'Waiting 1 waiting' }).click()
    await page.getByRole('heading', { name: 'Waiting' }).waitFor()
  })
})
