// A shared persona in a real browser: turned on in the console, talked to by visitors, embedded by one site and by no
// other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { noBrowser, openWindow, startBrowser } from './console-browser.ts'
import { scriptedSpeech } from './scripted-speech.ts'
import { startService } from './started.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const HOSTILE = `<img src=x onerror="window.ran=1"> <script>window.ran=1</script> [x](javascript:window.ran=1)`

if (noBrowser) console.log(`The shared page: skipped, ${noBrowser}.`)

describe('a shared persona', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService({ MEMOIR_VISITOR_RATE_LIMIT: '0' })
  const { admin } = service
  await service.persona('ada-l')
  const key = await service.key(['ada-l'])
  const teach = (Title: string, Text: string) =>
    service.call({ path: '/v1/upload-text', key, body: { DomainName: 'ada-l', Title, Text } })
  await teach('About my cat', 'My cat is called Turing. He is nine years old.')
  await teach(HOSTILE, `The spell of the witch is ${HOSTILE} and nothing else.`)
  await service.learned()
  const browser = await startBrowser()
  const page = await site(service.url, 'ada-l')
  const other = await site(service.url, 'ada-l')

  test('is turned on in the console, with the link and the line to copy', async () => {
    const { page: console, trouble, signIn, go } = await openWindow(browser, service)
    await signIn()
    await go('/p/ada-l/settings')
    const share = console.getByRole('region', { name: 'Share' })
    await share.getByLabel('Share this persona').check()
    await share.getByLabel('Show the titles of sources').check()
    await share.getByLabel('In place of a withheld reply').fill('Ask me at tea time.')
    await share.getByLabel('Sites that may embed it').fill('nonsense')
    await share.getByRole('button', { name: 'Save sharing' }).click()
    await share.getByRole('alert').getByText('must be an origin').waitFor()
    await share.getByLabel('Sites that may embed it').fill(page.origin)
    await share.getByRole('button', { name: 'Save sharing' }).click()
    await share.getByRole('button', { name: 'Copy link' }).click()
    assert.equal(await console.evaluate('navigator.clipboard.readText()'), `${service.url}/talk/ada-l`)
    await share.getByRole('button', { name: 'Copy line for your site' }).click()
    assert.equal(
      await console.evaluate('navigator.clipboard.readText()'),
      `<script src="${service.url}/embed.js" data-persona="ada-l" async></script>`,
    )
    await sound(console, '.narrow', 'the settings')
    assert.deepEqual(trouble, [])
  })

  test('is talked to, remembers the visitor, and hears whether it was right', async () => {
    const { page, trouble } = await openWindow(browser, service)
    await page.goto(`${service.url}/talk/ada-l`)
    await sound(page, 'body', 'the empty page')
    await ask(page, 'What is the cat called?')
    await page.locator('.turn.replied', { hasText: 'Turing' }).waitFor()
    await page.getByText('From About my cat').waitFor()
    await page.getByRole('group', { name: 'Was this right?' }).getByRole('button', { name: 'No' }).click()
    await page.getByText('Thank you.').first().waitFor()
    await sound(page, 'body', 'a conversation')

    await page.reload()
    await page.locator('.turn.asked', { hasText: 'What is the cat called?' }).waitFor()
    await page.locator('.turn.replied', { hasText: 'Turing' }).waitFor()
    await page.getByText('From About my cat').waitFor()
    assert.equal(await page.getByRole('button', { name: 'No' }).getAttribute('aria-pressed'), 'true')

    const someoneElse = await openWindow(browser, service)
    await someoneElse.page.goto(`${service.url}/talk/ada-l`)
    await someoneElse.page.getByText('What would you like to know').waitFor()
    assert.equal(await someoneElse.page.locator('.turn').count(), 0)

    await page.getByRole('button', { name: 'Start over' }).click()
    assert.equal(await page.locator('.turn').count(), 0)
    await page.reload()
    await page.getByText('What would you like to know').waitFor()
    assert.deepEqual([...trouble, ...someoneElse.trouble], [])
    const { replies } = await admin('GET', '/personas/ada-l/replies?visitor_label=wrong')
    assert.deepEqual([replies.length, replies[0].label], [1, null])
  })

  test('is dictated to and read out, where the browser can', async () => {
    const { page, trouble } = await openWindow(browser, service)
    await page.addInitScript(scriptedSpeech)
    await page.goto(`${service.url}/talk/ada-l`)
    await page.getByRole('button', { name: 'Dictate' }).click()
    await page.evaluate("hear('What is the cat called?'); recognition.onend()")
    await page.getByRole('button', { name: 'Send' }).click()
    const reply = page.locator('.turn.replied', { hasText: 'Turing' })
    await reply.getByRole('button', { name: 'Read aloud' }).click()
    await reply.getByRole('button', { name: 'Stop reading', pressed: true }).waitFor()
    assert.match(String(await page.evaluate('spoken[0]')), /^en-US: .*Turing/)
    await sound(page, 'body', 'a reply read out')
    await page.evaluate('finishSpeaking()')
    await reply.getByRole('button', { name: 'Read aloud', pressed: false }).waitFor()
    assert.deepEqual(trouble, [])
  })

  test("shows the owner what visitors found wrong, beside the owner's own verdict", async () => {
    const { page: console, trouble, signIn, go } = await openWindow(browser, service)
    await signIn()
    await go('/p/ada-l/settings')
    await console.getByRole('link', { name: 'What is the cat called?' }).click()
    await console.getByRole('button', { name: 'Why?' }).first().click()
    await console.getByText('The visitor found it wrong.').waitFor()
    assert.equal(await console.locator('.verdict', { hasText: 'Wrong' }).getAttribute('aria-pressed'), 'false')
    assert.deepEqual(trouble, [])
  })

  test('says in the words of its owner that it withholds a reply', async () => {
    await admin('PATCH', '/personas/ada-l', { threshold: 100 })
    const { page } = await openWindow(browser, service, 'dark')
    await page.goto(`${service.url}/talk/ada-l`)
    await ask(page, 'What is the cat called?')
    await page.locator('.turn.withheld', { hasText: 'Ask me at tea time.' }).waitFor()
    assert.equal(await page.getByRole('group', { name: 'Was this right?' }).count(), 0)
    await sound(page, 'body', 'a withheld reply')
    await admin('PATCH', '/personas/ada-l', { threshold: 0 })
  })

  test('shows every text as text', async () => {
    await admin('PATCH', '/personas/ada-l', {
      name: HOSTILE,
      sharing: { default_message: HOSTILE },
      picture: 'https://evil.example/me.png',
    })
    const { page, trouble } = await openWindow(browser, service)
    await page.goto(`${service.url}/talk/ada-l`)
    await ask(page, `What is the spell of the witch? ${HOSTILE}`)
    await page.locator('.turn.replied', { hasText: 'onerror=' }).waitFor()
    await page.locator('.sources', { hasText: 'onerror=' }).waitFor()
    await page.reload()
    await page.locator('.sources', { hasText: 'onerror=' }).waitFor()
    assert.equal(await page.evaluate('window.ran'), undefined)
    assert.equal(await page.locator('main img, main script, main a').count(), 0)
    assert.deepEqual(trouble, [])
    await admin('PATCH', '/personas/ada-l', { name: 'Ada', picture: '', sharing: { default_message: '' } })
  })

  test('fits a phone', async () => {
    const { page } = await openWindow(browser, service, 'light', 360)
    await page.goto(`${service.url}/talk/ada-l`)
    await ask(page, `What is the cat called? ${'x'.repeat(200)}`)
    await page.getByRole('group', { name: 'Was this right?' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  })

  test('is embedded by the site that its owner named', async () => {
    const { page: shown, context } = await openWindow(browser, { url: page.origin })
    await shown.goto(page.origin)
    const button = shown.getByRole('button', { name: 'Talk with Ada' })
    await button.click()
    const frame = shown.frameLocator('iframe')
    await frame.getByLabel('Message').fill('How old is the cat?')
    await frame.getByLabel('Message').press('Enter')
    await frame.locator('.turn.replied', { hasText: 'nine' }).waitFor()
    await sound(shown, 'body', 'the widget')
    await frame.getByLabel('Message').press('Escape')
    await shown.locator('iframe').waitFor({ state: 'hidden' })
    await shown.reload()
    await button.click()
    await frame.locator('.turn.replied', { hasText: 'nine' }).waitFor()
    const sandbox = await shown.locator('iframe').getAttribute('sandbox')
    assert.equal(sandbox, 'allow-scripts allow-same-origin allow-forms')
    await leavesNothing(context, other.origin)
  })

  test('tells a visitor who writes too fast to wait', async () => {
    const slow = await startService({ MEMOIR_VISITOR_RATE_LIMIT: '1' })
    await slow.persona('ada-l', { sharing: { on: true } })
    const { page } = await openWindow(browser, slow)
    await page.goto(`${slow.url}/talk/ada-l`)
    for (const text of ['Hello.', 'And again.']) {
      await ask(page, text)
      await page.locator('.turn:last-child', { hasText: /\S/ }).and(page.locator('.failed, :has(.verdict)')).waitFor()
    }
    await page
      .locator('.turn.failed', { hasText: /try again in \d+ s/ })
      .last()
      .waitFor()
  })

  test('is gone when its owner turns it off', async () => {
    const { page, trouble } = await openWindow(browser, service)
    await page.goto(`${service.url}/talk/ada-l`)
    await admin('PATCH', '/personas/ada-l', { sharing: { on: false } })
    await ask(page, 'Still there?')
    await page.locator('.turn.failed', { hasText: /no longer shared|try again/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'There is nobody to talk to here.' }).waitFor()
    await sound(page, 'body', 'nobody')
    assert.deepEqual(trouble, [])
  })
})

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

// The same line on a site that the owner did not name: no button, no frame to be seen, no word to the visitor.
async function leavesNothing(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
  await page.goto(origin)
  await blocked
  assert.equal(await page.getByRole('button').count(), 0)
  assert.equal(await page.locator('iframe').isVisible(), false)
  assert.equal(await page.evaluate('document.body.innerText.trim()'), 'A site of its own.')
}

async function site(serviceUrl: string, persona: string): Promise<{ origin: string; server: Server }> {
  const html = `<!doctype html><html lang="en"><title>A site</title><main><h1>A site of its own.</h1></main>
<script src="${serviceUrl}/embed.js" data-persona="${persona}" async></script></html>`
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

type Finding = { id: string; nodes: { html: string; failureSummary: string }[] }

async function sound(page: Page, part: string, name: string): Promise<void> {
  await page.evaluate(axe)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    const { violations } = (await page.evaluate(`axe.run('${part}')`)) as { violations: Finding[] }
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
    assert.deepEqual(found, [], `${name}, ${theme}`)
  }
}
