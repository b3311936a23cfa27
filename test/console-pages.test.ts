// Every page of the console in both themes: nothing that axe finds wrong, nothing fetched from elsewhere, and a corpus of
// hostile texts, stored wherever a text can be, that does nothing but show.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { startReceiver } from './receiver.ts'
import { startService } from './started.ts'

// Each would set `ran`, or fetch from evil.example, if any page took it for more than text.
const hostile = [
  '<script>window.ran=1</script>',
  '<img src=x onerror="window.ran=1">',
  '<img src=https://evil.example/1.png>',
  '<svg onload=window.ran=1></svg>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<a href="javascript:window.ran=1">here</a>',
  '[here](javascript:window.ran=1)',
  '[here](JaVaScRiPt:window.ran=1)',
  '[here](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[here](vbscript:window.ran=1)',
  '![picture](https://evil.example/2.png)',
  '![picture](x" onerror="window.ran=1)',
  '<javascript:window.ran=1>',
  '"><img src=x onerror=window.ran=1>',
  "'-window.ran=1-'",
  '{{constructor.constructor("window.ran=1")()}}',
  '<style>@import url(https://evil.example/3.css);</style>',
  '<link rel=stylesheet href=https://evil.example/4.css>',
  '<math><mtext></table></math><img src=x onerror=window.ran=1>',
  '`<img src=x onerror=window.ran=1>`',
  '<details open ontoggle=window.ran=1>',
  '</textarea><script>window.ran=1</script>',
]

const places = [
  '/',
  '/keys',
  '/people',
  '/you',
  ...['talk', 'memory', 'documents', 'following', 'copilot', 'confidence', 'figures', 'triggers', 'settings'].map(
    (place) => `/p/hostile/${place}`,
  ),
]

if (noBrowser) console.log(`The pages of the console: skipped, ${noBrowser}.`)

