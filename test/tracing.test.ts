// What a request sets in motion is seen under its one id: in traces, logs, jobs, deliveries and calls to models.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'
import { startCollector } from './collector.ts'
import { kill, launch } from './launched.ts'
import { startReceiver } from './receiver.ts'
import { scriptedModel } from './scripted-model.ts'
import { ADMIN_KEY, isOnPostgres, startService, storedIn, temporaryFolder } from './started.ts'

const collector = await startCollector()
const receiver = await startReceiver()
const model = await scriptedModel()
const service = await startService({
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=people%20who%20care,authorization=Bearer abc',
  OTEL_SERVICE_NAME: 'memoir-test',
})
await service.persona('ada-l')
await service.persona('quiet')
await service.admin('PATCH', '/personas/ada-l', {
  model: { provider: 'openai-compatible', url: model.url, name: 'small' },
})
const key = await service.key('*')
const send = (path: string, id: string, body: object, headers: Record<string, string> = {}) =>
  service.call({ path: `/v1/${path}`, key, body, headers: { 'x-request-id': id, ...headers } })

const SECRET = 'The parsnips are buried under the third stone.'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

await service.admin('POST', '/personas/ada-l/triggers', {
  name: 'all',
  on: ['message.received', 'memory.created'],
  deliver: { url: `${receiver.url}/all` },
})

