// What the owner looks through: sessions by what was said, memories by their time, figures by day, another voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
const { admin } = service
await service.persona('ada-l', { threshold: 0 })
const key = await service.key(['ada-l'])
const post = (path: string, body: object) =>
  service.call({ path: `/v1/${path}`, key, body: { DomainName: 'ada-l', ...body } })

test('messages are searched over all sessions, in pages', async () => {
  for (const [SessionId, Text] of [
    ['one', 'Where does the basil grow?'],
    ['two', 'And the BASIL on the balcony?'],
    ['two', 'What about thyme?'],
  ]) {
    await post('message', { SessionId, Text })
  }
  const first = await admin('GET', '/personas/ada-l/messages?text=basil&limit=1')
  assert.equal(first.messages[0].session_id, 'two')
  const second = await admin('GET', `/personas/ada-l/messages?text=basil&limit=1&before=${first.next}`)
  assert.equal(second.messages[0].text, 'Where does the basil grow?')
  const { sessions } = await admin('GET', '/personas/ada-l/sessions')
  assert.equal(sessions[0].opening, 'And the BASIL on the balcony?')
  const wrong = await service.call({ method: 'GET', path: '/admin/personas/ada-l/messages', key: ADMIN_KEY })
  assert.deepEqual([wrong.status, wrong.body.detail], [400, 'text is missing.'])
})

test('the timeline goes by when things happened, not by when they were learned', async () => {
  const happened = ['1999-05-01T00:00:00Z', '2011-05-01T00:00:00Z', '1987-05-01T00:00:00Z']
  for (const Createdtime of happened) {
    await post('memory', { Text: `It was ${Createdtime.slice(0, 4)}.`, SourceName: 'x', Createdtime })
  }
  await service.learned()
  const texts: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: { memories: { text: string; kind: string }[]; next: string | null } = await admin(
      'GET',
      `/personas/ada-l/timeline?limit=2${next && `&before=${next}`}`,
    )
    assert.ok(page.memories.every((one) => one.kind === 'memory'))
    texts.push(...page.memories.map((one) => one.text))
    next = page.next
  }
  assert.deepEqual(texts, ['It was 2011.', 'It was 1999.', 'It was 1987.'])
  const until = await admin('GET', '/personas/ada-l/timeline?until=1990-01-01T00:00:00Z')
  assert.deepEqual(
    until.memories.map((one: { text: string }) => one.text),
    ['It was 1987.'],
  )
})

test('recall is asked for a time, and refuses what is none', async () => {
  const path = '/admin/personas/ada-l/recall'
  const ask = (at: string) => service.call({ path, key: ADMIN_KEY, body: { question: 'What happened last year?', at } })
  const { body } = await ask('2012-06-01')
  assert.equal(body.recollections[0].text, 'It was 2011.')
  const wrong = await ask('soon')
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.detail, /^at is no time this service understands; write /)
})

test('statistics count every day, also those without replies', async () => {
  await admin('PATCH', '/personas/ada-l', { threshold: 100 })
  assert.equal((await post('message', { Text: 'Nobody knows?' })).status, 503)
  await admin('PATCH', '/personas/ada-l', { threshold: 0 })
  const { days } = await admin('GET', '/personas/ada-l/statistics?days=7')
  assert.equal(days.length, 7)
  assert.equal(days[6].day, new Date().toISOString().slice(0, 10))
  const nothing = {
    replies: 0,
    answered: 0,
    withheld: 0,
    approved: 0,
    score: null,
    took_ms: null,
    slow_ms: null,
    spent: null,
  }
  assert.deepEqual(days[0], { day: days[0].day, ...nothing })
  const today = days.at(-1)
  assert.deepEqual([today.replies, today.answered, today.withheld, today.approved], [4, 3, 1, 0])
  assert.ok(today.slow_ms >= today.took_ms)
  assert.ok(today.score >= 0 && today.took_ms >= 0)
  const wrong = await service.call({ method: 'GET', path: '/admin/personas/ada-l/statistics?days=0', key: ADMIN_KEY })
  assert.equal(wrong.status, 400)
})

test('a preview answers and leaves nothing behind', async () => {
  await post('memory', { Text: 'My cat is called Turing.', SourceName: 'x' })
  await service.learned()
  const before = await admin('GET', '/personas/ada-l/replies')
  const answer = await admin('POST', '/personas/ada-l/preview', {
    question: 'What is your cat called?',
    instructions: 'Be brief.',
  })
  assert.deepEqual(Object.keys(answer), ['text', 'score'])
  assert.match(answer.text, /Turing/)
  assert.deepEqual(await admin('GET', '/personas/ada-l/replies'), before)
  assert.equal((await admin('GET', '/personas/ada-l')).instructions, '')
})

test('what was asked and not known is grouped by likeness, the most asked first', async () => {
  await service.persona('gaps')
  const own = await service.key(['gaps'])
  const ask = async (Text: string) => {
    const answer = await service.call({ path: '/v1/message', key: own, body: { DomainName: 'gaps', Text } })
    return answer.headers.get('x-memoir-reply-id')!
  }
  await service.call({
    path: '/v1/memory',
    key: own,
    body: { DomainName: 'gaps', Text: 'The shop opens at nine.', SourceName: 'x' },
  })
  await service.learned()
  await ask('What does a bowl cost?')
  for (const question of ['Where can I park my car?', 'where can i park my car?', 'Is there parking for visitors?'])
    await ask(question)
  const known = await ask('When does the shop open?')
  const { gaps } = await admin('GET', '/personas/gaps/gaps')
  assert.deepEqual(
    gaps.map((gap: { question: string; times: number; others: string[] }) => [gap.question, gap.times, gap.others]),
    [
      ['Is there parking for visitors?', 3, ['where can i park my car?']],
      ['What does a bowl cost?', 1, []],
    ],
  )
  await admin('POST', `/personas/gaps/replies/${known}/label`, { right: false })
  const listed = async () =>
    (await admin('GET', '/personas/gaps/gaps')).gaps.map((gap: { question: string }) => gap.question)
  assert.equal((await listed()).length, 3)
  const taught = { DomainName: 'gaps', Text: 'Visitors park their cars behind the mill.', SourceName: 'x' }
  await service.call({ path: '/v1/memory', key: own, body: taught })
  await service.learned()
  assert.deepEqual(await listed(), ['When does the shop open?', 'What does a bowl cost?'], 'it was taught since')
  await admin('POST', `/personas/gaps/replies/${await ask('Is there parking for visitors?')}/label`, { right: false })
  assert.ok((await listed()).includes('Is there parking for visitors?'), 'what was taught was no answer')
})
