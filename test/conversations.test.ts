// Conversations as their owner keeps them in order: told apart, named, deleted, corrected.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
const { admin } = service
const ofPersona = '/personas/basil'
const own = 'mine/with a slash'
const at = (session: string) => `${ofPersona}/sessions/${encodeURIComponent(session)}`
let key: string

const ask = (Text: string, SessionId: string, more: object = {}) =>
  service.call({ path: '/v1/message', key, body: { DomainName: 'basil', Text, SessionId, ...more } })
const askHere = (Text: string, SessionId = own) => ask(Text, SessionId, { SourceName: 'console' })
const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call({ method, path: `/admin${path}`, key: ADMIN_KEY, body })
  return [answer.status, answer.body.detail]
}
const textsOf = async (session: string): Promise<string[]> =>
  (await admin('GET', at(session))).messages.map((one: { text: string }) => one.text)

before(async () => {
  await service.persona('basil')
  key = await service.key(['basil'])
  const Text = 'Basil grows in the kitchen. It is watered every morning. Nobody may cut it before June.'
  await service.call({ path: '/v1/upload-text', key, body: { DomainName: 'basil', Title: 'Herbs', Text } })
  await service.learned()
  await ask('Where does basil grow?', 'theirs')
  await askHere('Where does basil grow?')
})

describe('conversations', () => {
  test('of the console and of callers are listed apart', async () => {
    const list = async (from: string) =>
      (await admin('GET', `${ofPersona}/sessions?from=${from}`)).sessions.map(
        (one: { id: string; source_app: string }) => [one.id, one.source_app],
      )
    assert.deepEqual(await list('console'), [[own, 'console']])
    assert.deepEqual(await list('elsewhere'), [['theirs', 'api']])
    const [status, detail] = await refused('GET', `${ofPersona}/sessions?from=home`)
    assert.deepEqual([status, detail], [400, 'from must be console or elsewhere.'])
  })

  test('say of each reply what it cites, and the verdict on it', async () => {
    const { messages } = await admin('GET', at(own))
    const [question, answer] = messages
    assert.equal(question.reply, null)
    assert.equal(answer.reply.label, null)
    assert.equal(answer.reply.answered_by, 'memory')
    const [mark] = answer.reply.marks
    assert.equal(mark.title, 'Herbs')
    assert.match(answer.text.slice(0, mark.at), /kitchen\.$/)
    const explained = await admin('GET', `${ofPersona}/replies/${answer.id}`)
    assert.deepEqual(explained.marks, [{ at: mark.at, memory_id: mark.memory_id }])
    assert.equal(explained.sources[0].memory_id, mark.memory_id)
    await admin('POST', `${ofPersona}/replies/${answer.id}/label`, { right: true })
    assert.equal((await admin('GET', at(own))).messages[1].reply.label, 'right')
  })

  test('have a title, and lose it again', async () => {
    assert.deepEqual(await admin('PATCH', at(own), { title: ' Herbs ' }), { id: own, title: 'Herbs' })
    const first = async () => (await admin('GET', `${ofPersona}/sessions?from=console`)).sessions[0]
    assert.equal((await first()).title, 'Herbs')
    assert.equal((await admin('GET', at(own))).title, 'Herbs')
    await admin('PATCH', at(own), { title: '' })
    assert.equal((await first()).title, '')
    assert.deepEqual(await refused('PATCH', at(own), { title: 'x'.repeat(257) }), [
      400,
      'title is longer than 256 characters.',
    ])
    assert.equal((await refused('PATCH', at('nobody'), { title: 'x' }))[0], 404)
  })

  test('give back their last question, with what was replied; a verdict stays', async () => {
    const labels = async () => (await admin('GET', `${ofPersona}/confidence`)).labels
    const replies = async () => (await admin('GET', `${ofPersona}/replies`)).replies.length
    const before = await replies()
    await askHere('When is basil watered?')
    assert.deepEqual(await admin('POST', `${at(own)}/take-back`), { question: 'When is basil watered?' })
    assert.deepEqual(await textsOf(own).then((texts) => texts[0]), 'Where does basil grow?')
    assert.equal((await textsOf(own)).length, 2)
    assert.equal(await replies(), before)
    await askHere('When is basil cut?')
    assert.equal((await textsOf(own))[2], 'When is basil cut?')
    await admin('POST', `${at(own)}/take-back`)
    const kept = await labels()
    await admin('POST', `${at(own)}/take-back`)
    assert.equal((await refused('GET', at(own)))[0], 404)
    assert.equal(await labels(), kept)
    assert.equal((await refused('POST', `${at(own)}/take-back`))[0], 404)
    const [status, detail] = await refused('POST', `${at('theirs')}/take-back`)
    assert.deepEqual([status, (await textsOf('theirs')).length], [404, 2])
    assert.match(detail, /the console asked/)
  })

  test('a draft that waits goes with the question that was taken back', async () => {
    await admin('PATCH', ofPersona, { threshold: 100 })
    assert.equal((await askHere('Who planted the basil?', 'doubtful')).status, 503)
    assert.equal((await admin('GET', `${ofPersona}/drafts`)).drafts.length, 1)
    await admin('POST', `${at('doubtful')}/take-back`)
    assert.deepEqual((await admin('GET', `${ofPersona}/drafts`)).drafts, [])
    await admin('PATCH', ofPersona, { threshold: 0 })
  })

  test('are deleted with a receipt, and with what was kept of their replies', async () => {
    await askHere('Where does basil grow?', 'gone')
    const { deleted } = await admin('DELETE', at('gone'))
    assert.deepEqual([deleted.sessions, deleted.messages, deleted.drafts, deleted.memories], [1, 2, 0, 0])
    const { replies } = await admin('GET', `${ofPersona}/replies`)
    assert.ok(replies.every((one: { session_id: string }) => one.session_id !== 'gone'))
    assert.equal((await refused('DELETE', at('gone')))[0], 404)
    assert.equal((await textsOf('theirs')).length, 2)
  })

  test("one persona's conversations mean nothing under another", async () => {
    await service.persona('other')
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', ''],
      ['POST', '/take-back'],
    ] as const)
      assert.equal((await refused(method, `/personas/other/sessions/theirs${path}`, body))[0], 404, method + path)
    assert.equal((await textsOf('theirs')).length, 2)
  })
})
