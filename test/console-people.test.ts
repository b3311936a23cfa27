// People in the console: invited by a link, signed in with a password, shown what their role may do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, openWindow, sound, startBrowser } from './console-browser.ts'
import { CLIENT, startIssuer } from './issuer.ts'
import { PASSWORD } from './signed-in.ts'
import { startService } from './started.ts'

if (noBrowser) console.log(`People in the console: skipped, ${noBrowser}.`)

describe('people in the console', { skip: noBrowser ?? false }, async () => {
  if (noBrowser) return
  const issuer = await startIssuer()
  const service = await startService({
    MEMOIR_READER: '0',
    MEMOIR_OIDC_ISSUER: issuer.url,
    MEMOIR_OIDC_CLIENT_ID: CLIENT.id,
    MEMOIR_OIDC_CLIENT_SECRET: CLIENT.secret,
  })
  await service.persona('pottery', { name: 'Osman’s Pottery' })
  await service.persona('secret', { name: 'The Secret One' })
  const key = await service.key(['pottery'])
  const body = { DomainName: 'pottery', Title: 'Handbook', Text: 'The kiln was rebuilt in May 2019 by Osman Farrell.' }
  await service.call({ path: '/v1/upload-text', key, body })
  await service.learned()
  const browser = await startBrowser()
  let asReader = ''

  test('an owner with the admin key invites themselves, and a reader', async () => {
    const { page, trouble, signIn } = await openWindow(browser, service)
    await signIn('/console/people')
    await page.getByText('Nobody has an account yet').waitFor()
    await sound(page, 'people, none')
    const asAdministrator = await invite(page, 'boss@example.com', async () => {
      await page.getByLabel('Role').selectOption('Administrator')
      await sound(page, 'an invitation')
    })
    asReader = await invite(page, 'reader@example.com', () => page.getByLabel('Osman’s Pottery').check())
    await page.locator('.document', { hasText: 'reader@example.com' }).getByText('pottery').waitFor()
    await sound(page, 'people, invited')

    const other = await openWindow(browser, service)
    await other.page.goto(asAdministrator)
    await other.page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await other.page.getByLabel('Password').waitFor()
    await sound(other.page, 'welcome')
    await other.page.getByLabel('Name', { exact: true }).fill('Berta Boss')
    await other.page.getByLabel('Password').fill('password1234')
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.getByRole('alert').getByText('tried first').waitFor()
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.getByRole('heading', { name: 'Personas' }).waitFor()
    assert.ok(!other.page.url().includes('#'))
    await other.go('/people')
    await other.page.locator('.document', { hasText: 'Berta Boss' }).getByText('you').waitFor()
    await sound(other.page, 'people')

    await other.page.goto(asAdministrator)
    await other.page.getByText('leads nowhere any more').waitFor()
    assert.deepEqual([...trouble, ...other.trouble], [])
  })

  test('a reader talks and looks, at their persona alone', async () => {
    const { page, trouble, go } = await openWindow(browser, service)
    await page.goto(asReader)
    await page.getByLabel('Name', { exact: true }).fill('Rita Reader')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'Osman’s Pottery' }).first().waitFor()
    assert.equal(await page.getByText('The Secret One').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'New persona' }).count(), 0)
    await go('/p/pottery/talk')
    await page.getByRole('textbox', { name: 'Message' }).fill('Who rebuilt the kiln?')
    await page.keyboard.press('Enter')
    await page.locator('.turn.sent').getByText('Osman Farrell').waitFor()
    await page.getByRole('button', { name: 'Why?' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Wrong' }).count(), 0)
    const places = page.getByRole('navigation', { name: 'Persona', exact: true }).getByRole('link')
    assert.deepEqual(await places.allInnerTexts(), [
      'Talk',
      'Memory',
      'Documents',
      'Following',
      'Confidence',
      'Figures',
    ])
    const links = page.getByRole('navigation', { name: 'Service' }).getByRole('link')
    assert.deepEqual(await links.allInnerTexts(), ['Interface', 'You'])
    await go('/p/pottery/documents')
    await page.locator('.document', { hasText: 'Handbook' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Learn page' }).count(), 0)
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await sound(page, 'documents of a reader')
    await go('/p/secret/talk')
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    assert.deepEqual(trouble, [])
  })

  test('who stays signed in is so in every tab, sees it, and ends it from elsewhere', async () => {
    const here = await openWindow(browser, service)
    await enter(here.page, service.url, 'boss@example.com', true)
    const second = await here.context.newPage()
    await second.goto(`${service.url}/console/you`)
    await second.getByText('boss@example.com, Administrator').waitFor()
    const there = await openWindow(browser, service, 'light', 390)
    await enter(there.page, service.url, 'boss@example.com')
    await there.go('/you')
    const devices = there.page.locator('.document')
    await devices.filter({ hasText: 'this one' }).waitFor()
    await sound(there.page, 'you')
    await there.page.getByRole('button', { name: 'End all others' }).click()
    await there.page.getByText('sessions ended').or(there.page.getByText('session ended')).first().waitFor()
    await devices.nth(1).waitFor({ state: 'detached' })
    await second.reload()
    await second.getByLabel('Mail address').waitFor()
    await sound(second, 'signing in with a password')
    await second.getByRole('button', { name: 'Use the admin key' }).click()
    await second.getByLabel('Admin key').waitFor()
  })

  test('a password is changed where one knows it', async () => {
    const { page, go } = await openWindow(browser, service)
    await enter(page, service.url, 'boss@example.com')
    await go('/you')
    await page.getByLabel('Password until now').fill('not the one it is')
    await page.getByLabel('New password').fill('a lantern in the reeds')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').getByText('is not your password').waitFor()
    await page.getByLabel('Password until now').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password is changed').waitFor()
  })

  test('an administrator sees where somebody else is signed in, and ends it', async () => {
    const theirs = await openWindow(browser, service)
    await enter(theirs.page, service.url, 'reader@example.com')
    const { page, go } = await openWindow(browser, service)
    await enter(page, service.url, 'boss@example.com', false, 'a lantern in the reeds')
    await go('/people')
    await page.getByRole('button', { name: 'Where Rita Reader is signed in' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^End / }).nth(1).waitFor()
    await sound(page, 'where somebody else is signed in')
    await dialog.getByRole('button', { name: 'End all' }).click()
    await dialog.getByText('Signed in nowhere.').waitFor()
    await theirs.page.reload()
    await theirs.page.getByLabel('Mail address').waitFor()
  })

  test('a passkey is added, signs in, and opens nothing once it is removed', async () => {
    const url = service.url.replace('127.0.0.1', 'localhost')
    const { page, context, trouble } = await openWindow(browser, { url })
    const devices = await context.newCDPSession(page)
    await devices.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options })
    await enter(page, url, 'reader@example.com')
    await page.goto(`${url}/console/you`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('never used').waitFor()
    await sound(page, 'passkeys')
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
    assert.equal(credentials[0]!.rpId, 'localhost')

    const signInByPasskey = async () => {
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
    }
    await signInByPasskey()
    await page.getByText('reader@example.com, Reader').waitFor()
    await page.getByText('used just now').waitFor()

    // Somebody who is not who they are: the device does not confirm it.
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await signInByPasskey()
    await page.getByRole('alert').getByText('was not confirmed').waitFor()
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('reader@example.com, Reader').waitFor()

    await page.getByRole('button', { name: /^Remove the passkey/ }).click()
    await page.getByText('used just now').waitFor({ state: 'detached' })
    await signInByPasskey()
    await page.getByRole('alert').getByText('not known here').waitFor()
    assert.deepEqual(trouble, [])
  })

  test('an issuer signs somebody in where they were, a stranger is told why not, and a dead one leaves the rest', async () => {
    // Another site than the issuer's, as in life.
    const url = service.url.replace('127.0.0.1', 'localhost')
    const { page, trouble } = await openWindow(browser, { url })
    const isElsewhere = (what: string) => what.startsWith(`elsewhere: ${issuer.url}/authorize`)
    const comeBack = async (email: string) => {
      issuer.says = { claims: { sub: email, email } }
      await page.getByRole('button', { name: /^Sign in with 127/ }).click()
      await page.getByRole('link', { name: 'Continue' }).click()
    }
    await page.goto(`${url}/console/you`)
    await page.getByRole('button', { name: /^Sign in with 127/ }).waitFor()
    await sound(page, 'signing in with an issuer')
    await comeBack('stranger@example.com')
    await page.getByRole('alert').getByText('stranger@example.com has no account here').waitFor()
    await sound(page, 'refused after the issuer')
    await page.getByRole('link', { name: 'Sign in another way' }).click()
    await page.getByLabel('Mail address').waitFor()
    await page.goto(`${url}/console/you`)
    await page.getByLabel('Stay signed in').check()
    await comeBack('reader@example.com')
    await page.getByText('reader@example.com, Reader').waitFor()
    assert.equal(new URL(page.url()).pathname, '/console/you')
    await page.getByText('stays signed in').waitFor()
    assert.deepEqual(
      trouble.filter((what) => !isElsewhere(what)),
      [],
    )
  })

  test('fits a phone', async () => {
    const { page, signIn, go } = await openWindow(browser, service, 'light', 360)
    await page.goto(`${service.url}/console`)
    await page.getByLabel('Mail address').waitFor()
    await isNarrow(page)
    await signIn()
    await page.getByRole('link', { name: 'You, and the service' }).click()
    await page.getByRole('navigation', { name: 'Service, small screen' }).getByRole('link', { name: 'People' }).click()
    await page.locator('.document').first().waitFor()
    for (const place of ['/people', '/you']) {
      await go(place)
      await page.locator('.document').first().waitFor()
      await isNarrow(page)
    }
  })
})

async function invite(page: Page, email: string, choose: () => Promise<unknown>): Promise<string> {
  await page.getByRole('button', { name: 'Invite' }).first().click()
  await page.getByLabel('Mail address').fill(email)
  await choose()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.getByRole('button', { name: /^Copy link/ }).innerText()
  await page.getByRole('button', { name: 'I have it' }).click()
  return link.trim()
}

async function enter(page: Page, url: string, email: string, stays = false, password = PASSWORD): Promise<void> {
  await page.goto(`${url}/console`)
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  if (stays) await page.getByLabel('Stay signed in').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('#page h1').first().waitFor()
}

async function isNarrow(page: Page): Promise<void> {
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
  assert.ok(width <= 360, `${page.url()} is ${width} wide`)
}
