// What waits for whom: counted, and named by what their role may do about it.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { startReceiver } from './receiver.ts'
import { join, type Person } from './signed-in.ts'
import { startService, temporaryFolder } from './started.ts'

const backups = temporaryFolder()
const service = await startService({
  MEMOIR_READER: '0',
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
  MEMOIR_BACKUP_DIR: backups,
  MEMOIR_DISK_LEAST_MIB: String(2 ** 30),
  MEMOIR_CHAT_REST_S: '300',
})
await service.persona('pottery', { name: 'Osman’s Pottery' })
await service.persona('others', { name: 'Others' })
const key = await service.key('*')
const receiver = await startReceiver()
const people: Record<string, Person> = {}
for (const role of ['reader', 'reviewer', 'owner', 'administrator'])
  people[role] = await join(service, `${role}@example.com`, { role, personas: ['pottery'] })

const draft = (DomainName: string, Text: string) =>
  service.call({ path: '/v1/message', key, body: { DomainName, Text, SessionId: 's', is_draft: true } })
type Thing = { kind: string; domain_name: string | null; count: number; says: string | null; trigger: { id: string } }
const waiting = async (role: string): Promise<{ count: number; waiting: Thing[] }> =>
  (await people[role]!.call({ method: 'GET', path: '/admin/waiting' })).body
const kinds = async (role: string) => (await waiting(role)).waiting.map(({ kind, domain_name: of }) => `${kind} ${of}`)

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; ; ) {
    const found = await look()
    if (found !== undefined) return found
    assert.ok(Date.now() < end, 'it did not come')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('nothing waits where nothing happened; the disk and a missing backup are for an administrator', async () => {
  for (const role of ['reader', 'reviewer', 'owner'])
    assert.deepEqual(await waiting(role), { count: 0, waiting: [] }, role)
  await until(async () => ((await service.admin('GET', '/backups')).files.length > 0 ? true : undefined))
  const { count, waiting: things } = await waiting('administrator')
  assert.deepEqual([count, things.map(({ kind }) => kind)], [1, ['disk']])
  assert.match(things[0]!.says!, /GiB are free/)
  rmSync(backups, { recursive: true })
  assert.deepEqual(await kinds('administrator'), ['disk null', 'backup null'])
})

test('drafts are counted for those who may settle them, of their personas alone', async () => {
  for (const text of ['When do you open?', 'Do you sell bowls?']) await draft('pottery', text)
  await draft('others', 'Hello?')
  assert.deepEqual(await waiting('reader'), { count: 0, waiting: [] })
  const { count, waiting: things } = await waiting('reviewer')
  assert.deepEqual([count, things.length, things[0]!.domain_name, things[0]!.count], [2, 1, 'pottery', 2])
  assert.equal(
    (await service.admin('GET', '/waiting')).waiting.filter(({ kind }: Thing) => kind === 'drafts').length,
    2,
  )
  const { drafts } = await service.admin('GET', '/personas/pottery/drafts')
  for (const { id } of drafts) await service.admin('POST', `/personas/pottery/drafts/${id}/reject`)
  assert.deepEqual(await waiting('reviewer'), { count: 0, waiting: [] })
})

test('a failed document, a dead model and a trigger that was switched off are for the owner', async () => {
  const form = new FormData()
  form.set('file', new Blob(['%PDF-1.7 broken']), 'broken.pdf')
  form.set('message_request', JSON.stringify({ DomainName: 'pottery' }))
  await service.call({ path: '/v1/upload-file', key, body: form })
  await service.learned()
  const model = { provider: 'openai-compatible', url: 'http://127.0.0.1:1/v1', name: 'm' }
  await service.admin('PATCH', '/personas/pottery', { model })
  receiver.answer(410)
  const trigger = { name: 'Till', on: ['message.received'], deliver: { url: `${receiver.url}/till` } }
  const { id } = await service.admin('POST', '/personas/pottery/triggers', trigger)
  const byHand = await service.admin('POST', '/personas/pottery/triggers', { ...trigger, name: 'By hand' })
  await service.admin('PATCH', `/personas/pottery/triggers/${byHand.id}`, { is_on: false })
  for (let times = 0; times < 6; times++)
    await service.call({ path: '/v1/message', key, body: { DomainName: 'pottery', Text: 'When do you open?' } })
  const things = await until(async () => {
    const now = await waiting('owner')
    return now.waiting.length === 3 ? now.waiting : undefined
  })
  assert.deepEqual(
    things.map(({ kind, count }) => [kind, count]),
    [
      ['failures', 1],
      ['model', 1],
      ['trigger', 1],
    ],
  )
  assert.match(things[1]!.says!, /chat model m@127\.0\.0\.1/)
  assert.equal(things[2]!.trigger.id, id)
  assert.match(things[2]!.says!, /410/)
  assert.deepEqual(await kinds('reviewer'), [])
})
