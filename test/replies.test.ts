// Replies without a chat model: what is said, why, how sure, and what the owner makes of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
const DomainName = 'ada-l'
await service.persona(DomainName, { instructions: 'You are a gardener in Kent.' })
const key = await service.key([DomainName])
const post = (path: string, body: object = {}) =>
  service.call({ path: `/v1/${path}`, key, body: { DomainName, ...body } })
const ask = async (Text: string, more: object = {}) => (await post('message', { Text, ...more })).body
const remember = (Text: string, Createdtime: string) => post('memory', { Text, SourceName: 'test', Createdtime })

await remember('Caroline: I went to a support group yesterday and it was so powerful.', '2023-05-08T13:00:00Z')
await remember('Caroline: I adopted a grey kitten called Mole today.', '2023-06-20T09:00:00Z')
await remember('Tom: My favourite hobby is pottery, it calms me down.', '2023-05-10T09:00:00Z')
await remember('Tom: My new hobby is bird watching in the marshes.', '2023-07-02T09:00:00Z')
await remember('My sister Edith lives in Whitby and repairs old clocks.', '2024-01-05T09:00:00Z')
await remember('I have never baked sourdough bread.', '2024-02-01T09:00:00Z')
await remember('I baked a sourdough bread for the fair, and it sold out.', '2024-03-09T09:00:00Z')
await remember('My budget for seeds is 40 pounds a month.', '2024-01-02T09:00:00Z')
await remember('I raised my budget for seeds to 65 pounds a month.', '2024-04-02T09:00:00Z')
await remember('I delegated the watering to Rose in July, and she did it well.', '2024-08-01T09:00:00Z')
await remember('I have never delegated any watering to anyone.', '2024-06-01T09:00:00Z')
await remember('I planted twelve apple trees in the new orchard.', '2024-03-01T09:00:00Z')
await remember('The orchard was flooded, and two apple trees died.', '2024-05-04T09:00:00Z')
await remember('We picked the first forty apples in the orchard.', '2024-09-12T09:00:00Z')
await remember('I went to the pruning workshop with Rose in Maidstone.', '2024-02-20T09:00:00Z')
await post('upload-text', {
  Title: 'Garden notes',
  Text: 'The roses bloom in June. The tulips bloom in April. The compost heap stands behind the shed, where it is cool and dark.',
})
await service.learned()

