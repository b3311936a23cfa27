// An acknowledgement is a promise: the process is killed again and again while it accepts, and nothing acknowledged is lost.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, test } from 'node:test'
import { launch } from './launched.ts'
import { temporaryFolder } from './started.ts'

const KILLS = 10 // at any time; test/fault-points.test.ts kills at every step
const CALLERS = 4
const ADMIN_KEY = 'admin-key-of-the-crash-test'
const folder = temporaryFolder()

const env = {
  MEMOIR_DATA: folder,
  MEMOIR_RATE_LIMIT: '0',
  MEMOIR_ADMIN_KEY: ADMIN_KEY,
}

const call = (url: string, method: string, path: string, key: string, body?: unknown) => {
  const isForm = body instanceof FormData
  return fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
}

let child: ChildProcess
let url: string
after(() => child.kill('SIGKILL'))

test(`${KILLS} kills lose nothing that was acknowledged`, { timeout: 600_000 }, async (context) => {
  ;({ url, child } = await launch(env))
  await call(url, 'POST', '/admin/personas', ADMIN_KEY, { domain_name: 'ada-l', name: 'Ada' })
  const { key } = (await (await call(url, 'POST', '/admin/keys', ADMIN_KEY, { personas: ['ada-l'] })).json()) as {
    key: string
  }

  const acknowledged = { memories: new Set<string>(), documents: new Set<string>(), files: new Set<string>() }
  let number = 0
  const sendOne = async (to: string) => {
    const n = number++
    const name = `item ${n} of the crash test`
    if (n % 3 === 0) {
      const answer = await call(to, 'POST', '/v1/memory', key, { DomainName: 'ada-l', Text: name, SourceName: 'test' })
      if (answer.status === 200) acknowledged.memories.add(name)
    } else if (n % 3 === 1) {
      const answer = await call(to, 'POST', '/v1/upload-text', key, {
        DomainName: 'ada-l',
        Title: name,
        Text: `The text of ${name}.`,
      })
      if (answer.status === 200) acknowledged.documents.add(name)
    } else {
      const form = new FormData()
      form.set('file', new Blob([`The text of ${name}.\n`.repeat(20)]), `${n}.txt`)
      form.set('message_request', JSON.stringify({ DomainName: 'ada-l', Title: name }))
      const answer = await call(to, 'POST', '/v1/upload-file', key, form)
      if (answer.status === 200) acknowledged.files.add(name)
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    let dead = false
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!dead) await sendOne(url).catch(() => {})
    })
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 400))
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    dead = true
    await Promise.all(callers)
    ;({ url, child } = await launch(env))
  }

  const admin = async (path: string) => (await (await call(url, 'GET', `/admin${path}`, ADMIN_KEY)).json()) as never
  const work = async () => (await admin('/work')) as { pending: number; failed: number }
  while ((await work()).pending > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal((await work()).failed, 0)

  const ready = new Map<string, string>()
  for (let before = ''; ; ) {
    const page: { documents: { title: string; state: string; characters: number }[]; next: string | null } =
      await admin(`/personas/ada-l/documents?limit=200${before}`)
    for (const document of page.documents) if (document.characters > 0) ready.set(document.title, document.state)
    if (page.next === null) break
    before = `&before=${page.next}`
  }
  const remembered = new Set<string>()
  for (let before = ''; ; ) {
    const page: { memories: { text: string }[]; next: string | null } = await admin(
      `/personas/ada-l/memories?limit=200${before}`,
    )
    for (const { text } of page.memories) remembered.add(text)
    if (page.next === null) break
    before = `&before=${page.next}`
  }
  for (const name of [...acknowledged.documents, ...acknowledged.files]) assert.equal(ready.get(name), 'ready', name)
  for (const text of acknowledged.memories) assert.ok(remembered.has(text), text)
  for (const name of acknowledged.documents) assert.ok(remembered.has(`The text of ${name}.`), name)
  const all = acknowledged.memories.size + acknowledged.documents.size + acknowledged.files.size
  assert.ok(all > KILLS, `too few acknowledged to mean anything: ${all}`)
  context.diagnostic(`${all} acknowledged through ${KILLS} kills, all there and ready`)

  const stopped = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  assert.equal(await stopped, 0)
})
