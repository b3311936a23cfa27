// The console in a real browser: what the first page weighs, how soon it can be used beside an empty page of the same
// server, and whether long lists hold the browser up.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '../src/config.ts'
import { start } from '../src/start.ts'
import { openWindow, startBrowser } from '../test/console-browser.ts'
import { ADMIN_KEY, nameOf, seedLibrary } from './scale/seed.ts'

const DOCUMENTS = 2_000
const MEMORIES_EACH = 50
const DIARY_PAGES = 100 // that somebody goes back, of 50 memories each
const ROUNDS = 9
const LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-console-'))
  await seedLibrary(join(folder, 'memoir.db'), DOCUMENTS, MEMORIES_EACH)
  const service = await start(
    readConfig({ MEMOIR_DATA: folder, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_READER: '0' }),
  )
  const browser = await startBrowser()
  try {
    const bytes = await weigh(browser, service.url)
    const plain = await race(browser, service.url, false)
    const line = await race(browser, service.url, true)
    const lists = await scroll(browser, service.url)
    return report(bytes, plain, line, lists)
  } finally {
    await browser.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// All that the browser fetches for it, as it came over the line.
async function weigh(browser: Browser, url: string): Promise<number> {
  const { page, context } = await openWindow(browser, { url })
  await page.goto(`${url}/console`)
  await page.getByLabel('Admin key').waitFor()
  await page.evaluate('document.fonts.ready.then(() => 0)')
  const bytes = await page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance
    .getEntriesByType('resource')].reduce((sum, one) => sum + one.encodedBodySize, 0)`)
  await context.close()
  return Number(bytes)
}

type Race = { empty: number; console: number }

// Each time with nothing kept; one after the other, so that other work falls on both.
async function race(browser: Browser, url: string, isSlow: boolean): Promise<Race> {
  const times: Race[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await readyAfter(browser, `${url}/healthz`, 'body', isSlow)
    times.push({ empty, console: await readyAfter(browser, `${url}/console`, 'input[name=key]', isSlow) })
  }
  const median = (name: keyof Race) => times.map((one) => one[name]).sort((a, b) => a - b)[ROUNDS >> 1]!
  return { empty: median('empty'), console: median('console') }
}

// Milliseconds from the beginning of the navigation until the element is there and the browser is free to answer.
async function readyAfter(browser: Browser, address: string, selector: string, isSlow: boolean): Promise<number> {
  const { page, context } = await openWindow(browser, { url: new URL(address).origin })
  if (isSlow) {
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', LINE)
  }
  await page.addInitScript(`window.ready = new Promise((resolve) => {
    const look = () => document.querySelector(${JSON.stringify(selector)})
      ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(look)
    look()
  })`)
  await page.goto(address)
  const ms = Number(await page.evaluate('window.ready'))
  await context.close()
  return ms
}

type Scrolled = { name: string; shown: number; longest: number; long: number }

async function scroll(browser: Browser, url: string): Promise<Scrolled[]> {
  const { page } = await openWindow(browser, { url })
  await page.addInitScript(`window.tasks = []; new PerformanceObserver((list) => {
    for (const one of list.getEntries()) tasks.push(one.duration) }).observe({ type: 'longtask', buffered: true })`)
  await page.goto(`${url}/console`)
  await page.getByLabel('Admin key').fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('#page h1').first().waitFor()

  await page.goto(`${url}/console/p/${nameOf(0)}/documents`)
  const documents = await goOn(page, '.document', 'Show more', DOCUMENTS / 50)
  await page.goto(`${url}/console/p/${nameOf(0)}/memory`)
  await page.getByLabel('with passages of documents').check()
  const memories = await goOn(page, '.memory', 'Further back', DIARY_PAGES)
  return [
    { name: `${DOCUMENTS} documents`, ...documents },
    { name: `${DOCUMENTS * MEMORIES_EACH} memories, ${DIARY_PAGES} pages back`, ...memories },
  ]
}

// Page after page, each scrolled through to its end.
async function goOn(page: Page, row: string, button: string, pages: number): Promise<Omit<Scrolled, 'name'>> {
  const rows = page.locator(row)
  await rows.first().waitFor()
  await page.evaluate('tasks.length = 0')
  for (let at = 1; at < pages; at++) {
    const more = page.getByRole('button', { name: button })
    await more.scrollIntoViewIfNeeded()
    await more.click()
    await page.waitForFunction(`document.querySelectorAll('${row}').length >= ${(at + 1) * 50}`)
    for (let step = 0; step < 4; step++) await page.mouse.wheel(0, 900)
  }
  await page.evaluate('scrollTo(0, 0)')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))')
  const tasks = (await page.evaluate('tasks')) as number[]
  return { shown: await rows.count(), longest: Math.max(0, ...tasks), long: tasks.filter((ms) => ms > 100).length }
}

function report(bytes: number, plain: Race, line: Race, lists: Scrolled[]): string {
  const row = (name: string, { empty, console }: Race) =>
    `| ${name} | ${empty.toFixed(0)} | ${console.toFixed(0)} | **${(console / empty).toFixed(2)}×** | ≤ 1.5× |`
  return [
    '# Console',
    '',
    `The first page, with its fonts: **${(bytes / 1000).toFixed(0)} kB** over the line; the aim is 250 kB at most.`,
    '',
    'Milliseconds from the beginning of the navigation until the field for the key can be used, beside an empty page of',
    `the same server (\`/healthz\`); nothing is kept from before, the median of ${ROUNDS}.`,
    '',
    '| | empty page | console | ratio | aim |',
    '|---|---|---|---|---|',
    row('on the same machine', plain),
    row(`over a line of 10 Mbit/s and ${LINE.latency} ms`, line),
    '',
    'Lists, page after page to their end: tasks that hold the browser up, the longest in milliseconds.',
    '',
    '| list | rows shown | longest task | tasks over 100 ms | aim |',
    '|---|---|---|---|---|',
    ...lists.map(
      ({ name, shown, longest, long }) => `| ${name} | ${shown} | ${longest.toFixed(0)} | **${long}** | 0 |`,
    ),
  ].join('\n')
}
