// Programs written for OpenAI's interface: its own package against the service, and requests it would not send.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { scriptedModel } from './scripted-model.ts'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
const chat = await scriptedModel()
await service.persona('ada-l')
await service.persona('grace-h', { name: 'Grace' })
await service.persona('careful', { threshold: 100 })
await service.persona('written', { model: { provider: 'openai-compatible', url: chat.url, name: 'small' } })
const key = await service.key(['ada-l', 'careful', 'written'])
const talker = await service.key(['ada-l'])
for (const Text of ['My cat is called Turing.', 'Turing sleeps on the radiator.', 'Turing was born in Bath in 2017.'])
  for (const DomainName of ['ada-l', 'written'])
    await service.call({ path: '/v1/memory', key, body: { DomainName, Text, SourceName: 'test' } })
await service.learned()

const programOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${service.url}/openai/v1`, maxRetries: 0 })
const program = programOf(key)
const model = 'ada-l'
const QUESTION = 'Where does Turing sleep?'

type Extended = {
  memoir: { confidence: number | null; sources: { text: string }[]; session: string; withheld: boolean }
}

const historyOf = async (SessionId: string) =>
  (await service.call({ path: '/v1/conversation', key, body: { DomainName: model, SessionId } })).body as {
    raw_message: string
  }[]

describe('chat completions', () => {
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: QUESTION },
  ]

  test('a reply comes whole, with its confidence and sources', async () => {
    const answer = await program.chat.completions.create({ model, messages, temperature: 0.3, tools: [] })
    const { message, finish_reason } = answer.choices[0]!
    assert.match(message.content!, /radiator/)
    assert.equal(message.refusal, null)
    assert.equal(finish_reason, 'stop')
    assert.ok(answer.usage!.total_tokens > 0)
    const { memoir } = answer as unknown as Extended
    assert.ok(memoir.confidence! > 0 && !memoir.withheld)
    assert.match(memoir.sources[0]!.text, /radiator/)
  })

  test('a reply comes in chunks, once, with usage where it is asked for', async () => {
    const stream_options = { include_usage: true }
    const stream = await program.chat.completions.create({ model, messages, stream: true, stream_options })
    let text = ''
    let last: Extended | undefined
    let usage: unknown
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.choices[0]?.finish_reason === 'stop') last = chunk as unknown as Extended
      usage = chunk.usage ?? usage
    }
    const whole = await program.chat.completions.create({ model, messages })
    assert.equal(text, whole.choices[0]!.message.content)
    assert.deepEqual(last!.memoir, (whole as unknown as Extended).memoir)
    assert.ok(usage)
  })

  test('the package gathers a stream into the same completion', async () => {
    const gathered = await program.chat.completions.stream({ model, messages }).finalChatCompletion()
    assert.match(gathered.choices[0]!.message.content!, /radiator/)
  })

  test('the talk before is read from the request, and the history has it once', async () => {
    const opening = { role: 'user' as const, content: 'Where was the cat Turing born?' }
    const first = await program.chat.completions.create({ model, messages: [opening] })
    const said = { role: 'assistant' as const, content: first.choices[0]!.message.content! }
    const followUp = { role: 'user' as const, content: [{ type: 'text' as const, text: 'And where does he sleep?' }] }
    const second = await program.chat.completions.create({ model, messages: [opening, said, followUp] })

    const session = { DomainName: model, SessionId: 'the same talk' }
    await service.call({ path: '/v1/message', key, body: { ...session, Text: opening.content } })
    const body = { ...session, Text: 'And where does he sleep?' }
    const same = await service.call({ path: '/v1/message', key, body })
    assert.equal(second.choices[0]!.message.content, same.body.ai_message)
    assert.equal((second as unknown as Extended).memoir.confidence, same.body.ai_score)
    assert.match(same.body.ai_message, /radiator/)

    const sessions = [first, second].map((answer) => (answer as unknown as Extended).memoir.session)
    assert.equal(sessions[0], sessions[1])
    const history = await historyOf(sessions[0]!)
    assert.deepEqual(
      history.map(({ raw_message }) => raw_message),
      [opening.content, said.content, 'And where does he sleep?', same.body.ai_message],
    )
  })

  test('what another program said under the same opening is not taken for this talk', async () => {
    const opening = { role: 'user' as const, content: 'Hello there' }
    const about = { role: 'user' as const, content: 'Where was Turing born?' }
    await program.chat.completions.create({ model, messages: [opening, { role: 'assistant', content: 'Hi' }, about] })
    const alone = await program.chat.completions.create({ model, messages: [opening] })
    const again = await programOf(talker).chat.completions.create({ model, messages: [opening] })
    assert.equal(alone.choices[0]!.message.content, again.choices[0]!.message.content)
    const sessions = [alone, again].map((answer) => (answer as unknown as Extended).memoir.session)
    assert.notEqual(sessions[0], sessions[1])
  })

  test('a withheld reply is a refusal, whole and streamed', async () => {
    const asked = { model: 'careful', messages: [{ role: 'user' as const, content: 'Who won the regatta of 1990?' }] }
    const whole = await program.chat.completions.create(asked)
    assert.match(whole.choices[0]!.message.refusal!, /not sure enough/)
    assert.equal((whole as unknown as Extended).memoir.withheld, true)
    const gathered = await program.chat.completions.stream(asked).finalChatCompletion()
    assert.match(gathered.choices[0]!.message.refusal!, /not sure enough/)
  })
})

describe('responses', () => {
  test('a reply comes whole, and the next goes on from it by its id', async () => {
    const first = await program.responses.create({ model, input: 'Where was the cat Turing born?' })
    assert.match(first.output_text, /Bath/)
    assert.ok((first as unknown as Extended).memoir.confidence! > 0)
    const next = { model, input: 'And where does he sleep?', previous_response_id: first.id }
    const second = await program.responses.create(next)
    assert.match(second.output_text, /radiator/)
    const { session } = (second as unknown as Extended).memoir
    assert.equal((await historyOf(session)).length, 4)
    const alike = await program.responses.create({ model, input: 'Where was the cat Turing born?' })
    assert.notEqual((alike as unknown as Extended).memoir.session, session)
  })

  test('a whole talk may come along instead', async () => {
    const input = [
      { role: 'user' as const, content: 'Where was the cat Turing born?' },
      { role: 'assistant' as const, content: 'Turing was born in Bath in 2017.' },
      { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'And where does he sleep?' }] },
    ]
    assert.match((await program.responses.create({ model, input, instructions: 'Be brief.' })).output_text, /radiator/)
  })

  test('the package gathers the events of a stream', async () => {
    const types: string[] = []
    const stream = program.responses.stream({ model, input: QUESTION })
    for await (const event of stream) types.push(event.type)
    const gathered = await stream.finalResponse()
    assert.match(gathered.output_text, /radiator/)
    assert.deepEqual(types.slice(0, 2), ['response.created', 'response.in_progress'])
    assert.equal(types.at(-1), 'response.completed')
    assert.ok((gathered as unknown as Extended).memoir.sources.length > 0)
  })

  test('a withheld reply is a refusal, whole and streamed', async () => {
    const asked = { model: 'careful', input: 'Who won the regatta of 1990?' }
    const whole = await program.responses.create(asked)
    const streamed = await program.responses.stream(asked).finalResponse()
    for (const answer of [whole, streamed]) {
      assert.equal(answer.output_text, '')
      assert.match(JSON.stringify(answer.output), /"type":"refusal","refusal":"The persona is not sure enough/)
    }
  })
})

describe('a chat model’s own words', () => {
  const asked = { model: 'written', messages: [{ role: 'user' as const, content: QUESTION }] }

  test('come as it writes them, in both shapes', async () => {
    chat.say({ deltas: ['Turing ', 'sleeps ', 'on the ', 'radiator [m1].'], pauseMs: 40 })
    const parts: string[] = []
    const stream = await program.chat.completions.create({ ...asked, stream: true })
    for await (const { choices } of stream) if (choices[0]?.delta.content) parts.push(choices[0].delta.content)
    assert.ok(parts.length > 2, parts.join('|'))
    assert.equal(parts.join(''), 'Turing sleeps on the radiator.')
    const response = program.responses.stream({ model: 'written', input: QUESTION, instructions: 'Whisper.' })
    assert.equal((await response.finalResponse()).output_text, 'Turing sleeps on the radiator.')
    assert.match(JSON.stringify(chat.seen.at(-1)!.body), /Whisper\./)
  })

  test('are told the talk that the request brings along', async () => {
    chat.say({ deltas: ['On the radiator [m1].'] })
    const before = [
      { role: 'user' as const, content: 'Who is Turing, by the way?' },
      { role: 'assistant' as const, content: 'A cat of good breeding.' },
    ]
    await program.chat.completions.create({ ...asked, messages: [...before, ...asked.messages] })
    assert.match(JSON.stringify(chat.seen.at(-1)!.body), /A cat of good breeding\./)
  })

  test('that break off are followed by the reply that counts', async () => {
    chat.say({ deltas: ['Turing is a famous '], end: 'error' })
    const gathered = await program.chat.completions.stream(asked).finalChatCompletion()
    assert.match(gathered.choices[0]!.message.content!, /^Turing is a famous\n\n.*radiator/)
  })
})

describe('models and embeddings', () => {
  test("a key's personas are the models", async () => {
    const ids = (await program.models.list()).data.map(({ id }) => id)
    assert.deepEqual(ids, ['ada-l', 'careful', 'written'])
    assert.equal((await program.models.retrieve('ADA-L')).id, 'ada-l')
    await assert.rejects(program.models.retrieve('grace-h'), OpenAI.NotFoundError)
  })

  test('texts become vectors of unit length, as numbers and in base 64', async () => {
    const texts = ['The cat sleeps.', 'A cat is asleep.', 'Shares fell on Tuesday.']
    const floats = await program.embeddings.create({ model, input: texts, encoding_format: 'float' })
    const packed = await program.embeddings.create({ model, input: texts })
    const vectors = floats.data.map(({ embedding }) => embedding)
    const product = (one: number[], two: number[]) => one.reduce((sum, value, at) => sum + value * two[at]!, 0)
    assert.ok(Math.abs(product(vectors[0]!, vectors[0]!) - 1) < 1e-3)
    assert.ok(product(vectors[0]!, vectors[1]!) > product(vectors[0]!, vectors[2]!))
    assert.equal(packed.data[0]!.embedding.length, vectors[0]!.length)
    assert.ok(product(packed.data[0]!.embedding, vectors[0]!) > 0.99)
    const one = await program.embeddings.create({ model, input: 'The cat sleeps.' })
    assert.equal(one.data.length, 1)
  })
})

describe('who may not', () => {
  const ask = (apiKey: string, named = model) =>
    programOf(apiKey).chat.completions.create({ model: named, messages: [{ role: 'user', content: 'x' }] })

  test('a wrong key and the admin key are no keys here', async () => {
    for (const wrong of ['memoir_wrong', ADMIN_KEY])
      await assert.rejects(ask(wrong), (error: InstanceType<typeof OpenAI.APIError>) => {
        assert.ok(error instanceof OpenAI.AuthenticationError)
        assert.equal(error.code, 'invalid_api_key')
        return true
      })
  })

  test("a missing scope, another's persona and one that is not there read the same", async () => {
    const silent = await service.key(['ada-l'], { scopes: ['read', 'memory', 'upload', 'update', 'instruction'] })
    const told: string[] = []
    for (const [apiKey, named] of [
      [silent, model],
      [await service.key(['grace-h']), model],
      [key, 'gpt-4o'],
    ] as const)
      for (const call of [
        () => ask(apiKey, named),
        () => programOf(apiKey).responses.create({ model: named, input: 'x' }),
        () => programOf(apiKey).embeddings.create({ model: named, input: 'x' }),
      ])
        await assert.rejects(call, (error: InstanceType<typeof OpenAI.APIError>) => {
          assert.ok(error instanceof OpenAI.PermissionDeniedError)
          told.push(error.message)
          return true
        })
    assert.equal(new Set(told).size, 1)
    assert.match(told[0]!, /lacks the scope message/)
    assert.deepEqual((await service.admin('GET', '/personas/grace-h/sessions')).sessions, [])
  })
})

describe('requests the package would not send', () => {
  const user = [{ role: 'user', content: 'x' }]
  const rows: [name: string, path: string, body: unknown, status: number, says: RegExp][] = [
    ['no JSON', 'chat/completions', '{', 400, /JSON/],
    ['no model', 'chat/completions', { messages: user }, 400, /^model is missing/],
    ['a model that is a path', 'chat/completions', { model: '../x', messages: user }, 400, /may hold letters/],
    ['no messages', 'chat/completions', { model }, 400, /^messages must be an array/],
    [
      'no user among them',
      'chat/completions',
      { model, messages: [{ role: 'system', content: 'x' }] },
      400,
      /role user/,
    ],
    ['several replies', 'chat/completions', { model, messages: user, n: 2 }, 400, /^n must be 1/],
    ['n as text', 'chat/completions', { model, messages: user, n: '2' }, 400, /^n must be 1/],
    [
      'content that is a number',
      'chat/completions',
      { model, messages: [{ role: 'user', content: 7 }] },
      400,
      /string/,
    ],
    [
      'a picture',
      'chat/completions',
      { model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      400,
      /no image_url/,
    ],
    ['too many messages', 'chat/completions', { model, messages: Array(4_001).fill(user[0]) }, 400, /more than 4000/],
    [
      'a long system message',
      'chat/completions',
      { model, messages: [{ role: 'system', content: 'x'.repeat(1e5 + 1) }, ...user] },
      400,
      /longer/,
    ],
    ['a blank message', 'chat/completions', { model, messages: [{ role: 'user', content: ' ' }] }, 400, /empty/],
    ['an error before a stream', 'chat/completions', { model, messages: [], stream: true }, 400, /role user/],
    ['no input', 'responses', { model }, 400, /^input must be/],
    ['an id of elsewhere', 'responses', { model, input: 'x', previous_response_id: 'resp_abc' }, 400, /previous_resp/],
    ['token numbers', 'embeddings', { model, input: [1, 2, 3] }, 400, /array of strings/],
    ['no texts', 'embeddings', { model, input: [] }, 400, /empty/],
    ['too many texts', 'embeddings', { model, input: Array(129).fill('x') }, 400, /more than 128/],
    ['an unknown path', 'assistants', {}, 404, /nothing at this address/],
  ]
  for (const [name, path, body, status, says] of rows)
    test(name, async () => {
      const headers = { authorization: `Bearer ${key}` }
      const answer = await service.call({ path: `/openai/v1/${path}`, body, headers })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(answer.body.error.message, says)
      assert.equal(answer.body.error.type, 'invalid_request_error')
    })

  test('a parameter nobody knows, nulls and tools are ignored', async () => {
    const body = { model, messages: user, stream: null, n: null, user: null, tools: [{}], seed: 7, logit_bias: {} }
    const answer = await service.call({ path: '/openai/v1/chat/completions', body, key })
    assert.equal(answer.status, 200)
  })

  test('a browser may ask with any header of the package', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-headers': 'x-stainless-os' }
    const answer = await service.call({ method: 'OPTIONS', path: '/openai/v1/chat/completions', headers })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.match(answer.headers.get('access-control-allow-headers')!, /authorization.*\*/)
  })
})
