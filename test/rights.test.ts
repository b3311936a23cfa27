// Every command and every public operation, asked for by every role, for a persona of theirs and one of others: what
// comes of it is what the tables here say.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminOperations } from '../src/contract/admin-api.ts'
import { adminEvents } from '../src/contract/admin-events.ts'
import { keepOperations } from '../src/contract/keep-api.ts'
import type { Operation } from '../src/contract/operation.ts'
import { publicOperations } from '../src/contract/public-api.ts'
import { type Role, roles } from '../src/domain/roles.ts'
import { join, type Person } from './signed-in.ts'
import { startService } from './started.ts'

const service = await startService({ MEMOIR_INVITES: '1', MEMOIR_READER: '0' })
await service.persona('others')
const people = {} as Record<Role, Person>
for (const role of roles) {
  await service.persona(`of-${role}`)
  people[role] = await join(service, `${role}@example.com`, { role, personas: [`of-${role}`] })
}

// From the role that may do least to the one that may do most.
const order = ['reader', 'reviewer', 'owner', 'administrator'] as const

const commands: Record<Role, string> = {
  reader: `listPersonas getPersona work events listDocuments getDocument readFile listRevisions listMemories timeline recall
    listSessions getSession searchMessages renameSession deleteSession takeBackQuestion listReplies explainReply
    confidence statistics gaps listDrafts listSources getSource modelState waiting notices changeNotices testNotices addDevice removeDevice me changeMe changePassword listPasskeys beginPasskey addPasskey removePasskey listSignIns endSignIn endSignIns`,
  reviewer: 'labelReply approveDraft rejectDraft',
  owner: `changePersona deletePersona testModel testEmbedder preview createKey listKeys revokeKey changeDocument retryDocument
    publishDocument deleteDocument deleteMemory reembedPersona calibratePersona createSource changeSource deleteSource
    lookAtSource createTrigger listTriggers getTrigger
    changeTrigger deleteTrigger rotateTriggerSecret testTrigger listDeliveries redeliverFailed getDelivery redeliver
    deleteCaller exportCaller exportPersona listAudit listModels tryModel learnFile`,
  administrator: `createPersona importPersona backup backups verifyAudit listPeople invitePerson withdrawInvitation
    changePerson removePerson resetPerson getModel removeModel`,
}

const leastOf = (name: string): Role => {
  const role = order.find((one) => commands[one].split(/\s+/).includes(name))
  assert.ok(role, `${name} has no line in the table of this test`)
  return role
}

const isAtLeast = (role: Role, least: Role): boolean => order.indexOf(role) >= order.indexOf(least)

const all: Operation[] = [...Object.values(adminOperations), ...Object.values(keepOperations), adminEvents]

