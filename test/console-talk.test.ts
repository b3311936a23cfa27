// Talking in the console as people know it from elsewhere: stopped, asked again, judged, copied, kept in order.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { scriptedModel } from './scripted-model.ts'
import { scriptedSpeech } from './scripted-speech.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`Talking in the console: skipped, ${noBrowser}.`)

describe('talking in the console', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const service = await startService()
  const { admin } = service
  const model = await scriptedModel()
  await service.persona('pottery', { name: 'Osman', model: { url: model.url, name: 'm' } })
  const key = await service.key(['pottery'])
  const Text = 'The kiln was rebuilt in May 2019 by Osman Farrell. The clay comes from Hallstadt.'
  await service.call({ path: '/v1/upload-text', key, body: { DomainName: 'pottery', Title: 'Handbook', Text } })
  await service.learned()
  const browser = await startBrowser()
  const { page, trouble, signIn } = await openWindow(browser, service)
  after(() => assert.deepEqual(trouble, []))
  await signIn('/console/p/pottery/talk')
  const box = page.getByRole('textbox', { name: 'Message' })
  const last = page.locator('.turn').last()
  const ask = async (question: string) => {
    await box.fill(question)
    await box.press('Enter')
  }
  const sessions = async (from = 'console') =>
    (await admin('GET', `/personas/pottery/sessions?from=${from}`)).sessions as Record<string, string>[]

  test('a reply that takes too long is stopped, and asked for again', async () => {
    model.say({ deltas: ['It is'], end: 'hang' })
    await ask('Who rebuilt the kiln?')
    await last.getByText('It is').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await last.getByText('Stopped. It is not kept.').waitFor()
    assert.equal((await sessions()).length, 0)
    model.say({ deltas: ['It was rebuilt by Osman Farrell [m1].'] })
    await last.getByRole('button', { name: 'Ask again' }).click()
    await page.locator('.turn.sent').getByText('It was rebuilt by Osman Farrell').waitFor()
    assert.equal(await page.locator('.turn').count(), 2)
  })

  test('a small mark in the text opens its source beside it', async () => {
    await last.getByRole('button', { name: 'Source 1: Handbook' }).click()
    const source = page.locator('.drawer .source[data-chosen=true]')
    await source.locator('mark').getByText('rebuilt in May 2019').waitFor()
    await sound(page, 'a source beside its reply')
    await page.keyboard.press('Escape')
  })

  test('the last question is edited in place, and the history holds it alone', async () => {
    model.say({ deltas: ['From Hallstadt.'] })
    await page.getByRole('button', { name: 'Edit the question' }).click()
    await page.getByRole('textbox', { name: 'The question' }).fill('Where is the clay from?')
    await sound(page, 'editing a question')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit the question' }).click()
    await page.getByRole('textbox', { name: 'The question' }).fill('Where is the clay from?')
    await page.keyboard.press('Enter')
    await page.locator('.turn.sent').getByText('From Hallstadt.').waitFor()
    await page.reload()
    await page.locator('.turn.sent').getByText('From Hallstadt.').waitFor()
    assert.deepEqual(await page.locator('.turn.asked p').allInnerTexts(), ['You:\nWhere is the clay from?'])
  })

  test('a reply is copied, and judged in one click', async () => {
    await last.getByRole('button', { name: 'Copy the reply' }).click()
    await last.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'From Hallstadt.')
    await last.getByRole('button', { name: 'Wrong' }).click()
    await last.getByRole('button', { name: 'Wrong', pressed: true }).waitFor()
    const [reply] = (await admin('GET', '/personas/pottery/replies')).replies
    assert.equal(reply.label, 'wrong')
    await page.reload()
    await last.getByRole('button', { name: 'Wrong', pressed: true }).waitFor()
  })

  test('a message is dictated and a reply read out, where the browser can', async () => {
    assert.equal(await page.getByRole('button', { name: 'Read aloud' }).count(), 0)
    await page.addInitScript(scriptedSpeech)
    await page.reload()
    await box.fill('Well,')
    await page.getByRole('button', { name: 'Dictate' }).click()
    await page.getByRole('button', { name: 'Stop dictating', pressed: true }).waitFor()
    await page.evaluate("hear('where is'); hear('where is the clay from?')")
    assert.equal(await box.inputValue(), 'Well, where is the clay from?')
    await page.evaluate('recognition.onend()')
    await page.getByRole('button', { name: 'Dictate' }).click()
    await page.evaluate("recognition.onerror({ error: 'not-allowed' }); recognition.onend()")
    await page.getByText('does not let this page use the microphone').waitFor()
    assert.equal(await page.evaluate('recognition.lang'), 'en-US')
    await last.getByRole('button', { name: 'Read aloud' }).click()
    await last.getByRole('button', { name: 'Stop reading', pressed: true }).waitFor()
    assert.deepEqual(await page.evaluate('spoken'), ['en-US: From Hallstadt.'])
    await sound(page, 'a reply read out')
    await page.evaluate('finishSpeaking()')
    await last.getByRole('button', { name: 'Read aloud' }).click()
    await last.getByRole('button', { name: 'Stop reading' }).click()
    await last.getByRole('button', { name: 'Read aloud' }).waitFor()
    await box.fill('')
  })

  test('a conversation is named, saved as a file and deleted', async () => {
    await page.getByRole('button', { name: 'Name this conversation' }).click()
    await page.getByLabel('Name', { exact: true }).fill('About clay')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.session-list').getByText('About clay').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save this conversation as a file' }).click()
    const file = await saving
    assert.equal(file.suggestedFilename(), 'About clay.md')
    assert.equal(
      readFileSync(await file.path(), 'utf8'),
      '# About clay\n\n**You:** Where is the clay from?\n\n**Osman:** From Hallstadt.\n',
    )
    await page.getByRole('button', { name: 'Delete this conversation' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Ask Osman something.').waitFor()
    assert.equal((await sessions()).length, 0)
  })

  test('what callers asked stands apart', async () => {
    model.say({ deltas: ['In May 2019.'] })
    const body = { DomainName: 'pottery', Text: 'When was it rebuilt?', SessionId: 'caller' }
    await service.call({ path: '/v1/message', key, body })
    await page.reload()
    await page.getByText('You have not asked anything yet.').waitFor()
    await page.getByLabel('Callers’').check()
    await page.getByRole('button', { name: /When was it rebuilt/ }).click()
    await page.locator('.turn.sent').getByText('In May 2019.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Edit the question' }).count(), 0)
    await sound(page, 'what a caller asked')
  })
})
