// What callers get back: exact fields, exact sentences, what is kept and what is withheld.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as api from '../src/contract/public/answers.ts'
import { startService } from './started.ts'

const service = await startService()
const DomainName = 'ada-l'
await service.persona(DomainName, {
  picture: 'https://example.com/ada.png',
  owner: { name: 'Ada Lovelace', email: 'ada@example.com', picture: 'https://example.com/owner.png' },
})
const key = await service.key([DomainName])
const post = (path: string, body: object = {}, other = key) =>
  service.call({ path: `/v1/${path}`, key: other, body: { DomainName, ...body } })
const put = (id: string, body: object = {}) =>
  service.call({ method: 'PUT', path: `/v1/update-document?feed_id=${id}`, key, body: { DomainName, ...body } })
const titled = async (Text: string) => (await post('document?size=1', { Text })).body[0]

await post('memory', {
  Text: 'My cat Turing is nine years old.',
  SourceName: 'test',
  Createdtime: '2024-03-01T00:00:00Z',
})
await post('upload-text', {
  Title: 'Garden',
  Text: 'The roses bloom in June.\n\nThe tulips bloom in April.',
  StartTime: '2024-05-01T10:00:00Z',
  Tags: 'plants',
})
await service.learned()

describe('message', () => {
  test('answers with exactly the six fields', async () => {
    const { status, body } = await post('message', { Text: 'How old is the cat Turing?', SourceName: 'my-app' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['ai_message', 'ai_score', 'ai_name', 'ai_picture', 'SessionId', 'source_app'])
    assert.equal(body.ai_message, '1 March 2024: My cat Turing is nine years old.')
    assert.ok(body.ai_score > 0 && body.ai_score <= 100)
    assert.equal(body.ai_name, 'Ada')
    assert.equal(body.ai_picture, 'https://example.com/ada.png')
    assert.equal(body.source_app, 'my-app')
    assert.match(body.SessionId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  })

  test('without SourceName the source is api', async () =>
    assert.equal((await post('message', { Text: 'hello' })).body.source_app, 'api'))

  test('says so when memory holds nothing, with a score near 0', async () => {
    const { body } = await post('message', { Text: 'quantum chromodynamics?' })
    assert.match(body.ai_message, /don't know that/)
    assert.ok(body.ai_score <= 5)
  })

  test('a session is echoed exactly and continued; its history is oldest first', async () => {
    const SessionId = 'user@example.com / Séance 1'
    await post('message', {
      Text: 'When do the tulips bloom?',
      SessionId,
      Metadata: { channel: 'web', role: 'spoofed' },
    })
    assert.equal((await post('message', { Text: 'And the roses?', SessionId })).body.SessionId, SessionId)
    const { status, body } = await post('conversation', { SessionId })
    assert.equal(status, 200)
    assert.equal(body.length, 4)
    assert.deepEqual(
      body.map((entry: { Metadata: { role: string } }) => entry.Metadata.role),
      ['user', 'ai', 'user', 'ai'],
    )
    assert.deepEqual(Object.keys(body[0]), [
      'ai_message',
      'ai_score',
      'ai_name',
      'ai_picture',
      'raw_message',
      'timestamp',
      'SessionId',
      'Metadata',
    ])
    assert.equal(body[0].ai_message, 'When do the tulips bloom?')
    assert.equal(body[0].raw_message, 'When do the tulips bloom?')
    assert.equal(body[0].ai_score, 0)
    assert.equal(body[0].ai_name, 'Ada')
    assert.deepEqual(body[0].Metadata, { channel: 'web', role: 'user' })
    assert.equal(body[1].ai_message, 'The tulips bloom in April.')
    assert.match(body[1].timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    api.HistoryEntry.array().parse(body)
  })

  test("another persona's session is not found", async () => {
    await service.persona('grace-h')
    await post('message', { Text: 'hello', SessionId: 'of ada' })
    const answer = await post(
      'conversation',
      { DomainName: 'grace-h', SessionId: 'of ada' },
      await service.key(['grace-h']),
    )
    assert.equal(answer.status, 404)
  })

  test('is_stack makes Text a memory', async () => {
    await post('message', { Text: 'My favourite number is 1729.', is_stack: true })
    await service.learned()
    assert.match((await post('message', { Text: 'favourite number' })).body.ai_message, /1729/)
  })

  test('Events answers from the named documents, drafts included', async () => {
    await post('upload-text', { Title: 'Secret plans', Text: 'The tulips move to the balcony.', is_stack: false })
    await service.learned()
    assert.match((await post('message', { Text: 'tulips', Events: 'secret plans' })).body.ai_message, /balcony/)
    assert.match((await post('message', { Text: 'tulips', Event: 'plans' })).body.ai_message, /balcony/)
    assert.match((await post('message', { Text: 'tulips' })).body.ai_message, /April/)
    assert.equal((await post('message', { Text: 'roses', Events: 'Garden:Secret plans' })).status, 200)
    assert.equal((await post('message', { Text: 'roses', Events: 'Garden:Nothing' })).status, 200)
    assert.match((await post('message', { Text: 'tulips', Events: 'No such title' })).body.ai_message, /April/)
  })

  test('the stream brings the text in parts, the rest of the reply, and the end', async () => {
    const { body, headers } = await post('message/stream', { Text: 'When do the tulips bloom?', SessionId: 'streamed' })
    assert.match(headers.get('content-type')!, /^text\/event-stream/)
    const events = String(body)
      .trim()
      .split('\n\n')
      .map((line) => line.replace(/^data: /, ''))
    assert.equal(events.at(-1), '[DONE]')
    const whole = JSON.parse(events.at(-2)!)
    api.Reply.strict().parse(whole)
    const parts = events.slice(0, -2).map((event) => JSON.parse(event))
    assert.ok(parts.length > 1)
    assert.equal(whole.ai_message, '', 'callers append every ai_message: the text comes once')
    assert.ok(parts.every((part) => part.SessionId === 'streamed'))
    const history = (await post('conversation', { SessionId: 'streamed' })).body
    assert.equal(history.length, 2)
    assert.equal(parts.map((part) => part.ai_message).join(''), history[1].ai_message)
  })
})

describe('threshold and drafts', () => {
  test('a reply below the threshold is withheld, kept as a draft, and learned when approved', async () => {
    await service.persona('careful', { threshold: 90 })
    const other = await service.key(['careful'])
    const ask = () =>
      post('message', { DomainName: 'careful', Text: 'What is the wifi password?', SessionId: 's' }, other)
    const withheld = await ask()
    assert.equal(withheld.status, 503)
    assert.deepEqual(withheld.body, { detail: 'AI message does not meet threshold.' })
    const stream = await post(
      'message/stream',
      { DomainName: 'careful', Text: 'What is the wifi password?', SessionId: 't' },
      other,
    )
    assert.equal(stream.status, 503)
    const history = await post('conversation', { DomainName: 'careful', SessionId: 's' }, other)
    assert.deepEqual(
      history.body.map((entry: { Metadata: { role: string } }) => entry.Metadata.role),
      ['user'],
    )

    const { drafts } = await service.admin('GET', '/personas/careful/drafts')
    assert.equal(drafts.length, 2)
    const draft = drafts.find((one: { session_id: string }) => one.session_id === 's')
    assert.equal(draft.question, 'What is the wifi password?')
    assert.equal(draft.reason, 'below threshold')
    await service.admin('POST', `/personas/careful/drafts/${draft.id}/approve`, {
      text: 'The wifi password is hunter2.',
    })
    await service.learned()
    const now = await post('conversation', { DomainName: 'careful', SessionId: 's' }, other)
    assert.equal(now.body[1].ai_message, 'The wifi password is hunter2.')
    await service.admin('PATCH', '/personas/careful', { threshold: 10 })
    assert.match((await ask()).body.ai_message, /hunter2/)

    const again = await service.call({
      path: `/admin/personas/careful/drafts/${draft.id}/approve`,
      key: 'admin-key-of-the-tests',
      body: {},
    })
    assert.equal(again.status, 404)
    const rest = drafts.find((one: { session_id: string }) => one.session_id === 't')
    await service.admin('POST', `/personas/careful/drafts/${rest.id}/reject`)
    assert.deepEqual((await service.admin('GET', '/personas/careful/drafts')).drafts, [])
  })

  test('is_draft returns the reply and keeps it out of the history until it is approved', async () => {
    const SessionId = 'drafting'
    const reply = await post('message', { Text: 'When do the tulips bloom?', SessionId, is_draft: true })
    assert.equal(reply.status, 200)
    assert.equal((await post('conversation', { SessionId })).body.length, 1)
    const [draft] = (await service.admin('GET', `/personas/${DomainName}/drafts`)).drafts
    assert.equal(draft.text, reply.body.ai_message)
    assert.equal(draft.sources[0].title, 'Garden')
    await service.admin('POST', `/personas/${DomainName}/drafts/${draft.id}/approve`, { learn: false })
    assert.equal((await post('conversation', { SessionId })).body[1].ai_message, reply.body.ai_message)
  })
})

describe('instruction', () => {
  test('search quotes and attributes, with exactly five fields', async () => {
    const { status, body } = await post('instruction?cmd=search', { Text: 'tulips bloom' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['ai_message', 'ai_score', 'ai_name', 'SessionId', 'source_app'])
    assert.match(body.ai_message, /“The tulips bloom in April\.” \(Garden, 1 May 2024\)/)
  })

  test('chatgpt and chat-model are the same command; what cannot be done is 503', async () => {
    for (const cmd of ['chatgpt', 'chat-model']) {
      assert.equal((await post(`instruction?cmd=${cmd}`, { Text: 'Say when tulips bloom' })).status, 200)
      const failed = await post(`instruction?cmd=${cmd}`, { Text: 'chromodynamics' })
      assert.equal(failed.status, 503)
      assert.match(failed.body.detail, /could not be processed/)
    }
  })

  test('is_message goes through the message flow', async () => {
    const { body } = await post('instruction?cmd=chatgpt', {
      Text: 'When do the tulips bloom?',
      is_message: true,
      SessionId: 'instructed',
    })
    assert.equal(body.ai_message, 'The tulips bloom in April.')
    assert.equal('ai_picture' in body, false)
    assert.equal((await post('conversation', { SessionId: 'instructed' })).body.length, 2)
  })
})

describe('memory', () => {
  test('answers with exactly the record', async () => {
    const { status, body } = await post('memory', {
      Text: 'I moved to Turin.',
      SourceName: 'diary',
      Createdtime: 'Mon, 8 May 2023 13:56:00 CEST',
      Tags: 'home, big changes',
    })
    assert.equal(status, 200)
    const record = {
      type: 'MEMORY',
      memlevel: 'MEMBLOCK',
      memlabel: 'I moved to Turin.',
      start_time_utc: '2023-05-08T11:56:00.000+00:00',
      source: { type: 'text', name: 'diary' },
      topics: [{ value: 'home' }, { value: 'big changes' }],
    }
    assert.deepEqual(body, { type: 'memory', payload: [{ data: [record] }] })
  })

  test('a legacy key may leave SourceName out, and gets the older fields, too', async () => {
    const legacy = await service.key([DomainName], { legacy: true })
    const { body } = await post('memory', { Text: 'Old programs live long.' }, legacy)
    assert.equal(body.status, 'Memblock Created')
    assert.equal(body.success, true)
    const fields = { Text: 'Older names.', SourceApp: 'diary', StartTime: '2023-05-08T11:56:00Z' }
    const [record] = (await post('memory', fields, legacy)).body.payload[0].data
    assert.deepEqual(record.source, { type: 'text', name: 'diary' })
    assert.equal(record.start_time_utc, '2023-05-08T11:56:00.000+00:00')
    assert.equal((await post('memory', { ...fields, StartTime: 'soon' }, legacy)).status, 400)
    assert.equal((await post('memory', fields)).status, 400, 'other keys name their SourceName')
    const [other] = (await post('memory', { ...fields, SourceName: 'x', SourceApp: 7 })).body.payload[0].data
    assert.notEqual(other.start_time_utc, record.start_time_utc)
    const upload = await post('upload-text', { Text: 'Old programs, again.' }, legacy)
    assert.deepEqual(upload.body, { message: 'doc accepted and processing', status: 'Memblock Created', success: true })
  })
})

describe('documents', () => {
  test('the list is newest first, holds drafts and no plain memories', async () => {
    await service.persona('shelf')
    const other = await service.key(['shelf'])
    const send = (path: string, body: object) => post(path, { DomainName: 'shelf', ...body }, other)
    assert.deepEqual((await send('upload-text', { Title: 'First', Text: 'one' })).body, {
      message: 'doc accepted and processing',
    })
    await send('upload-text', { Title: 'Second', Text: 'two', is_stack: false })
    await send('memory', { Text: 'three', SourceName: 'x' })
    await send('upload-text', { Title: ' first ', Text: 'four', StartTime: '2020-01-01T00:00:00Z' })
    const { body } = await send('document?size=10', {})
    assert.deepEqual(
      body.map((one: { text: string }) => one.text),
      ['four', 'two', 'one'],
    )
    assert.deepEqual(Object.keys(body[0]), ['id', 'title', 'text', 'type', 'timestamp'])
    assert.equal(body[0].type, 'Document')
    assert.equal(body[0].timestamp, '2020-01-01T00:00:00.000+00:00')
    assert.equal((await send('document?size=2', {})).body.length, 2)
    assert.deepEqual(
      (await send('document?size=10', { Text: ' FIRST ' })).body.map((one: { text: string }) => one.text),
      ['four', 'one'],
    )
  })

  test('an update replaces the whole text and answers with the 27 fields of the feed record', async () => {
    await post('upload-text', {
      Title: 'Recipe',
      Text: 'Salt & <pepper>\nline two\n\nSecond.',
      StartTime: '2024-01-01T00:00:00Z',
      EndTime: '2024-01-02T00:00:00Z',
      Tags: 'food',
    })
    await service.learned()
    const { id } = await titled('Recipe')
    const { status, body } = await put(id, { Text: 'Only vanilla.' })
    assert.equal(status, 200)
    api.FeedRecord.strict().parse(body)
    assert.equal(Object.keys(body).length, 27)
    assert.equal(body.id, id)
    assert.equal(body.memlabel, 'Only vanilla.')
    assert.equal(body.ownerDnsName, DomainName)
    assert.equal(body.start_time_utc, '2024-01-01T00:00:00.000+00:00')
    assert.equal(body.end_time_utc, '2024-01-02T00:00:00.000+00:00')
    assert.deepEqual(body.topics, [{ value: 'food' }])
    assert.equal(body.is_edited, true)
    assert.equal(body.is_draft, false)
    assert.equal(body.metadata.title, 'Recipe')
    assert.equal(body.metadata.feed_text, 'Only vanilla.')
    assert.equal(body.metadata.original_text, '<p>Salt &amp; &lt;pepper&gt;<br>line two</p><p>Second.</p>')
    assert.equal(body.creator.name, 'Ada Lovelace')
    assert.ok(Number.isSafeInteger(body.creator.identity_id) && Number.isSafeInteger(body.creator.domain_id))
    assert.deepEqual(body.creator.propertyBag.email, { key: 'email', value: 'ada@example.com' })
    assert.deepEqual(body.source.propertyBag.source_app, { key: 'source_app', value: 'api' })

    await service.learned()
    assert.match((await post('message', { Text: 'vanilla' })).body.ai_message, /Only vanilla/)
    assert.doesNotMatch((await post('message', { Text: 'salt pepper' })).body.ai_message, /pepper/)
    const { revisions } = await service.admin('GET', `/personas/${DomainName}/documents/${id}/revisions`)
    assert.equal(revisions[0].text, 'Salt & <pepper>\nline two\n\nSecond.')
  })

  test('without Text nothing is replaced; "" replaces with nothing', async () => {
    await post('upload-text', { Title: 'Note', Text: 'Something about gravel.' })
    await service.learned()
    const { id } = await titled('Note')
    for (const body of [{}, { Text: null }]) {
      const same = await put(id, body)
      assert.equal(same.body.memlabel, 'Something about gravel.')
      assert.equal(same.body.is_edited, false)
    }
    const emptied = await put(id, { Text: '' })
    assert.equal(emptied.body.memlabel, '')
    assert.equal(emptied.body.is_edited, true)
    await service.learned()
    assert.doesNotMatch((await post('message', { Text: 'gravel' })).body.ai_message, /about gravel/)
  })
})
