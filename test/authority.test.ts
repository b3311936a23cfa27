// Authority is the app's own: a caller who reaches it past every door may do no more than its key says.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publicOperations, type Service } from '../src/contract/public-api.ts'
import { type Key, ownerKey, scopes } from '../src/domain/access.ts'
import { startService } from './started.ts'

const service = await startService()
await service.persona('ada-l')
await service.persona('grace-h')
const { app } = service

const DomainName = 'ada-l'
const keyWith = async (personas: string[], more: object = {}): Promise<Key> =>
  (await app.identify(await service.key(personas, more)))!
const file = { name: 'a.txt', mediaType: null, size: 1, pieces: async function* () {} }

type Call = (calls: Service) => Promise<unknown>
const calls: Record<Exclude<keyof Service, 'validateKey' | 'personas'>, Call> = {
  message: (calls) => calls.message({ DomainName, Text: 'x' }),
  instruction: (calls) => calls.instruction({ DomainName, Text: 'x' }, { cmd: 'search' }),
  conversation: (calls) => calls.conversation({ DomainName, SessionId: 's' }),
  uploadUrl: (calls) => calls.uploadUrl({ DomainName, Url: 'http://a.example' }),
  uploadText: (calls) => calls.uploadText({ DomainName, Text: 'x' }),
  uploadFile: (calls) => calls.uploadFile({ DomainName }, {}, file),
  memory: (calls) => calls.memory({ DomainName, Text: 'x', SourceName: 'test' }),
  documents: (calls) => calls.documents({ DomainName }, { size: 1 }),
  documentById: (calls) => calls.documentById({}, { DomainName, DocumentId: 'x' }),
  documentList: (calls) => calls.documentList({}, { DomainName }),
  embed: (calls) => calls.embed({ DomainName, Texts: ['x'] }),
  memoryList: (calls) => calls.memoryList({}, { DomainName }),
  recall: (calls) => calls.recall({ DomainName, Text: 'x' }),
  invite: (calls) => calls.invite({}, { domain_name: DomainName, email: 'a@example.com' }),
  updateDocument: (calls) => calls.updateDocument({ DomainName, Text: 'x' }, { feed_id: 'x' }),
}

describe('app.as(caller)', () => {
  for (const [name, call] of Object.entries(calls) as [keyof typeof calls, Call][]) {
    const { scope, unauthorized } = publicOperations[name]
    const refused = { code: 'unauthorized', message: unauthorized.sentence }
    const as = (key: Key) => app.as({ key, requestId: 'test' })

    test(`${name} refuses a key without the scope ${scope}`, async () => {
      const key = await keyWith(['ada-l'], { scopes: scopes.filter((other) => other !== scope) })
      await assert.rejects(call(as(key)), refused)
    })

    test(`${name} refuses another persona's key, and the admin key`, async () => {
      await assert.rejects(call(as(await keyWith(['grace-h']))), refused)
      await assert.rejects(call(as({ ...ownerKey, admin: true })), refused)
    })
  }

  test('nothing was stored by any of them', async () => {
    assert.deepEqual((await service.admin('GET', '/personas/ada-l/documents')).documents, [])
    assert.deepEqual((await service.admin('GET', '/personas/ada-l/sessions')).sessions, [])
  })
})

test("the owner's commands and events are refused to any other key", async () => {
  const key = await keyWith(['ada-l'])
  const admin = app.admin({ key, requestId: 'test' })
  const refused = { code: 'unauthorized', message: 'This is not an admin key.' }
  await assert.rejects(admin.listKeys({}), refused)
  await assert.rejects(admin.deletePersona({ domain_name: 'ada-l' }), refused)
  assert.throws(() => app.follow({ key }, () => {}), refused)
  assert.equal((await app.admin({ key: ownerKey, requestId: 'test' }).listPersonas({})).personas.length, 2)
})
