// The console in German: chosen by the browser, with German dates, numbers and plurals, and a way to English and back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`The console in German: skipped, ${noBrowser}.`)

const HANDBOOK = 'The kiln was rebuilt in May 2019 by Osman Farrell. '.repeat(30)

describe('the console in German', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService()
  await service.persona('pottery', { name: 'Osman’s Pottery' })
  const key = await service.key(['pottery'])
  await service.call({
    path: '/v1/upload-text',
    key,
    body: { DomainName: 'pottery', Title: 'Handbook', Text: HANDBOOK, Createdtime: '2024-03-05T10:00:00Z' },
  })
  await service.learned()
  const browser = await startBrowser()

  test('an owner whose browser speaks German reads and works in German', async () => {
    const { page, signIn, go, trouble } = await openWindow(browser, service, 'light', 1280, 'de-DE')
    await signIn()
    await page.getByText('Jede antwortet aus dem, was du ihr beigebracht hast').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await sound(page, 'personas in German')

    await go('/p/pottery/documents')
    await page.getByRole('heading', { name: 'Dokumente', level: 1 }).waitFor()
    const row = page.locator('.document', { hasText: 'Handbook' })
    await row.getByText('1.530 Zeichen').waitFor()
    await row.getByText('bereit').waitFor()
    await row.getByRole('checkbox', { name: 'Handbook auswählen' }).check()
    await page.getByText('1 Dokument ausgewählt').waitFor()
    await row.getByRole('link', { name: 'Handbook' }).click()
    await page.getByRole('button', { name: 'Bearbeiten' }).waitFor()

    await go('/p/pottery/talk')
    await page.getByLabel('Nachricht an Osman’s Pottery').fill('Who rebuilt the kiln?')
    await page.getByRole('button', { name: 'Senden' }).click()
    await page.locator('.turn.sent').getByText('Osman Farrell').waitFor()
    await page.getByRole('button', { name: 'Warum?' }).click()
    await page.getByRole('heading', { name: 'Worauf sie beruht' }).waitFor()
    await sound(page, 'talk in German')

    for (const [place, title] of [
      ['memory', 'Gedächtnis'],
      ['confidence', 'Verlässlichkeit'],
      ['figures', 'Zahlen'],
      ['settings', 'Einstellungen'],
    ]) {
      await go(`/p/pottery/${place}`)
      await page.getByRole('heading', { name: title!, level: 1 }).waitFor()
    }

    await service.admin('PATCH', '/personas/pottery', { threshold: 99 })
    await service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text: 'Where can I park my car?' } })
    await go('/p/pottery/copilot')
    await page.getByText('unter der Schwelle', { exact: false }).first().waitFor()
    await service.admin('PATCH', '/personas/pottery', { threshold: 0 })
    assert.deepEqual(trouble, [])
  })

  test('the language is switched, stays so, and is switched back', async () => {
    const { page, signIn } = await openWindow(browser, service, 'light', 1280, 'de-AT')
    await signIn('/console/p/pottery/documents')
    await page.locator('.rail').getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await page.reload()
    await page.getByText('1,530 characters').waitFor()
    await page.locator('.rail').getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Dokumente', level: 1 }).waitFor()
  })

  test('a browser of another language gets English', async () => {
    const { page, signIn } = await openWindow(browser, service, 'light', 390, 'fr-FR')
    await signIn('/console/p/pottery/documents')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await page.locator('.top-bar').getByRole('button', { name: 'DE' }).waitFor()
    await sound(page, 'documents on a phone')
  })
})
