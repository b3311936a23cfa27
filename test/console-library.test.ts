// A library of documents and a diary in the console: found, chosen by the dozen, described, and read as they came.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeTextPdf, makeZip } from '../src/extract/test-files.ts'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { startService, temporaryFolder } from './started.ts'

const PDF = makeTextPdf([
  'BT /F1 12 Tf 72 720 Td (The kiln in the yard was built long ago by the first owner of the house.) Tj ET',
  'BT /F1 12 Tf 72 720 Td (The roof was mended in the spring of 2019 by Osman Farrell and his two sons.) Tj ET',
])

if (noBrowser) console.log(`A library in the console: skipped, ${noBrowser}.`)

type Laid = { checkVisibility(options: object): boolean }

describe('a library in the console', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService()
  const { admin } = service
  await service.persona('pottery', { name: 'Osman' })
  const key = await service.key(['pottery'])
  const teach = (Title: string, more: object = {}) =>
    service.call({
      path: '/v1/upload-text',
      key,
      body: { DomainName: 'pottery', Title, Text: `${Title} is a word.`, ...more },
    })
  await teach('Ash glaze', { Tags: 'glazes' })
  await teach('Tin glaze', { Tags: 'glazes, white', is_stack: false })
  await teach('Opening hours')
  const file = new FormData()
  file.set('file', new Blob([PDF as Uint8Array<ArrayBuffer>]), 'kiln.pdf')
  await service.call({ path: '/v1/upload-file?DomainName=pottery', key, body: file })
  await service.learned()
  const browser = await startBrowser()
  const { page, trouble, signIn, go } = await openWindow(browser, service)
  after(() => assert.deepEqual(trouble, []))
  await signIn('/console/p/pottery/documents')
  const titles = page.locator('.document-title')
  const shows = async (...expected: string[]) => {
    for (let tries = 0; tries < 100 && (await titles.allInnerTexts()).join() !== expected.join(); tries++)
      await page.waitForTimeout(100)
    assert.deepEqual(await titles.allInnerTexts(), expected)
  }

  test('documents are searched, narrowed down and sorted', async () => {
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('GLAZE')
    await shows('Tin glaze', 'Ash glaze')
    await page.getByLabel('Order').selectOption('By title')
    await shows('Ash glaze', 'Tin glaze')
    await page.getByLabel('State').selectOption('Drafts')
    await shows('Tin glaze')
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('hours')
    await page.getByText('No document is like that').waitFor()
    await page.getByLabel('State').selectOption('Every state')
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('')
    await page.getByRole('button', { name: 'white' }).click()
    await shows('Tin glaze')
    await page.getByText('Tag, source and time').click()
    await sound(page, 'documents, narrowed down')
    await page.getByLabel('Tag', { exact: true }).fill('')
  })

  test('several are chosen, tagged, published and deleted at once', async () => {
    for (const title of ['Ash glaze', 'Tin glaze']) await page.getByLabel(`Choose ${title}`).check()
    await page.getByText('2 documents chosen').waitFor()
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByLabel('Tags').fill('kitchen, glazes')
    await sound(page, 'tagging')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('2 documents tagged.').waitFor()
    const [tin] = (await admin('GET', '/personas/pottery/documents?text=tin')).documents
    assert.deepEqual(tin.tags, ['glazes', 'white', 'kitchen'])
    for (const title of ['Ash glaze', 'Tin glaze']) await page.getByLabel(`Choose ${title}`).check()
    await sound(page, 'documents, chosen')
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('2 documents published.').waitFor()
    for (const title of ['Ash glaze', 'Opening hours']) await page.getByLabel(`Choose ${title}`).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.getByText('2 documents deleted.').waitFor()
    const left = (await admin('GET', '/personas/pottery/documents?sort=title')).documents
    assert.deepEqual(
      left.map((one: { title: string; is_draft: boolean }) => [one.title, one.is_draft]),
      [
        ['A small book', false],
        ['Tin glaze', false],
      ],
    )
  })

  test('the file is there as it came, and a citation names its page', async () => {
    await page.getByRole('link', { name: 'A small book' }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Original' }).click()
    const saved = await saving
    assert.equal(saved.suggestedFilename(), 'kiln.pdf')
    assert.ok(readFileSync(await saved.path()).equals(PDF))
    await go('/p/pottery/talk')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('Who mended the roof?')
    await box.press('Enter')
    await page
      .locator('.turn.sent')
      .getByRole('button', { name: /^Source 1/ })
      .click()
    const cited = page.locator('.source').first().getByRole('link', { name: 'page 2', exact: true })
    await cited.click()
    await page.locator('mark', { hasText: 'The roof was mended' }).waitFor()
    const original = page.getByRole('complementary', { name: 'The original' })
    const place = await original.getByRole('link', { name: 'Open at page 2' }).getAttribute('href')
    assert.ok(place!.startsWith('blob:') && place!.endsWith('#page=2'), place!)
    if (await page.evaluate('navigator.pdfViewerEnabled'))
      assert.equal(await original.locator('iframe').getAttribute('src'), place)
    await sound(page, 'a page beside its text')
    await page.getByRole('button', { name: 'Pages', pressed: true }).click()
    await original.waitFor({ state: 'detached' })
    await page.locator('mark', { hasText: 'The roof was mended' }).waitFor()
  })

  test('the diary leaves passages of documents out unless asked; a memory has time, tags and source', async () => {
    await go('/p/pottery/memory')
    await page.getByText('No memory was added by itself yet.').waitFor()
    await page.getByRole('button', { name: 'Add a memory' }).click()
    await page.getByLabel('What happened').fill('The cat sleeps on the warm kiln.')
    await page.getByLabel('When').fill('1998-03-04T10:00')
    await page.getByRole('dialog').getByLabel('Source').fill('an old letter')
    await page.getByRole('button', { name: 'Remember' }).click()
    await service.learned()
    const card = page.locator('.memory', { hasText: 'The cat sleeps' })
    await card.getByText('an old letter').waitFor()
    assert.equal(await page.locator('.memory').count(), 1)
    await sound(page, 'the diary')
    await card.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Tags').fill('cats')
    await page.getByLabel('When').fill('1999-03-04T10:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await service.learned()
    await page.getByRole('heading', { name: 'March 1999' }).waitFor()
    await card.getByText('cats').waitFor()
    await page.getByLabel('With passages of documents').check()
    await page.locator('.memory', { hasText: 'The roof was mended' }).waitFor()
  })

  test('of a long diary what is not in view is not laid out, and all of it is there', async () => {
    await service.persona('diarist')
    const diarist = await service.key(['diarist'])
    const days = Array.from({ length: 40 }, (_, at) => at + 1)
    const note = (day: number) => ({
      SourceName: 'diary',
      Text: `Day ${day} of the firing.`,
      Createdtime: `2024-03-01T10:${10 + day}:00Z`,
    })
    for (const day of days)
      await service.call({ path: '/v1/memory', key: diarist, body: { DomainName: 'diarist', ...note(day) } })
    await service.learned()
    await go('/p/diarist/memory')
    const cards = page.locator('.memory')
    await cards.first().waitFor()
    const texts = await page.evaluate(`[...document.querySelectorAll('.memory-text')].map((one) => one.textContent)`)
    assert.deepEqual(
      texts,
      days.toReversed().map((day) => note(day).Text),
    )
    const isLaidOut = () =>
      cards.last().evaluate((card) => (card as unknown as Laid).checkVisibility({ contentVisibilityAuto: true }))
    assert.equal(await isLaidOut(), false)
    await cards.last().scrollIntoViewIfNeeded()
    for (let tries = 0; tries < 100 && !(await isLaidOut()); tries++) await page.waitForTimeout(50)
    assert.equal(await isLaidOut(), true)
  })

  test('what was asked in vain is gathered, and taught', async () => {
    const ask = (Text: string) =>
      service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text, SessionId: 'caller' } })
    for (const question of ['Where can I park my car?', 'Is there parking for visitors?']) await ask(question)
    await go('/p/pottery/figures')
    const gap = page.locator('.gaps .document', { hasText: 'Is there parking for visitors?' })
    await gap.getByText('asked 2 times').waitFor()
    await gap.getByText('Where can I park my car?').waitFor()
    await gap.getByRole('button', { name: 'Teach it' }).click()
    await page.getByLabel('The answer').fill('Visitors park behind the mill.')
    await sound(page, 'teaching what was not known')
    await page.getByRole('button', { name: 'Teach', exact: true }).click()
    await page.getByText('Osman knows it now.').waitFor()
    await gap.waitFor({ state: 'detached' })
    await service.learned()
    await page.reload()
    await page.getByText('Nothing was asked in vain').waitFor()
    assert.match((await ask('Is there parking for visitors?')).body.ai_message, /behind the mill/)
  })

  test('a folder is chosen or dropped: its files are learned, and what was left out is named', async () => {
    const folder = join(temporaryFolder(), 'workshop')
    mkdirSync(join(folder, 'shelf'), { recursive: true })
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
    put('wheel.txt', 'The wheel stands by the window.')
    put('shelf/clay.md', '# Clay\n\nThe clay comes from the river.')
    put('.hidden.txt', 'Nobody sees this.')
    put('empty.txt', '')
    put('tool.exe', 'MZ')
    await go('/p/pottery/documents')
    await page.getByLabel('Folder').setInputFiles(folder)
    const row = page.locator('.document', { hasText: 'left out' })
    await row.getByText('2 files are being learned').waitFor()
    await row.getByText('3 files were left out').click()
    const reasons = (await row.locator('li').allInnerTexts()).sort()
    assert.deepEqual(reasons, [
      'workshop/.hidden.txt: It is hidden.',
      'workshop/empty.txt: It is empty.',
      'workshop/tool.exe: It is a program, or of the operating system.',
    ])
    await sound(page, 'a folder that was sent')
    await row.getByRole('button', { name: 'Dismiss' }).click()
    await row.waitFor({ state: 'detached' })
    // As a browser drops it: no event that a page can make holds a folder.
    const browserItself = await page.context().newCDPSession(page)
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browserItself.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
    await row.getByText('2 files are being learned').waitFor()
    await row.getByText('3 files were left out').waitFor()
    await service.learned()
    const { documents } = await admin('GET', '/personas/pottery/documents')
    const learned = documents.filter((one: { file_name: string | null }) => /wheel|clay/.test(one.file_name ?? ''))
    assert.deepEqual(learned.map(({ file_name, state }: Record<string, string>) => `${file_name} ${state}`).sort(), [
      'clay.md ready',
      'clay.md ready',
      'wheel.txt ready',
      'wheel.txt ready',
    ])
  })

  test('what of a file could not be read stands beside it, in the list and on its page', async () => {
    const whole = makeZip({ 'kiln.txt': 'The kiln is fired on Fridays.', 'shelf.txt': 'The shelf is of oak.' })
    const buffer = whole.subarray(0, whole.indexOf('shelf.txt') - 30)
    await go('/p/pottery/documents')
    await page.getByLabel('Files').setInputFiles({ name: 'papers.zip', mimeType: 'application/zip', buffer })
    const row = page.locator('.document', { hasText: 'papers.zip' })
    await row.getByText('This zip ends early: 1 file was read, the rest is missing. Upload it again.').waitFor()
    await row.getByText('ready', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'papers.zip' }).click()
    await page.getByText('This zip ends early: 1 file was read').waitFor()
    await page.getByText('fired on Fridays').waitFor()
  })

  test('it fits a phone', async () => {
    const phone = await openWindow(browser, service, 'light', 360)
    await phone.signIn('/console/p/pottery/documents')
    await phone.page.getByLabel('Choose Tin glaze').check()
    for (const place of ['documents', 'memory']) {
      if (place === 'memory') await phone.go(`/p/pottery/${place}`)
      await phone.page.getByText('Tag, source and time').click()
      assert.ok(Number(await phone.page.evaluate('document.documentElement.scrollWidth')) <= 360, place)
    }
  })
})
