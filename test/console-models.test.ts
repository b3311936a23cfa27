// An owner looks after the models of the service in a real browser: fetched, tried, refused, removed.
import assert from 'node:assert/strict'
import { readFileSync, truncateSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { installScriptedLlama, modelsIn } from './local-llama.ts'
import { startService, temporaryFolder } from './started.ts'
import { writeTinyModel } from './tiny-gguf.ts'

if (noBrowser) console.log(`Models in a browser: skipped, ${noBrowser}.`)

describe('models in a browser', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const folder = temporaryFolder()
  const llama = installScriptedLlama(folder)
  const file = join(temporaryFolder(), 'tiny.gguf')
  writeTinyModel(file)
  const bytes = readFileSync(file)
  // Half of a model at once, the rest when the test says so.
  let goOn = () => {}
  const server = createServer((request, answer) => {
    if (request.url === '/letter.gguf') return answer.end('Dear Ada, this is no model at all.')
    if (request.url !== '/tiny.gguf') return answer.writeHead(404).end()
    answer.writeHead(200, { 'content-length': String(bytes.length) })
    answer.write(bytes.subarray(0, bytes.length / 2))
    goOn = () => answer.end(bytes.subarray(bytes.length / 2))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = await startService({ MEMOIR_DATA: folder, MEMOIR_ALLOW_PRIVATE_URLS: '1', MEMOIR_READER: '0' })
  const browser = await startBrowser()
  const { page, trouble, signIn } = await openWindow(browser, service)
  after(() => assert.deepEqual(trouble, []))
  const row = (name: string) => page.locator('.document', { hasText: name }).first()
  const get = async (from: string) => {
    await page.getByLabel('Get a model').fill(from)
    await page.getByRole('button', { name: 'Get it' }).click()
  }

  test('one is fetched, and shows how far it is', async () => {
    await signIn('/console/models')
    await page.getByText('No models yet').waitFor()
    await sound(page, 'no models')
    await get(`${url}/nowhere.gguf`)
    await page.getByRole('alert').getByText('status 404').waitFor()
    await get(`${url}/tiny.gguf`)
    await row('tiny').getByRole('progressbar').waitFor()
    await sound(page, 'a model is fetched')
    goOn()
    await row('tiny').getByRole('button', { name: 'Try tiny' }).waitFor()
  })

  test('it is tried', async () => {
    llama.say('tiny', { says: 'Hello there.' })
    await row('tiny').getByRole('button', { name: 'Try tiny' }).click()
    await row('tiny').getByText('Hello there.').waitFor()
  })

  test('what is no model, and one too large for the memory, say so', async () => {
    await get(`${url}/letter.gguf`)
    await row('letter').getByText('letter is no GGUF file.').waitFor()
    llama.add('large', {})
    truncateSync(join(modelsIn(folder), 'large.gguf'), 2 ** 40)
    await row('large')
      .getByText(/needs about 1024\.\d GiB of memory/)
      .waitFor()
    await row('large').getByText('1,099.5 GB').waitFor()
    await sound(page, 'models with what is wrong')
  })

  test('it fits a phone', async () => {
    const phone = await openWindow(browser, service, 'light', 360)
    await phone.signIn('/console/models')
    await phone.page.getByText('letter is no GGUF file.').waitFor()
    assert.ok(Number(await phone.page.evaluate('document.documentElement.scrollWidth')) <= 360)
  })

  test('they are removed', async () => {
    for (const name of ['large', 'letter', 'tiny'])
      await row(name)
        .getByRole('button', { name: `Remove ${name}` })
        .click()
    await page.getByText('No models yet').waitFor()
    assert.deepEqual((await service.admin('GET', '/models')).models, [])
  })
})
