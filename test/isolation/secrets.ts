// A persona whose every text, title and name holds one word that nobody else may ever read, and one of every thing a
// persona can have.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eventTypes } from '../../src/domain/trigger.ts'
import { startReceiver } from '../receiver.ts'
import { ADMIN_KEY, type Started } from '../started.ts'

export const SECRET = 'Zanzibarine'
export const OWNED = 'ada-l'
export const OTHER = 'grace-h'
export const SHARED = 'open-o'

export type Things = Awaited<ReturnType<typeof makeThings>>

export async function makeThings(service: Started) {
  const { admin, call } = service
  const receiver = await startReceiver()
  const named = {
    name: SECRET,
    instructions: `Speak of ${SECRET}.`,
    owner: { name: SECRET, email: `${SECRET}@a.example` },
  }
  await service.persona(OWNED, named)
  await service.persona(OTHER, { name: 'Grace' })
  await service.persona(SHARED, { name: 'Open', sharing: { on: true, show_sources: true } })
  const key = await service.key([OWNED])

  const post = async (path: string, body: object | FormData, headers = {}) => {
    const given = body instanceof FormData ? body : { DomainName: OWNED, ...body }
    const answer = await call({ path: `/v1/${path}`, key, body: given, headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const stored = async (path: string, body: object | FormData) =>
    (await post(path, body)).headers.get('x-memoir-document-id')!
  const text = (Title: string, more: object = {}) =>
    stored('upload-text', { Title: `${SECRET} ${Title}`, Text: `${SECRET} is the word of ${Title}.`, ...more })
  const file = (name: string, bytes: string) => {
    const form = new FormData()
    form.set('file', new Blob([bytes]), name)
    form.set('message_request', JSON.stringify({ DomainName: OWNED, Title: `${SECRET} ${name}` }))
    return stored('upload-file', form)
  }
  const say = (SessionId: string, more: object = {}) =>
    post('message', { Text: `Tell me about ${SECRET}.`, SessionId, UserName: SECRET, ...more })

  const documents = {
    text: await text('one'),
    draft: await text('draft', { is_stack: false }),
    deleted: await text('deleted'),
    file: await file(`${SECRET}.txt`, `${SECRET} stands in a file.`),
    failed: await file('broken.pdf', '%PDF-1.7 broken'),
  }
  const body = { DomainName: OWNED, Text: `${SECRET} was written anew.` }
  await call({ method: 'PUT', path: `/v1/update-document?feed_id=${documents.text}`, key, body })
  await post('memory', { Text: `${SECRET} is remembered.`, SourceName: SECRET })
  await service.learned()
  const of = `/personas/${OWNED}`
  const [memory] = (await admin('GET', `${of}/memories?limit=1`)).memories

  const reply = (await say('of-ada')).headers.get('x-memoir-reply-id')!
  for (const session of ['to-delete', 'caller', 'kept']) await say(session)
  const console_ = { DomainName: OWNED, Text: `What of ${SECRET}?`, SessionId: 'in-console', SourceName: 'console' }
  await call({ path: '/v1/message', key: ADMIN_KEY, headers: { 'x-memoir-owner': '1' }, body: console_ })
  for (const session of ['of-ada', 'to-delete']) await say(session, { is_draft: true }).catch(() => {})
  const drafts = (await admin('GET', `${of}/drafts`)).drafts as { id: string }[]

  const trigger = async (name: string) =>
    (
      await admin('POST', `${of}/triggers`, {
        name,
        on: [...eventTypes],
        deliver: { url: `${receiver.url}/${SECRET}` },
      })
    ).id as string
  const triggers = { kept: await trigger(SECRET), deleted: await trigger(`${SECRET} deleted`) }
  const delivery = (await admin('POST', `${of}/triggers/${triggers.kept}/test`)).id as string
  await receiver.until(`/${SECRET}`, 1)

  // Nothing is there: it stays what it is while the walk compares rows.
  const source = async (name: string) =>
    (await admin('POST', `${of}/sources`, { url: `http://127.0.0.1:65534/${SECRET}-${name}` })).id as string
  const sources = { kept: await source('kept'), deleted: await source('deleted') }
  const looked = async (id: string) => (await admin('GET', `${of}/sources/${id}`)).failures > 0
  for (const id of Object.values(sources)) while (!(await looked(id))) await wait(20)

  const visitor = randomBytes(32).toString('base64url')
  const headers = { 'x-memoir-visitor': visitor }
  await call({ path: `/talk/${SHARED}/message`, headers, body: { text: `I am ${SECRET}.` } })
  const { messages } = (await call({ method: 'GET', path: `/talk/${SHARED}/messages`, headers })).body
  const exported = await fetch(`${service.url}/admin${of}/export`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY },
  })

  return {
    documents,
    memory: memory.id as string,
    reply,
    drafts: { approved: drafts[0]!.id, rejected: drafts[1]!.id },
    sources,
    triggers,
    delivery,
    key: (await admin('POST', '/keys', { personas: [OWNED], name: SECRET })).id as string,
    visitor,
    visitorReply: messages.at(-1).reply_id as string,
    exported: new Uint8Array(await exported.arrayBuffer()),
    page: await startPage(),
  }
}

// A page to learn from.
async function startPage(): Promise<string> {
  const server = createServer((_request, response) => response.end('A page about tulips.'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