// Without its fields: whoever may not do it hears that first, whoever may hears what is missing.
async function ask(person: Person, { method, path, body, upload }: Operation, domainName: string) {
  const filled = path.replace('{domain_name}', domainName).replace('{id}', 'nothing')
  const stop = new AbortController()
  const response = await fetch(service.url + filled, {
    method,
    headers: { ...person.halves, ...((body || upload) && { 'content-type': upload ?? 'application/json' }) },
    ...((body || upload) && { body: body ? '{}' : 'nothing' }),
    signal: stop.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await response.text()
  stop.abort()
  return { status: response.status, text }
}

const kind = (status: number): string => (status === 401 || status === 403 ? 'refused' : 'let in')

describe('commands', () => {
  for (const operation of all)
    test(`${operation.name} is for a ${leastOf(operation.name)}`, async () => {
      for (const role of roles) {
        const isAllowed = isAtLeast(role, leastOf(operation.name))
        // An administrator has every persona.
        const hasPersona = operation.path.includes('{domain_name}') && role !== 'administrator'
        const elsewhere = hasPersona ? await ask(people[role], operation, 'others') : undefined
        const nowhere = hasPersona ? await ask(people[role], operation, 'nobody') : undefined
        // What ends a persona, or everybody's sessions, comes last, by itself.
        const own = ENDING.includes(operation.name) ? undefined : await ask(people[role], operation, `of-${role}`)
        if (own) assert.equal(kind(own.status), isAllowed ? 'let in' : 'refused', `${role}: ${own.status} ${own.text}`)
        if (!elsewhere || !nowhere) continue
        assert.equal(elsewhere.status, isAllowed ? 404 : 403, `${role}, of others: ${elsewhere.text}`)
        // A persona of others and one that does not exist are the same.
        assert.equal(elsewhere.text.replaceAll('others', 'nobody'), nowhere.text, role)
      }
    })

  const ENDING = ['deletePersona', 'endSignIns']

  test('nothing happened to the persona of others', async () => {
    assert.equal((await service.admin('GET', '/personas/others')).name, 'Ada')
  })
})

const talking: Record<string, Role> = {
  message: 'reader',
  instruction: 'reader',
  conversation: 'reader',
  documents: 'reader',
  documentById: 'reader',
  documentList: 'reader',
  memoryList: 'reader',
  recall: 'reader',
  embed: 'reader',
  validateKey: 'reader',
  personas: 'reader',
  uploadUrl: 'owner',
  uploadText: 'owner',
  uploadFile: 'owner',
  memory: 'owner',
  updateDocument: 'owner',
  invite: 'owner',
}

const fields = { Text: 'Hello', Texts: ['Hello'], SessionId: 's', SourceName: 'test', Url: 'http://127.0.0.1:1/' }
const query = (name: string) =>
  `?DomainName=${name}&domain_name=${name}&cmd=search&size=1&feed_id=x&DocumentId=x&email=a@example.com`

describe('public operations', () => {
  for (const operation of Object.values(publicOperations) as Operation[])
    test(`${operation.name} is for a ${talking[operation.name]}`, async () => {
      const unauthorized = operation.unauthorized?.status ?? 403
      const say = (role: Role, name: string) => {
        const form = new FormData()
        form.set('message_request', JSON.stringify({ DomainName: name }))
        form.set('file', new Blob(['A note.']), 'note.txt')
        const body = operation.multipart ? form : operation.body && { DomainName: name, ...fields }
        return people[role].call({ method: operation.method, path: operation.path + query(name), body })
      }
      for (const role of roles) {
        const isAllowed = isAtLeast(role, talking[operation.name]!)
        const own = await say(role, `of-${role}`)
        const isRefused = own.status === unauthorized && own.body.detail === operation.unauthorized?.sentence
        assert.equal(isRefused, !isAllowed, `${role}: ${own.status} ${JSON.stringify(own.body)}`)
        if (!operation.scope || role === 'administrator') continue
        const elsewhere = await say(role, 'others')
        assert.equal(elsewhere.body.detail, operation.unauthorized?.sentence, `${role}, of others`)
      }
    })

  test('a reader does not teach by a detour', async () => {
    const say = (more: object) =>
      people.reader.call({ path: '/v1/message', body: { DomainName: 'of-reader', ...fields, ...more } })
    assert.equal((await say({})).status, 200)
    assert.equal((await say({ is_stack: true })).status, 403)
  })
})

describe('a role sees its personas alone', () => {
  const get = async (role: Role, path: string) => (await people[role].call({ method: 'GET', path })).body

  test('in lists, and in what waits', async () => {
    const key = await service.key('*')
    for (const name of ['others', 'of-owner'])
      await service.call({ path: '/v1/upload-text', key, body: { DomainName: name, Text: `About ${name}.` } })
    await service.learned()
    for (const role of ['reader', 'reviewer', 'owner'] as const) {
      const { personas } = await get(role, '/admin/personas')
      assert.deepEqual(
        personas.map((one: { domain_name: string }) => one.domain_name),
        [`of-${role}`],
      )
      assert.deepEqual(
        (await get(role, '/v1/personas')).personas.map((one: { DomainName: string }) => one.DomainName),
        [`of-${role}`],
      )
    }
    assert.ok((await get('administrator', '/admin/personas')).personas.length >= 5)
  })

  test('among keys: for all, and for others, there are none to see, to make or to revoke', async () => {
    const { id: foreign } = await service.admin('POST', '/keys', { personas: ['others', 'of-owner'] })
    const { id: own } = await service.admin('POST', '/keys', { personas: ['of-owner'] })
    const { keys } = (await get('owner', '/admin/keys')) as { keys: { id: string; personas: string[] }[] }
    assert.ok(keys.some(({ id }) => id === own))
    for (const { personas } of keys) assert.deepEqual(personas, ['of-owner'])
    const make = (personas: unknown) => people.owner.call({ path: '/admin/keys', body: { personas } })
    assert.equal((await make('*')).status, 403)
    assert.equal((await make(['others'])).status, 404)
    assert.equal((await make(['of-owner'])).status, 200)
    const revoke = (id: string) => people.owner.call({ method: 'DELETE', path: `/admin/keys/${id}` })
    assert.equal((await revoke(foreign)).status, 404)
    assert.equal((await revoke(own)).status, 200)
  })

  test('in the audit record', async () => {
    await service.admin('PATCH', '/personas/others', { threshold: 1 })
    await service.admin('PATCH', '/personas/of-owner', { threshold: 1 })
    const { entries } = await get('owner', '/admin/audit')
    assert.ok(entries.length > 0)
    assert.deepEqual([...new Set(entries.map((one: { on: string }) => one.on.split('/')[0]))], ['of-owner'])
    assert.ok((await get('administrator', '/admin/audit')).entries.some((one: { on: string }) => one.on === 'others'))
  })

  test('in the events of learning, and what is counted', async () => {
    const stop = new AbortController()
    const response = await fetch(`${service.url}/admin/events`, { headers: people.owner.halves, signal: stop.signal })
    const key = await service.key('*')
    for (const name of ['others', 'of-owner'])
      await service.call({ path: '/v1/upload-text', key, body: { DomainName: name, Title: 'News', Text: 'News.' } })
    let text = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part
      if (text.includes('"state":"ready"')) break
    }
    stop.abort()
    assert.match(text, /"domain_name":"of-owner"/)
    assert.doesNotMatch(text, /"domain_name":"others"/)
    await service.learned()
    await service.call({ path: '/v1/upload-url', key, body: { DomainName: 'others', Url: 'http://127.0.0.1:1/x' } })
    assert.deepEqual(await get('owner', '/admin/work'), { pending: 0, running: 0, failed: 0 })
  })
})

describe('a session', () => {
  const body = { DomainName: 'of-reviewer', Text: 'Hello', SessionId: 'shared', SourceName: 'console' }

  test('that another began is not renamed or deleted by whoever may only talk', async () => {
    const key = await service.key(['of-reviewer'])
    await service.call({ path: '/v1/message', key, body })
    const at = '/admin/personas/of-reviewer/sessions'
    const { reviewer } = people
    assert.equal((await reviewer.call({ method: 'DELETE', path: `${at}/shared` })).status, 403)
    assert.equal((await reviewer.call({ path: `${at}/shared/take-back`, body: {} })).status, 403)
    await reviewer.call({ path: '/v1/message', body: { ...body, SessionId: 'own' } })
    const { sessions } = (await reviewer.call({ method: 'GET', path: `${at}?from=console` })).body
    assert.deepEqual(
      sessions.map((one: { id: string }) => one.id),
      ['own'],
    )
    assert.equal((await reviewer.call({ method: 'PATCH', path: `${at}/own`, body: { title: 'Mine' } })).status, 200)
    assert.equal((await reviewer.call({ method: 'DELETE', path: `${at}/own` })).status, 200)
  })
})

test('what ends a persona or sessions is done last', async () => {
  const { owner } = people
  assert.equal((await owner.call({ method: 'DELETE', path: '/admin/sign-ins' })).status, 200)
  assert.equal((await owner.call({ method: 'DELETE', path: '/admin/personas/of-owner' })).status, 200)
  assert.deepEqual((await owner.call({ method: 'GET', path: '/admin/personas' })).body.personas, [])
  const { people: known } = await service.admin('GET', '/people')
  assert.deepEqual(known.find((one: { role: Role }) => one.role === 'owner').personas, [])
})