describe('a request', () => {
  test('is one trace: what it took to remember, and later to learn and to deliver', async () => {
    await send('memory', 'remember-1', { DomainName: 'ada-l', Text: SECRET, SourceName: 'notes' })
    await service.learned()
    const spans = await collector.of(
      'remember-1',
      'POST /v1/memory',
      'commit',
      'learn document',
      'embed',
      'deliver event',
    )
    const [request] = spans.filter(({ name }) => name === 'POST /v1/memory')
    assert.equal(request!.kind, 2)
    assert.equal(request!.service, 'memoir-test')
    assert.equal(request!.attributes['http.response.status_code'], 200)
    assert.equal(request!.attributes['memoir.operation'], 'memory')
    const commits = spans.filter(({ name, parentId }) => name === 'commit' && parentId === request!.spanId)
    const commit = commits.find(({ attributes }) => attributes['memoir.synced'] === true)
    assert.equal(commit!.attributes['db.system.name'], isOnPostgres ? 'postgresql' : 'sqlite')
    const job = spans.find(({ name }) => name === 'learn document')!
    assert.equal(job.attributes['memoir.request_id'], 'remember-1')
    assert.ok(spans.some(({ name, parentId }) => name === 'embed' && parentId === job.spanId))
    const [delivered] = await receiver.until('/all', 1, 'memory.created')
    assert.equal(delivered!.headers['x-request-id'], 'remember-1')
    assert.equal(delivered!.event.data.request_id, 'remember-1')
    const delivery = spans.find(({ name }) => name === 'deliver event')!
    assert.equal(delivered!.headers.traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`)
  })

  test('continues the trace of its caller, down to the model that writes', async () => {
    model.say({ deltas: ['Under the third stone [m1].'] })
    const parent = 'b7ad6b7169203331'
    const headers = { traceparent: `00-${TRACE}-${parent}-01`, tracestate: 'vendor=1' }
    const answer = await send('message', 'ask-1', { DomainName: 'ada-l', Text: 'Where are the parsnips?' }, headers)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('x-request-id'), 'ask-1')
    const names = ['POST /v1/message', 'recall', 'read', 'embed', 'commit', 'chat small', 'deliver event']
    const spans = await collector.of('ask-1', ...names)
    const [request] = spans.filter(({ name }) => name === 'POST /v1/message')
    assert.deepEqual([request!.traceId, request!.parentId], [TRACE, parent])
    const recall = spans.find(({ name }) => name === 'recall')!
    assert.deepEqual([recall.traceId, recall.parentId], [TRACE, request!.spanId])
    assert.ok(spans.some(({ name, parentId }) => name === 'read' && parentId === recall.spanId))
    const chat = spans.find(({ name }) => name === 'chat small')!
    assert.deepEqual([chat.kind, chat.traceId], [3, TRACE])
    const [asked] = model.seen
    assert.equal(asked!.headers['x-request-id'], 'ask-1')
    assert.equal(asked!.headers.traceparent, `00-${TRACE}-${chat.spanId}-01`)
    assert.equal(asked!.headers.tracestate, 'vendor=1')
    const [told] = await receiver.until('/all', 1, 'message.received')
    assert.deepEqual([told!.headers['x-request-id'], told!.event.data.request_id], ['ask-1', 'ask-1'])
  })

  test('that a caller does not want traced is not', async () => {
    const headers = { traceparent: '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-b7ad6b7169203331-00' }
    await send('message', 'unsampled', { DomainName: 'quiet', Text: 'Where are the parsnips?' }, headers)
    await send('message', 'sampled', { DomainName: 'quiet', Text: 'Where are the parsnips?' })
    await collector.of('sampled', 'POST /v1/message')
    assert.ok(!collector.spans.some(({ traceId }) => traceId.startsWith('aaaa')))
  })

  test('that fails says so by the kind of its error; a withheld reply is no failure', async () => {
    await service.admin('PATCH', '/personas/quiet', { threshold: 100 })
    const withheld = await send('message', 'withheld-1', { DomainName: 'quiet', Text: 'Where is the ladder?' })
    assert.equal(withheld.status, 503)
    const [request] = (await collector.of('withheld-1', 'POST /v1/message')).filter(({ kind }) => kind === 2)
    assert.deepEqual([request!.attributes['error.type'], request!.status], ['withheld', 0])
    model.say({ status: 401, body: '{"error": {"message": "no parsnips here"}}' })
    await send('message', 'failing-1', { DomainName: 'ada-l', Text: 'Where are the parsnips?' })
    const chat = (await collector.of('failing-1', 'chat small')).find(({ name }) => name === 'chat small')!
    assert.deepEqual([chat.attributes['error.type'], chat.status], ['model_failed', 2])
  })

  test('of an unknown path, or of a health check', async () => {
    await service.call({ method: 'GET', path: '/readyz', headers: { 'x-request-id': 'health-1' } })
    const unknown = await service.call({ path: '/v1/parsnips', headers: { 'x-request-id': 'unknown-1' } })
    assert.equal(unknown.headers.get('x-request-id'), 'unknown-1')
    const [span] = await collector.of('unknown-1', 'POST')
    assert.equal(span!.attributes['http.response.status_code'], 404)
    assert.ok(!collector.spans.some(({ attributes }) => attributes['memoir.request_id'] === 'health-1'))
  })

  test('leaves no text, address or key in what is sent', () => {
    const all = Buffer.concat(collector.posted.map(({ body }) => body)).toString('latin1')
    assert.ok(!/parsnip|stone|ladder|ada-l|quiet/i.test(all), 'a text was sent')
    assert.ok(!all.includes(key) && !all.includes(ADMIN_KEY))
    for (const { path, headers } of collector.posted) {
      assert.equal(path, '/v1/traces')
      assert.deepEqual([headers['x-tenant'], headers.authorization], ['people who care', 'Bearer abc'])
    }
  })

  test('has its id in the answer even where its address is malformed', async () => {
    const answer = await service.call({ method: 'GET', path: '/v1/%zz', headers: { 'x-request-id': 'bad-1' } })
    assert.deepEqual([answer.status, answer.headers.get('x-request-id')], [400, 'bad-1'])
  })
})

describe('without a collector that answers', () => {
  test('requests are answered as fast, every line of the log says whose it is, and it stops in time', async () => {
    const folder = temporaryFolder()
    const stored = await storedIn(folder)
    const before = await startService(stored)
    await before.persona('ada-l')
    const own = await before.key(['ada-l'])
    await before.close()
    model.say({ status: 401, body: '{}' })
    const dead = createServer().listen(0, '127.0.0.1')
    await once(dead, 'listening')
    const { port } = dead.address() as { port: number }
    dead.close()
    const launched = await launch(
      {
        ...stored,
        MEMOIR_LOG: 'info',
        MEMOIR_CHAT_URL: model.url,
        MEMOIR_CHAT_MODEL: 'small',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      },
      'pipe',
    )
    let log = ''
    launched.child.stderr!.on('data', (chunk) => {
      log += chunk
    })
    const answer = await fetch(`${launched.url}/v1/message`, {
      method: 'POST',
      headers: { 'x-api-key': own, 'content-type': 'application/json', 'x-request-id': 'logged-1' },
      body: JSON.stringify({ DomainName: 'ada-l', Text: 'Where is the ladder?' }),
    })
    assert.equal(answer.status, 200)
    const began = Date.now()
    await kill(launched, 'SIGTERM')
    assert.ok(Date.now() - began < 5_000)
    assert.equal(launched.child.exitCode, 0)
    const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const failed = lines.find(({ msg }) => msg === 'a model failed')
    const answered = lines.find(({ msg, operation }) => msg === 'request' && operation === 'message')
    assert.deepEqual([failed.request, answered.request], ['logged-1', 'logged-1'])
    for (const untold of [own, 'ladder'])
      assert.ok(!log.includes(untold), `the log holds no keys and no texts: ${untold}`)
    assert.match(failed.trace, /^[0-9a-f]{32}$/)
    assert.ok(lines.filter(({ msg }) => msg === 'traces are not delivered').length <= 1)
  })
})

test('settings that make no sense stop the start with a sentence', () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  const refused: [Record<string, string>, RegExp][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be an http\(s\) address/],
    [{ ...on, OTEL_TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER must be one of always_on/],
    [{ ...on, OTEL_TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ ...on, OTEL_EXPORTER_OTLP_HEADERS: 'token' }, /OTEL_EXPORTER_OTLP_HEADERS must look like/],
  ]
  for (const [env, sentence] of refused)
    assert.throws(
      () => readConfig(env),
      (error: Error) => error instanceof ConfigError && sentence.test(error.message),
    )
  assert.equal(readConfig({}).tracing, undefined)
  const { tracing } = readConfig({ ...on, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' })
  assert.deepEqual([tracing!.sampler, tracing!.ratio, tracing!.serviceName], ['traceidratio', 0.25, 'memoir'])
})
