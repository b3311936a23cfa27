// A real browser for the tests of the console: Debian's chromium, installed where that may be done, else a Chrome that is there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { buildConsole } from '../console/build.ts'
import { de } from '../console/src/words/de.ts'
import { en } from '../console/src/words/en.ts'
import { ADMIN_KEY, type Started } from './started.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const found = (): string | undefined => places.find((place) => existsSync(place))

function install(): string | undefined {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return undefined
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: 'ignore',
      timeout: 400_000,
    })
  } catch {
    return undefined
  }
  return found()
}

// Before any service starts: it reads the pages once.
await buildConsole()

const executable = found() ?? install()

// Why the tests are left out; undefined where they are not. CI never leaves them out.
export const noBrowser: string | undefined =
  executable || process.env.CI ? undefined : 'no browser: install chromium or Chrome to run the tests of the console'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Theme = 'light' | 'dark'

// `keepsPages`: for the back button, as browsers do when no test drives them.
export const launchBrowser = ({ keepsPages = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: executable!,
    headless: true,
    args: FLAGS,
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  })

// Closed when the tests are over.
export async function startBrowser(options?: Parameters<typeof launchBrowser>[0]): Promise<Browser> {
  const browser = await launchBrowser(options)
  after(() => browser.close())
  return browser
}

// A window on the service, which remembers whatever was not as it should be.
export async function openWindow(
  browser: Browser,
  service: Pick<Started, 'url'>,
  theme: Theme = 'light',
  width = 1280,
  locale = 'en-US',
) {
  const context: BrowserContext = await browser.newContext({
    colorScheme: theme,
    locale,
    viewport: { width, height: 860 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page: Page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) trouble.push(`policy: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    // Also of the browser's own: what it shows a PDF with.
    const isOwn = ['data:', 'blob:', 'chrome:', 'chrome-extension:'].includes(protocol)
    if (!isOwn && origin !== service.url) trouble.push(`elsewhere: ${request.url()}`)
  })
  const words = locale.startsWith('de') ? de : en
  const signIn = async (path = '/console') => {
    await page.goto(service.url + path)
    // Where there are accounts, the key is the other way in.
    const other = page.getByRole('button', { name: words.useTheAdminKey })
    await page.getByLabel(words.adminKey).or(other).first().waitFor()
    if (await other.isVisible()) await other.click()
    await page.getByLabel(words.adminKey).fill(ADMIN_KEY)
    await page.getByRole('button', { name: words.signIn, exact: true }).click()
    await page.locator('#page h1').first().waitFor()
  }
  return { page, context, trouble, signIn, go: (path: string) => page.goto(`${service.url}/console${path}`) }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = { id: string; nodes: { html: string; failureSummary: string }[] }

// All rules in the light theme; in the dark one those on colours, for nothing else is different.
export async function sound(page: Page, name: string): Promise<void> {
  await page.evaluate(axe)
  for (const [theme, options] of [
    ['light', '{}'],
    ['dark', "{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }"],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    const { violations } = (await page.evaluate(`axe.run(${options})`)) as { violations: Finding[] }
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
    assert.deepEqual(found, [], `${name}, ${theme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
