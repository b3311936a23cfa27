// Takes the pictures in docs/console: a service of its own, a persona with a life, and every page in a real browser.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { firstIdAt } from '../src/domain/id.ts'
import { openWindow, startBrowser } from '../test/console-browser.ts'
import { startService } from '../test/started.ts'
import { diary, handbook, memories, questions, soup } from './screenshots-life.ts'

const folder = join(import.meta.dirname, '../docs/console')

const service = await startService()
const key = await teach()
await ask(key)
await live()

mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
// Every page by day; some of them by night, and on a phone.
const nights = ['personas', 'why', 'confidence']
const phones = ['talk', 'documents', 'copilot', 'confidence']
for (const [theme, width, pages] of [
  ['light', 1280, undefined],
  ['dark', 1280, nights],
  ['light', 390, phones],
] as const) {
  const { page, signIn, go } = await openWindow(browser, service, theme, width)
  const name = (page: string) => `${page}${theme === 'dark' ? '-dark' : ''}${width < 600 ? '-phone' : ''}`
  const shoot = async (as: string) => {
    if (pages && !(pages as readonly string[]).includes(as)) return
    await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined) // the events never end
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(folder, `${name(as)}.png`) })
  }
  await page.goto(`${service.url}/console`)
  await page.getByLabel('Admin key').waitFor()
  await shoot('sign-in')
  await signIn()
  await shoot('personas')
  await go('/p/marit-solberg/talk')
  const box = page.getByLabel('Message to Marit Solberg')
  for (const question of ['When was the lamp changed to electricity?', 'Which birds nest on the north cliff?']) {
    await box.fill(question)
    await box.press('Enter')
    await page.locator('.turn.coming').waitFor({ state: 'detached' })
  }
  await shoot('talk')
  await page.getByRole('button', { name: 'Why?' }).last().click()
  await page.locator('.source').first().waitFor()
  await shoot('why')
  await go('/p/marit-solberg/memory')
  await page.locator('.timeline').waitFor()
  await shoot('memory')
  await page.getByRole('searchbox').fill('storms that broke something')
  await page.locator('.recalled').waitFor()
  await shoot('recall')
  await go('/p/marit-solberg/documents')
  await page.locator('.document').first().waitFor()
  await shoot('documents')
  await page.getByRole('link', { name: 'Keeper’s handbook' }).click()
  await page.getByRole('button', { name: 'Earlier texts' }).click()
  await page.locator('.diff').waitFor()
  await shoot('document')
  await go('/p/marit-solberg/copilot')
  await page.locator('.draft-card').waitFor()
  await shoot('copilot')
  await go('/p/marit-solberg/confidence')
  await page.locator('.threshold').waitFor()
  await shoot('confidence')
  await go('/p/marit-solberg/settings')
  await page.locator('.preview .score').waitFor()
  await shoot('settings')
  await go('/keys')
  await page.locator('.document').first().waitFor()
  await shoot('keys')
}
process.exit(0)

async function teach(): Promise<string> {
  const { admin } = service
  await admin('POST', '/personas', {
    domain_name: 'marit-solberg',
    name: 'Marit Solberg',
    threshold: 30,
    instructions:
      'You are Marit, who kept the lighthouse on Skarholm for thirty years. You speak plainly and warmly, in the first person.',
  })
  await admin('POST', '/personas', {
    domain_name: 'house-manual',
    name: 'House manual',
    instructions: 'You know every valve, fuse and quirk of the old school house. Short answers, steps in order.',
  })
  await admin('POST', '/personas', { domain_name: 'soup-kitchen', name: 'Soup kitchen' })
  const made = await service.key(['marit-solberg'], { name: 'Museum website', scopes: ['message'] })
  await service.key('*', { name: 'Nightly import', scopes: ['upload', 'memory', 'update'] })
  await service.key(['house-manual'], { name: 'Guest tablet', expires_at: '2027-06-30T00:00:00Z' })
  const all = await service.key(['marit-solberg'], { name: 'Reading room' })
  const post = (path: string, body: object) =>
    service.call({ path: `/v1/${path}`, key: all, body: { DomainName: 'marit-solberg', ...body } })
  for (const [text, time, tags] of memories)
    await post('memory', { Text: text, Createdtime: time, Tags: tags, SourceName: 'console' })
  await post('upload-text', { Title: 'Keeper’s handbook', Text: handbook, StartTime: '1994-03-01T00:00:00Z' })
  await post('upload-text', { Title: 'Diary, winter 1987', Text: diary, StartTime: '1987-01-10T00:00:00Z' })
  await post('upload-text', { Title: 'Fish soup for twelve', Text: soup, is_stack: false })
  const form = new FormData()
  form.set('message_request', JSON.stringify({ DomainName: 'marit-solberg', Title: 'Harbour plan, scanned.pdf' }))
  form.set('file', new Blob(['%PDF-1.4 broken']), 'harbour-plan.pdf')
  await service.call({ path: '/v1/upload-file', key: all, body: form })
  await service.learned()
  const { documents } = await admin('GET', '/personas/marit-solberg/documents')
  const { id } = documents.find((one: { title: string }) => one.title.startsWith('Keeper'))
  await service.call({
    method: 'PUT',
    path: `/v1/update-document?feed_id=${id}`,
    key: all,
    body: {
      DomainName: 'marit-solberg',
      Text: handbook.replace('every fourth evening', 'every third evening, and after each storm'),
    },
  })
  await service.learned()
  return made
}

async function ask(key: string): Promise<void> {
  for (const [at, text] of questions.entries()) {
    const body = { DomainName: 'marit-solberg', Text: text, SessionId: `visitor-${at % 5}`, SourceName: 'website' }
    await service.call({ path: '/v1/message', key, body })
  }
}

// A month of replies, as a persona that is asked daily would have them.
async function live(): Promise<void> {
  const personaId = (await service.store.personas.byDomainName('marit-solberg'))!.id
  let seed = 7
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let day = 29; day >= 1; day--) {
    const asked = Math.round(6 + 7 * chance() + (30 - day) / 4)
    for (let at = 0; at < asked; at++) {
      const createdAt = new Date(Date.now() - day * 86_400_000 + at * 60_000)
      const score =
        Math.round(1000 * (chance() < 0.22 ? 0.05 + 0.3 * chance() : 0.45 + 0.52 * Math.sqrt(chance()))) / 10
      const explanation = {
        understoodAs: null,
        used: [],
        parts: [],
        nearMisses: [],
        withoutModel: null,
        leftOut: [],
        prompt: null,
        model: null,
        timings: {},
      }
      await service.store.conversations.record({
        messages: [],
        reply: {
          personaId,
          id: `${firstIdAt(createdAt)}${String(at).padStart(3, '0')}-8000-${String(day).padStart(12, '0')}`,
          sessionId: 'visitor-0',
          question: 'A question of that day.',
          text: 'An answer of that day.',
          score,
          logit: Math.log(score / (100 - score)),
          decision: score < 30 ? 'withheld' : 'sent',
          answeredBy: 'memory',
          tookMs: Math.round(60 + 90 * chance()),
          label: chance() < 0.3 ? (chance() < score / 100 ? 'right' : 'wrong') : null,
          visitorLabel: null,
          spent: null,
          explanation,
          createdAt,
        },
      })
    }
  }
}