describe('answers read out of memory', () => {
  for (const [question, expected] of [
    ['When do the tulips bloom?', /tulips bloom in April/],
    ['Where is the compost heap?', /behind the shed/],
    [
      'When did Caroline go to the support group?',
      /^7 May 2023: Caroline said on 8 May 2023: “.*support group yesterday/,
    ],
    ['What hobbies does Tom have?', /pottery.*bird watching|bird watching.*pottery/s],
    ['Where does my sister Edith live?', /Whitby/],
    [
      'Which came first, the support group or the kitten?',
      /^The support group came first\. .*7 May 2023.*20 June 2023/,
    ],
    ['How many days passed between the support group and the kitten?', /^44 days\./],
    ['Have I ever baked sourdough bread?', /^My memory says both\. .*never baked.* But also: .*sold out/s],
    ['Have I ever delegated any watering to anyone before?', /^My memory says both\. .*never.* But also: .*in July/s],
    [
      'What is my budget for seeds?',
      /65 pounds.* My memory also says, on 2 January 2024: “My budget for seeds is 40 pounds/s,
    ],
    [
      'Can you summarise how my orchard did?',
      /1 March 2024: .*planted.*4 May 2024: .*flooded.*12 September 2024: .*forty/s,
    ],
    ['In what order did things happen in the orchard?', /planted.*flooded.*forty/s],
    ['Thank you!', /^You're welcome/],
    ['What do you know?', /^I'm .*gardener in Kent.*“Garden notes”.*The latest I was told:\n- .*forty apples/s],
    ['Who are you?', /I am a gardener in Kent/],
  ] as const)
    test(question, async () => assert.match((await ask(question)).ai_message, expected))

  test('what memory does not hold is said plainly, with a low score', async () => {
    const { ai_message, ai_score } = await ask('What is the capital of Mongolia?')
    assert.match(ai_message, /^I don't know that\./)
    assert.ok(ai_score < 20, String(ai_score))
  })

  test('what memory mentions and does not tell is not answered', async () => {
    const [where, what] = [
      await ask('Where was the pruning workshop?'),
      await ask('What was taught at the pruning workshop?'),
    ]
    assert.match(where.ai_message, /Maidstone/)
    assert.ok(where.ai_score > what.ai_score + 20, `${where.ai_score} against ${what.ai_score}`)
  })

  test("one person's doing is not put into another's mouth", async () => {
    const [right, wrong] = [await ask('What animal did Caroline adopt?'), await ask('What animal did Tom adopt?')]
    assert.match(right.ai_message, /kitten/)
    assert.ok(right.ai_score > wrong.ai_score + 20, `${right.ai_score} against ${wrong.ai_score}`)
  })

  test('a follow-up is understood from its session, and the owner sees how', async () => {
    const SessionId = 'following'
    await ask('When do the tulips bloom?', { SessionId })
    const { headers } = await post('message', { Text: 'And the roses?', SessionId })
    const why = await service.admin('GET', `/personas/${DomainName}/replies/${headers.get('x-memoir-reply-id')}`)
    assert.match(why.text, /roses bloom in June/)
    assert.equal(why.understood_as, 'When do the tulips bloom? | The tulips bloom in April. | And the roses?')
  })
})

describe('sources and reasons', () => {
  test('?include=sources names what the reply rests on, and adds nothing else', async () => {
    const plain = await post('message', { Text: 'Where is the compost heap?' })
    const { body } = await post('message?include=sources', { Text: 'Where is the compost heap?' })
    assert.deepEqual(Object.keys(body), [...Object.keys(plain.body), 'sources'])
    assert.deepEqual(Object.keys(body.sources[0]), ['document_id', 'title', 'text', 'start_time_utc'])
    assert.equal(body.sources[0].title, 'Garden notes')
    const refused = await post('message?include=everything', { Text: 'Where is the compost heap?' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /include/)
  })

  test('a reply is explained: the sentence used, the parts of the score, near misses', async () => {
    const { headers, body } = await post('message', { Text: 'Where is the compost heap?' })
    const id = headers.get('x-memoir-reply-id')!
    const why = await service.admin('GET', `/personas/${DomainName}/replies/${id}`)
    assert.deepEqual(
      [why.text, why.score, why.decision, why.answered_by],
      [body.ai_message, body.ai_score, 'sent', 'memory'],
    )
    const [{ text, sentences }] = why.sources
    assert.equal(text.slice(sentences[0].start, sentences[0].end), body.ai_message)
    const logit = why.parts.reduce((sum: number, part: { contribution: number }) => sum + part.contribution, 0)
    assert.ok(Math.abs(100 / (1 + Math.exp(-logit)) - why.score) < 0.2)
    assert.ok(why.near_misses.length > 0)
    assert.ok(why.timings.recall > 0)
    const listed = (await service.admin('GET', `/personas/${DomainName}/replies?limit=1`)).replies
    assert.equal(listed[0].id, id)
  })

  test('what was forgotten is not shown in an explanation', async () => {
    await remember('The spare key lies under the blue flowerpot.', '2024-02-01T00:00:00Z')
    await service.learned()
    const { headers } = await post('message', { Text: 'Where is the spare key?' })
    const path = `/personas/${DomainName}/replies/${headers.get('x-memoir-reply-id')}`
    const [source] = (await service.admin('GET', path)).sources
    assert.match(source.text, /flowerpot/)
    await service.admin('DELETE', `/personas/${DomainName}/memories/${source.memory_id}`)
    assert.deepEqual((await service.admin('GET', path)).sources, [])
  })

  test('a withheld reply is explained under the id of its draft', async () => {
    await service.admin('PATCH', `/personas/${DomainName}`, { threshold: 99.9 })
    const { status, headers } = await post('message', { Text: 'Where is the compost heap?' })
    await service.admin('PATCH', `/personas/${DomainName}`, { threshold: 0 })
    assert.equal(status, 503)
    const id = headers.get('x-memoir-reply-id')
    const [draft] = (await service.admin('GET', `/personas/${DomainName}/drafts`)).drafts
    assert.equal(draft.id, id)
    assert.equal((await service.admin('GET', `/personas/${DomainName}/replies/${id}`)).decision, 'withheld')
    await service.admin('POST', `/personas/${DomainName}/drafts/${id}/reject`)
    assert.equal((await service.admin('GET', `/personas/${DomainName}/replies/${id}`)).label, 'wrong')
  })

  test("another persona's reply, or none, is not found", async () => {
    await service.persona('grace-h')
    const { headers } = await post('message', { Text: 'hello' })
    for (const path of [`grace-h/replies/${headers.get('x-memoir-reply-id')}`, `${DomainName}/replies/none`]) {
      const { status } = await service.call({
        method: 'GET',
        path: `/admin/personas/${path}`,
        key: 'admin-key-of-the-tests',
      })
      assert.equal(status, 404)
    }
  })
})

describe("the owner's verdicts", () => {
  test('few verdicts change nothing; enough of them move the score, and it can be taken back', async () => {
    const path = `/personas/${DomainName}`
    assert.equal((await service.admin('GET', `${path}/confidence`)).basis, 'shipped')
    const few = await service.admin('POST', `${path}/calibrate`)
    assert.equal(few.changed, false)
    assert.match(few.note, /at least 20/)
    // An owner who finds almost everything wrong that the score was sure of.
    const before = await ask('Where is the compost heap?')
    for (let at = 0; at < 30; at++) {
      const { headers } = await post('message', {
        Text: at % 3 ? 'Where is the compost heap?' : 'What is the capital of Mongolia?',
      })
      const right = at % 6 === 1
      await service.admin('POST', `${path}/replies/${headers.get('x-memoir-reply-id')}/label`, { right })
    }
    const outcome = await service.admin('POST', `${path}/calibrate`)
    assert.equal(outcome.changed, true, outcome.note)
    assert.ok(outcome.after.brier < outcome.before.brier)
    const after = await ask('Where is the compost heap?')
    assert.ok(after.ai_score < before.ai_score - 10, `${before.ai_score} → ${after.ai_score}`)
    const trust = await service.admin('GET', `${path}/confidence`)
    assert.deepEqual([trust.basis, trust.labels > 29], ['own', true])
    assert.ok(trust.reliability.length > 1 && trust.risk_coverage.at(-1).coverage === 1)
    // Fitted to the scores of a reader that is not there any more.
    const { id, calibration } = (await service.store.personas.byDomainName(DomainName))!
    const outdated = async () => (await service.call({ method: 'GET', path: '/readyz' })).body.outdated_scores
    assert.deepEqual([trust.is_outdated, await outdated()], [false, 0])
    await service.store.personas.update(id, { calibration: { ...calibration!, scorer: 'of another' } })
    assert.equal((await ask('Where is the compost heap?')).ai_score, before.ai_score)
    assert.equal((await service.admin('GET', `${path}/confidence`)).is_outdated, true)
    assert.equal(await outdated(), 1)
    await service.admin('POST', `${path}/calibrate`, { reset: true })
    assert.equal((await ask('Where is the compost heap?')).ai_score, before.ai_score)
  })
})

test('without the reader a persona still answers, from the words alone', async () => {
  const bare = await startService({ MEMOIR_READER: '0' })
  await bare.persona('plain')
  const bareKey = await bare.key(['plain'])
  const call = (path: string, body: object) =>
    bare.call({ path: `/v1/${path}`, key: bareKey, body: { DomainName: 'plain', ...body } })
  await call('memory', { Text: 'The tulips bloom in April. The roses bloom in June.', SourceName: 'test' })
  await bare.learned()
  const known = (await call('message', { Text: 'When do the tulips bloom?' })).body
  assert.match(known.ai_message, /tulips bloom in April/)
  const unknown = (await call('message', { Text: 'Who painted the ceiling?' })).body
  assert.ok(unknown.ai_score < known.ai_score)
})
