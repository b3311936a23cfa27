// What an owner runs into in a day with the console: many pages and tabs, reloads, long names, slow models, failures.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, openWindow, startBrowser } from './console-browser.ts'
import { scriptedModel } from './scripted-model.ts'
import { ADMIN_KEY, startService } from './started.ts'

if (noBrowser) console.log(`A day with the console: skipped, ${noBrowser}.`)

const HANDBOOK =
  'The kiln stands in the yard behind the shop. It was rebuilt in May 2019 by Osman Farrell. ' +
  'Visitors may look at it on Sundays. The clay comes from Hallstadt.'

describe('a day with the console', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService()
  await service.persona('pottery', { name: 'Osman’s Pottery' })
  const key = await service.key(['pottery'])
  const teach = (Title: string, Text = HANDBOOK) =>
    service.call({ path: '/v1/upload-text', key, body: { DomainName: 'pottery', Title, Text } })
  await teach('Handbook')
  await service.learned()
  const browser = await startBrowser({ keepsPages: true })

  test('page after page is opened without waiting, and news comes again on the way back', async () => {
    const { page, signIn, go } = await openWindow(browser, service)
    await signIn()
    const places = ['documents', 'memory', 'copilot', 'confidence', 'settings', 'talk', 'memory', 'documents']
    for (const place of places) {
      await go(`/p/pottery/${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor({ timeout: 8_000 })
    }
    // Not at once: the call itself would be lost with its page.
    await page.evaluate('void setTimeout(() => history.back())')
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor()
    await page.evaluate('void setTimeout(() => history.forward())')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await teach('Told on the way back')
    await page.locator('.document', { hasText: 'Told on the way back' }).getByText('ready').waitFor()
  })

  test('two tabs follow the work over one connection, and the second goes on alone', async () => {
    const { page, context, signIn } = await openWindow(browser, service)
    const followers: Page[] = []
    context.on('request', (request) => {
      if (request.url().endsWith('/admin/events')) followers.push(request.frame().page())
    })
    await signIn('/console/p/pottery/documents')
    const second = await context.newPage()
    await second.goto(`${service.url}/console/p/pottery/documents`)
    await enter(second)
    await second.locator('.document', { hasText: 'Handbook' }).waitFor()
    await teach('For both tabs')
    for (const tab of [page, second])
      await tab.locator('.document', { hasText: 'For both tabs' }).getByText('ready').waitFor()
    assert.deepEqual(followers, [page])
    await page.close()
    await second.waitForRequest('**/admin/events').catch(() => undefined)
    assert.equal(followers.length, 2)
    await teach('For the second alone')
    await second.locator('.document', { hasText: 'For the second alone' }).getByText('ready').waitFor()
  })

  test('a conversation has its address from its first message on', async () => {
    const { page, context, signIn, go } = await openWindow(browser, service)
    await signIn('/console/p/pottery/talk')
    await ask(page, 'Who rebuilt the kiln?')
    await page.locator('.turn.sent').getByText('Osman Farrell').waitFor()
    const address = page.url()
    assert.match(address, /talk\?session=\w+$/)
    const isThere = () => page.locator('.turn.sent').getByText('Osman Farrell').waitFor()
    await page.reload()
    await isThere()
    await go('/p/pottery/documents')
    // Not at once: the call itself would be lost with its page.
    await page.evaluate('void setTimeout(() => history.back())')
    await isThere()
    await context.clearCookies()
    await page.reload()
    await enter(page)
    await isThere()
    assert.equal(page.url(), address)
    await page.getByRole('navigation', { name: 'Persona', exact: true }).getByRole('link', { name: 'Talk' }).click()
    await page.getByText('Ask Osman’s Pottery something.').waitFor()
    assert.equal(await page.locator('.turn').count(), 0)
  })

  test('the longest name leaves room for everything else', async () => {
    const names = ['n'.repeat(256), 'A very long name. '.repeat(14).trim()]
    for (const [at, name] of names.entries()) await service.persona(`long-${at}`, { name })
    const all = ['/', ...spots('long-0'), '/p/long-1/talk']
    for (const [width, places] of [
      [360, all],
      [1280, ['/', '/p/long-0/talk', '/p/long-1/talk']],
    ] as const) {
      const { page, signIn, go } = await openWindow(browser, service, 'light', width)
      await signIn()
      for (const place of places) {
        await go(place)
        await page.locator('#page h1').first().waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${place}, ${width}`)
        const tallest = await page.evaluate(
          `Math.max(...[...document.querySelectorAll('h1, h2')].map((one) => one.offsetHeight))`,
        )
        assert.ok(Number(tallest) < 110, `${place}, ${width}: a heading of ${tallest} pixels`)
      }
    }
  })

  test('a citation opens at the sentence that answers', async () => {
    const { page, signIn } = await openWindow(browser, service)
    await signIn('/console/p/pottery/talk')
    await ask(page, 'Who rebuilt the kiln?')
    await page.locator('.turn.sent').getByRole('button', { name: 'Why?' }).click()
    await page.locator('.source').first().getByRole('link').click()
    await page.locator('.document-text mark').first().waitFor()
    const marked = await page.locator('.document-text mark').allInnerTexts()
    assert.deepEqual(marked, ['It was rebuilt in May 2019 by Osman Farrell.'])
  })

  test('a reply shows as markdown while it is written', async () => {
    const model = await scriptedModel()
    model.say({ deltas: ['The clay is **red', ' stone', 'ware, see `the sh'], end: 'hang' })
    await service.persona('writer', { model: { url: model.url, name: 'm' } })
    const { page, signIn } = await openWindow(browser, service)
    await signIn('/console/p/writer/talk')
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me about the clay you use.')
    await page.keyboard.press('Enter')
    const coming = page.locator('.turn.coming')
    await coming.getByText('the sh').waitFor()
    assert.equal(await coming.innerText(), 'The clay is red stoneware, see the sh')
    assert.equal(await coming.locator('strong').first().innerText(), 'red stoneware, see the sh')
  })

  test('an explanation that fails says so, and is asked for again', async () => {
    const { page, signIn } = await openWindow(browser, service)
    await signIn('/console/p/pottery/talk')
    await ask(page, 'Who rebuilt the kiln?')
    await page.route('**/admin/personas/pottery/replies/*', (route) => route.abort())
    await page.locator('.turn.sent').getByRole('button', { name: 'Why?' }).click()
    const drawer = page.getByRole('complementary', { name: 'Why this reply' })
    await drawer.getByRole('alert').getByText('could not be looked up').waitFor()
    await page.unroute('**/admin/personas/pottery/replies/*')
    await drawer.getByRole('button', { name: 'Try again' }).click()
    await drawer.locator('.source').first().waitFor()
  })

  test('a slow hand is waited for: a search asks once', async () => {
    const { page, signIn } = await openWindow(browser, service)
    await signIn('/console/p/pottery/memory')
    const box = page.getByRole('searchbox', { name: 'Search memory' })
    await box.waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 5_000)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/recall')) asked++
    })
    for (const letter of 'who built it?') {
      await box.press(letter === ' ' ? 'Space' : letter)
      await page.clock.runFor(450)
    }
    assert.equal(asked, 0)
    await page.clock.resume()
    await page.locator('.recalled').waitFor()
    assert.equal(asked, 1)
  })
})

const spots = (persona: string) =>
  ['talk', 'memory', 'documents', 'copilot', 'confidence', 'settings'].map((place) => `/p/${persona}/${place}`)

async function enter(page: Page): Promise<void> {
  await page.getByLabel('Admin key').fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function ask(page: Page, question: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(question)
  await box.press('Enter')
  await page.locator('.turn.asked', { hasText: question }).last().waitFor()
  await page.locator('.turn.coming').waitFor({ state: 'detached' })
}