describe('the pages of the console', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1' })
  const { admin } = service
  const all = hostile.join(' ')
  await service.persona('hostile', { name: hostile[1], instructions: all, picture: 'https://evil.example/me.png' })
  const key = await service.key(['hostile'], { name: hostile[0] })
  const post = (path: string, body: object) =>
    service.call({ path: `/v1/${path}`, key, body: { DomainName: 'hostile', ...body } })
  for (const [at, text] of hostile.entries()) {
    const day = new Date(Date.UTC(2001, at, 1)).toISOString()
    await post('memory', {
      Text: `Spell ${at} is ${text}`,
      SourceName: text,
      Tags: [text.slice(0, 100)],
      Createdtime: day,
    })
  }
  await post('upload-text', { Title: hostile[1], Text: all, Tags: [hostile[1]] })
  await post('upload-text', { Title: hostile[3], Text: all, is_stack: false })
  const file = new FormData()
  file.set('file', new Blob(['%PDF-1.4 broken']), '<img src=x onerror=window.ran=1>.pdf')
  await service.call({ path: '/v1/upload-file?DomainName=hostile', key, body: file })
  await service.learned()
  for (const at of [1, 6, 10])
    await post('message', { Text: `What is spell ${at}? ${hostile[at]}`, SessionId: hostile[2] })
  await admin('PATCH', '/personas/hostile', { threshold: 100 })
  await post('message', { Text: `And spell 4? ${hostile[4]}`, SessionId: hostile[2] })
  const { documents } = await admin('GET', '/personas/hostile/documents')
  const document = documents.find((one: { title: string }) => one.title === hostile[1])
  const receiver = await startReceiver()
  receiver.answer((response) => response.writeHead(500).end(all))
  const trigger = await admin('POST', '/personas/hostile/triggers', {
    name: hostile[1],
    source: hostile[0],
    on: ['reply.sent'],
    deliver: { url: `${receiver.url}/?${hostile[0]}` },
  })
  await admin('POST', `/personas/hostile/triggers/${trigger.id}/test`)
  const browser = await startBrowser()

  test('are sound in both themes, and text stays text', async () => {
    const { page, trouble, signIn, go } = await openWindow(browser, service)
    await page.goto(`${service.url}/console`)
    await page.getByLabel('Admin key').waitFor()
    await sound(page, 'signing in')
    await signIn()
    for (const place of places) {
      await go(place)
      await settled(page)
      await sound(page, place)
    }

    await go('/p/hostile/talk')
    await page.getByRole('searchbox').fill('spell')
    await page
      .getByRole('button', { name: /What is spell 1/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Why?' }).first().click()
    await page.locator('.explanation').waitFor()
    await sound(page, 'an explanation')

    await go(`/p/hostile/documents/${document.id}?start=3&end=40`)
    await page.locator('mark').waitFor()
    await sound(page, 'a document')

    await go('/p/hostile/memory')
    await page.getByRole('searchbox').fill('What is spell 6?')
    await page.locator('.recalled').waitFor()
    await sound(page, 'recall')
    await page.getByRole('button', { name: 'Add a memory' }).click()
    await sound(page, 'a dialog')

    await go('/p/hostile/confidence')
    await page.locator('.threshold').waitFor()
    await page.getByText('As figures').first().click()
    await sound(page, 'figures')

    await go(`/p/hostile/triggers/${trigger.id}`)
    await page.getByText('status 500').first().waitFor()
    await sound(page, 'a trigger')
    await page.getByRole('button', { name: 'Look at trigger.test' }).click()
    await page.getByText('What is sent').click()
    await sound(page, 'a delivery')

    assert.equal(await page.evaluate('window.ran'), undefined)
    assert.deepEqual(trouble, [])
  })

  test('fit a phone: nothing is wider than the screen', async () => {
    const { page, signIn, go } = await openWindow(browser, service, 'light', 360)
    await signIn()
    for (const place of [...places, `/p/hostile/documents/${document.id}`, `/p/hostile/triggers/${trigger.id}`]) {
      await go(place)
      await settled(page)
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      assert.ok(width <= 360, `${place} is ${width} wide`)
    }
  })

  test('a short name stays on one line, and the current place in view, however wide the screen', async () => {
    await service.persona('ada-l')
    for (const width of [360, 390, 960, 1280]) {
      const { page, signIn, go } = await openWindow(browser, service, 'light', width)
      await signIn()
      await go('/p/ada-l/talk')
      await settled(page)
      const name = page.getByRole('button', { name: 'Copy DomainName: ada-l' })
      assert.ok((await name.boundingBox())!.height < 30, `wrapped at ${width}`)
      await go('/p/ada-l/settings')
      await settled(page)
      const place = page.locator('[aria-current=page]', { hasText: 'Settings' }).and(page.locator(':visible'))
      const isShown = async () => {
        const { x, width: wide } = (await place.boundingBox())!
        return x >= 0 && x + wide <= width
      }
      for (let tries = 0; tries < 20 && !(await isShown()); tries++) await page.waitForTimeout(50)
      assert.ok(await isShown(), `cut off at ${width}`)
    }
  })

  test('on a phone the keyboard goes to the sessions and back', async () => {
    const { page, signIn, go } = await openWindow(browser, service, 'light', 390)
    await signIn()
    await go('/p/hostile/talk')
    const button = page.getByRole('button', { name: 'Sessions' })
    await button.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.innerText.trim()'), 'New')
    await page.keyboard.press('Escape')
    await page.locator('.sessions').waitFor({ state: 'hidden' })
    assert.ok(await button.evaluate((one) => one.ownerDocument.activeElement === one))
  })

  test('what is not there has a way back', async () => {
    const { page, signIn, go } = await openWindow(browser, service)
    await signIn()
    for (const place of ['/p/nobody/talk', '/p/hostile/documents/nothing', '/p/hostile/triggers/nothing', '/nowhere']) {
      await go(place)
      await page.locator('#page').getByRole('link', { name: 'All personas' }).waitFor()
    }
  })

  test("another site's page that opens the console is left without a hold on it", async () => {
    const other = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end('<p>Other'))
    await new Promise<void>((resolve) => other.listen(0, resolve))
    after(() => {
      other.closeAllConnections()
      other.close()
    })
    const { page, context } = await openWindow(browser, service)
    await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`)
    const opened = context.waitForEvent('page')
    await page.evaluate(`window.held = open('${service.url}/console'); 0`)
    await (await opened).getByLabel('Admin key').waitFor()
    assert.equal(await page.evaluate('held.closed'), true)
    await context.close()
  })

  test('an address in a reply is shown, and nobody is led there by a click', async () => {
    const { page, signIn, go } = await openWindow(browser, service)
    await admin('PATCH', '/personas/hostile', { threshold: 0 })
    await post('memory', {
      Text: 'The manual of the oven is [over here](https://ovens.example/manual), in print.',
      SourceName: 'x',
    })
    await service.learned()
    await signIn()
    await go('/p/hostile/talk')
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is the manual of the oven?')
    await page.keyboard.press('Enter')
    const reply = page.locator('.turn.sent')
    await reply.getByText('over here (https://ovens.example/manual)').waitFor()
    assert.equal(await reply.getByRole('link').count(), 0)
  })
})

async function settled(page: Page): Promise<void> {
  await page.locator('#page h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}
