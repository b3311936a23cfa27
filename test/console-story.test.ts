// An owner's first hour in a real browser: from the first start to a persona that learned from its owner.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeTextPdf } from '../src/extract/test-files.ts'
import { noBrowser, openWindow, startBrowser } from './console-browser.ts'
import { startService } from './started.ts'

const PDF = makeTextPdf([
  'BT /F1 12 Tf 72 720 Td (The kiln in the yard was rebuilt in May 2019 by Osman Farrell.) Tj ET',
  'BT /F1 12 Tf 72 720 Td (It reaches one thousand three hundred degrees and cools for two days.) Tj ET',
])

if (noBrowser) console.log(`The console in a browser: skipped, ${noBrowser}.`)

describe('the console in a browser', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService()
  const browser = await startBrowser()
  const { page, trouble, signIn } = await openWindow(browser, service)
  after(() => assert.deepEqual(trouble, []))
  const place = (name: string) =>
    page.getByRole('navigation', { name: 'Persona', exact: true }).getByRole('link', { name })
  test('the key opens it, another does not, and a reload keeps it open', async () => {
    // The form is there before the script, which comes late: what is typed stays, and what was sent is sent then.
    await page.route('**/first-*.js', async (route) => {
      await page.getByLabel('Admin key').fill('not-the-admin-key')
      await page.keyboard.press('Enter')
      await route.continue()
    })
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await page.goto(`${service.url}/console`)
    await page.getByRole('alert').getByText('This is not the admin key.').waitFor()
    const at = (end: string) => fetched.findIndex((url) => url.endsWith(end))
    assert.ok(at('.js') < at('.woff2'), 'the form is painted before a typeface is fetched')
    assert.equal(await page.getByLabel('Admin key').inputValue(), 'not-the-admin-key')
    await page.unroute('**/first-*.js')
    await signIn()
    await page.getByText('Nobody here yet').waitFor()
    await page.reload()
    await page.getByText('Nobody here yet').waitFor()
    const other = await openWindow(browser, service)
    await other.page.goto(`${service.url}/console`)
    await other.page.getByLabel('Admin key').waitFor()
    const kept = String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage }) + document.cookie'))
    assert.ok(!kept.includes('admin-key'), 'the key is nowhere a script could find it')
  })

  test('a persona is made', async () => {
    await page.getByRole('button', { name: 'New persona' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Osman’s Pottery')
    assert.equal(await page.getByLabel('DomainName').inputValue(), 'osman-s-pottery')
    await page.getByLabel('DomainName').fill('pottery')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Osman’s Pottery has nothing to read').waitFor()
    await page.waitForURL('**/p/pottery/documents')
  })

  test('a PDF dropped anywhere is learned while one looks', async () => {
    await place('Talk').click()
    await page.getByText('remembers nothing yet').waitFor()
    await drop(page, 'kiln.pdf', PDF)
    await page.getByRole('status').getByText('“kiln.pdf” is accepted and being learned.').waitFor()
    await place('Documents').click()
    await page.locator('.document', { hasText: 'A small book' }).getByText('ready').waitFor()
  })

  test('it answers from it, says why, and the citation opens at its place', async () => {
    await place('Talk').click()
    await ask(page, 'Who rebuilt the kiln?')
    const reply = page.locator('.turn.sent').last()
    await reply.getByText('Osman Farrell').waitFor()
    assert.match(await reply.locator('.score').innerText(), /^\d+\s*% sure$/)
    await reply.getByRole('button', { name: 'Why?' }).click()
    const drawer = page.getByRole('complementary', { name: 'Why this reply' })
    await drawer.locator('mark').first().getByText('Osman Farrell').waitFor()
    await drawer.getByText('What the score is made of').waitFor()
    await drawer.getByRole('button', { name: 'Right' }).click()
    await drawer.getByRole('button', { name: 'Right', pressed: true }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await reply.getByRole('button', { name: 'Why?' }).click()
    await drawer.getByRole('link', { name: 'A small book' }).first().click()
    await page.locator('.document-text mark').getByText('rebuilt in May 2019').waitFor()
  })

  test('a threshold is set by looking, and withholds', async () => {
    await place('Confidence').click()
    const slider = page.getByRole('slider', { name: 'Threshold' })
    await slider.fill('100')
    await page.getByText('Of the last 1 replies, 1 (100 %) would have been withheld.').waitFor()
    await slider.fill('60')
    await page.getByText('Of the last 1 replies, 0 (0 %) would have been withheld.').waitFor()
    await page.getByRole('button', { name: 'Set threshold' }).click()
    await page.getByText('Replies below 60 % wait for you from now on.').waitFor()
    await place('Talk').click()
    await ask(page, 'Which clay does the pottery use?')
    await page.locator('.turn.withheld').getByText('below the threshold of 60 %').waitFor()
    await place('Copilot').getByText('1').waitFor()
  })

  test('a refusal whose explanation fails ends the turn as well', async () => {
    await page.route('**/admin/personas/pottery/replies/*', (route) => route.abort())
    await ask(page, 'Who feeds the goldfish?')
    await page.locator('.turn.failed').getByText('does not meet threshold').waitFor()
    await page.unroute('**/admin/personas/pottery/replies/*')
    const [draft] = (await service.admin('GET', '/personas/pottery/drafts')).drafts
    await service.admin('POST', `/personas/pottery/drafts/${draft.id}/reject`)
  })

  test('the owner answers from the keyboard, and the persona learns it', async () => {
    await place('Copilot').click()
    await page.getByRole('heading', { name: 'Which clay does the pottery use?' }).waitFor()
    await page.keyboard.press('e')
    const editor = page.getByLabel('The reply as it should be')
    await editor.fill(' ')
    await page.keyboard.press('Control+Enter') // says nothing, so nothing is approved
    await editor.fill('The pottery uses red stoneware clay from Hallstadt.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Learned from you').waitFor()
    await page.getByText('Nothing waits for you').waitFor()
    await service.learned()
    await place('Talk').click()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await ask(page, 'Which clay does the pottery use?')
    await page.locator('.turn.sent').getByText('red stoneware clay').waitFor()
  })

  test('what was said is found again, and opened', async () => {
    await page.getByRole('searchbox', { name: 'Search what was said' }).fill('rebuilt the')
    await page.getByRole('button', { name: /Who rebuilt the kiln/ }).click()
    await page.locator('.turn.sent').getByText('Osman Farrell').waitFor()
  })

  test('a memory is added, found as recall finds it, changed and forgotten', async () => {
    await place('Memory').click()
    await page.getByRole('button', { name: 'Add a memory' }).click()
    await page.getByLabel('What happened').fill('The cat sleeps on the warm kiln.')
    await page.getByLabel('When').fill('1998-03-04T10:00')
    await page.getByLabel('Tags').fill('cats')
    await page.getByRole('button', { name: 'Remember' }).click()
    await service.learned()
    await page.getByRole('heading', { name: 'March 1998' }).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search memory' })
    let recalls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/recall')) recalls++
    })
    await search.pressSequentially('where does the cat sleep?', { delay: 20 })
    await page.locator('.recalled li').first().getByText('The cat sleeps').waitFor()
    assert.ok(recalls <= 2, `${recalls} recalls for one question`)
    await search.fill('')
    const card = page.locator('.memory', { hasText: 'The cat sleeps' })
    await card.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Memory' }).fill('The dog sleeps on the warm kiln.')
    await page.getByRole('button', { name: 'Save' }).click()
    await service.learned()
    const changed = page.locator('.memory', { hasText: 'The dog sleeps' })
    await changed.getByRole('button', { name: 'Delete' }).click()
    await changed.getByRole('button', { name: 'Delete', exact: true }).click()
    await changed.waitFor({ state: 'detached' })
  })

  test('a text is pasted, kept as a draft, published, changed, and its earlier text compared', async () => {
    await place('Documents').click()
    await page.getByRole('button', { name: 'Text' }).click()
    await page.getByLabel('Title').fill('Glazes')
    await page.getByRole('textbox', { name: 'Text' }).fill('Ash glaze is green.\nTin glaze is white.')
    await page.getByLabel('Keep as a draft').check()
    await page.getByRole('button', { name: 'Teach' }).click()
    const row = page.locator('.document', { hasText: 'Glazes' })
    await row.getByText('draft').waitFor()
    await row.getByRole('button', { name: 'Publish' }).click()
    await row.getByText('draft').waitFor({ state: 'detached' })
    await row.getByRole('link', { name: 'Glazes' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Ash glaze is blue.\nTin glaze is white.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Earlier texts' }).click()
    await page.locator('.diff del').getByText('green.').waitFor()
    await page.locator('.diff ins').getByText('blue.').waitFor()
  })

  test('a key is made, shown once, and revoked', async () => {
    await page.getByRole('navigation', { name: 'Service' }).getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Only these').check()
    await page.getByRole('checkbox', { name: 'Osman’s Pottery' }).check()
    await page.getByRole('checkbox', { name: /For a program of 2023/ }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    const key = await page.getByRole('button', { name: /Copy key/ }).innerText()
    await page.getByRole('button', { name: 'I have it' }).click()
    const say = () =>
      service.call({
        path: '/v1/message',
        key: key.trim(),
        body: { DomainName: 'pottery', Text: 'Who rebuilt the kiln?' },
      })
    assert.equal((await say()).status, 200)
    await page.locator('.tag', { hasText: 'legacy' }).waitFor()
    await page.getByRole('button', { name: 'Revoke Shop' }).click()
    await page.getByRole('button', { name: 'Revoke Shop', exact: true }).last().click()
    await page.getByText('No keys yet').waitFor()
    assert.equal((await say()).status, 403)
  })

  test('another voice is tried out before it is saved', async () => {
    await page.getByRole('link', { name: 'All personas' }).click()
    await page.getByRole('link', { name: 'Osman’s Pottery' }).first().click()
    await place('Settings').click()
    await page.getByLabel('Voice', { exact: true }).fill('You know every glaze by heart.')
    await page.locator('.preview').getByText('I know every glaze by heart.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('status').getByText('Saved.', { exact: true }).waitFor()
    assert.equal((await service.admin('GET', '/personas/pottery')).instructions, 'You know every glaze by heart.')
  })

  test('a chat model is given to it, and taken away', async () => {
    const model = async () => (await service.admin('GET', '/personas/pottery')).model
    await page.getByLabel('Model', { exact: true }).fill('llama3.2')
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/v1')
    await page.getByLabel('Its key').fill('secret')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByRole('alert').getByText('llama3.2').waitFor()
    await page.getByRole('button', { name: 'Use this model' }).click()
    await page.getByRole('button', { name: 'Change the model' }).waitFor()
    const kept = {
      provider: 'openai-compatible',
      url: 'http://127.0.0.1:9/v1',
      name: 'llama3.2',
      has_key: true,
      prices: null,
    }
    assert.deepEqual(await model(), kept)
    await page.getByRole('button', { name: 'Do without' }).click()
    await page.getByRole('button', { name: 'Use this model' }).waitFor()
    assert.equal(await model(), null)
  })

  test('a reply from memory says so where the chat model did not answer', async () => {
    const nobody = { provider: 'openai-compatible', url: 'http://127.0.0.1:1/v1', name: 'gone' }
    await service.admin('PATCH', '/personas/pottery', { model: nobody })
    await place('Talk').click()
    await ask(page, 'Who rebuilt the kiln?')
    const reply = page.locator('.turn.sent').last()
    await reply.getByText('Answered from memory: the model did not answer.').waitFor()
    await reply.getByRole('button', { name: 'Why?' }).click()
    const drawer = page.getByRole('complementary', { name: 'Why this reply' })
    await drawer.getByText('The chat model gone@127.0.0.1:1 gave no answer').waitFor()
    await page.keyboard.press('Escape')
    await service.admin('PATCH', '/personas/pottery', { model: null })
    await place('Settings').click()
  })

  test('a persona is deleted by typing its name, with a receipt; signing out closes the door', async () => {
    await page.getByRole('button', { name: 'Delete…' }).click()
    const sure = page.getByRole('button', { name: 'Delete for good' })
    assert.equal(await sure.isDisabled(), true)
    await page.getByLabel('Type pottery to confirm').fill('pottery')
    await sure.click()
    await page.getByRole('heading', { name: /is deleted/ }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Nobody here yet').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).last().click()
    await page.getByLabel('Admin key').waitFor()
  })
})

async function ask(page: Page, question: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(question)
  await box.press('Enter')
  await page.locator('.turn.asked', { hasText: question }).last().waitFor()
  await page.locator('.turn.coming').waitFor({ state: 'detached' })
}

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`{
    const bytes = Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], '${name}'))
    transfer
  }`)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}
