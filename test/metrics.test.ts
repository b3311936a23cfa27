// The figures for operators: true, in the format that Prometheus takes, and enough for the dashboard that we ship.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { type Family, lintFamily, parseExposition } from './exposition.ts'
import { newDatabase } from './postgres-server.ts'
import { scriptedModel } from './scripted-model.ts'
import { isOnPostgres, startService, temporaryFolder } from './started.ts'

const model = await scriptedModel()
const service = await startService({ MEMOIR_BACKUP_DIR: temporaryFolder() })
await service.persona('ada-l')
const key = await service.key('*')
const post = (path: string, body: object) =>
  service.call({ path: `/v1/${path}`, key, body: { DomainName: 'ada-l', ...body } })

const figures = async (): Promise<Family[]> => {
  const { status, body, headers } = await service.call({ method: 'GET', path: '/metrics' })
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  return parseExposition(body)
}
const figure = async (name: string, labels: Record<string, string> = {}): Promise<number | undefined> => {
  const family = (await figures()).find((one) => one.name === name)
  assert.ok(family, name)
  return family.samples.find((sample) => Object.entries(labels).every(([label, is]) => sample.labels[label] === is))
    ?.value
}

test('the format is what `promtool check metrics` passes', async () => {
  const all = await figures()
  assert.deepEqual(all.flatMap(lintFamily), [])
  assert.ok(all.length > 25)
})

test('what promtool would complain of is found', () => {
  const text = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  const ok = ['# HELP a_total Things.', '# TYPE a_total counter', 'a_total{b="c\\"d"} 1e+21']
  assert.deepEqual(parseExposition(text(ok))[0]!.samples, [{ name: 'a_total', labels: { b: 'c\\"d' }, value: 1e21 }])
  const broken = [
    [...ok, ...ok],
    [...ok, 'a_total{b="c\\"d"} 2'],
    [...ok, 'other 1'],
    ['a 1'],
    ['# HELP a A.', '# TYPE a thing'],
    ['# HELP a A.', '# TYPE a gauge', 'a{b=c} 1'],
    ['# HELP a A.', '# TYPE a gauge', 'a one'],
  ]
  for (const lines of broken) assert.throws(() => parseExposition(text(lines)), Error, lines.join('\n'))
  const faults = (name: string, type: string, help = 'Help.') => lintFamily({ name, type, help, samples: [] }).length
  assert.equal(faults('a_seconds', 'gauge'), 0)
  assert.equal(faults('a', 'counter'), 1)
  assert.equal(faults('a_total', 'gauge'), 1)
  assert.equal(faults('a_milliseconds', 'gauge'), 1)
  assert.equal(faults('a_ms', 'gauge'), 1)
  assert.equal(faults('a', 'gauge', ''), 1)
})

describe('the figures', () => {
  test('count replies, those withheld, and the drafts that wait', async () => {
    assert.equal(await figure('memoir_replies_total', { decision: 'withheld' }), 0)
    await post('message', { Text: 'Where is the ladder?' })
    await post('message', { Text: 'Where is the ladder?', is_draft: true })
    await post('instruction?cmd=search', { Text: 'the ladder' })
    await service.admin('PATCH', '/personas/ada-l', { threshold: 100 })
    assert.equal((await post('message', { Text: 'Where is the ladder?' })).status, 503)
    await service.admin('PATCH', '/personas/ada-l', { threshold: 0 })
    assert.deepEqual(
      await Promise.all(['sent', 'draft', 'withheld'].map((decision) => figure('memoir_replies_total', { decision }))),
      [2, 1, 1],
    )
    assert.equal(await figure('memoir_drafts_waiting'), 2)
    const { drafts } = await service.admin('GET', '/personas/ada-l/drafts')
    await service.admin('POST', `/personas/ada-l/drafts/${drafts[0].id}/reject`, {})
    assert.equal(await figure('memoir_drafts_waiting'), 1)
  })

  test('tell how long the oldest document has waited', async () => {
    assert.equal(await figure('memoir_learning_lag_seconds'), 0)
    const waiting = await startService({ MEMOIR_ROLE: 'serve' })
    await waiting.persona('ada-l')
    const own = await waiting.key('*')
    const note = (Text: string) =>
      waiting.call({ path: '/v1/memory', key: own, body: { DomainName: 'ada-l', Text, SourceName: 'notes' } })
    await note('The ladder stands in the shed.')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await note('The key is under the pot.')
    const { body } = await waiting.call({ method: 'GET', path: '/metrics' })
    const lag = parseExposition(body).find(({ name }) => name === 'memoir_learning_lag_seconds')!.samples[0]!.value
    assert.ok(lag >= 0.3 && lag < 60, String(lag))
    assert.match(body, /memoir_documents_to_learn\{state="waiting"\} 2\n/)
    await waiting.close()
  })

  test('count calls to models that failed', async () => {
    assert.equal(await figure('memoir_model_failures_total', { model: 'chat' }), 0)
    assert.equal(await figure('memoir_model_failures_total', { model: 'reader' }), 0)
    model.say({ status: 401, body: '{}' })
    await service.admin('PATCH', '/personas/ada-l', {
      model: { provider: 'openai-compatible', url: model.url, name: 'small' },
    })
    await post('message', { Text: 'Where is the ladder?' })
    assert.equal(await figure('memoir_model_failures_total', { model: 'chat' }), 1)
  })

  test('know the size of the store', async () => {
    const bytes = (await figure('memoir_store_bytes'))!
    const least = isOnPostgres ? 1_000_000 : statSync(join(service.folder, 'memoir.db')).size
    assert.ok(bytes >= least, `${bytes} of ${least}`)
  })

  test('are told as far as they can be when the store does not answer', async () => {
    const url = await newDatabase()
    const gone = await startService({ MEMOIR_DATABASE_URL: url })
    await dropDatabase(url)
    const { status, body } = await gone.call({ method: 'GET', path: '/metrics' })
    assert.equal(status, 200)
    const names = parseExposition(body).flatMap(({ name, samples }) => (samples.length > 0 ? [name] : []))
    assert.ok(names.includes('memoir_replies_total') && !names.includes('memoir_drafts_waiting'))
    await gone.close()
  })
})

describe('the Grafana dashboard', () => {
  type Panel = { id: number; title: string; type: string; targets?: { expr: string; refId: string }[]; gridPos: object }
  const dashboard = JSON.parse(readFileSync(new URL('../deploy/grafana-dashboard.json', import.meta.url), 'utf8'))
  const panels: Panel[] = dashboard.panels
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  test('asks only for figures that there are, by the labels they have', async () => {
    const all = await figures()
    const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] }
    const known = new Map(
      all.flatMap(({ name, type, samples }) =>
        suffixes[type as keyof typeof suffixes].map((suffix) => [
          name + suffix,
          new Set(['job', 'instance', ...samples.flatMap(({ labels }) => Object.keys(labels))]),
        ]),
      ),
    )
    for (const expr of expressions) {
      const asked = [...expr.matchAll(/([a-z_0-9]+)\{([^}]*)\}/g)]
      assert.ok(asked.length > 0, expr)
      for (const [, name, matchers] of asked) {
        assert.ok(known.has(name!), `there is no ${name}`)
        const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []
        for (const label of [...matchers!.matchAll(/(\w+)=/g)].map(([, label]) => label!).concat(grouped))
          assert.ok(known.get(name!)!.has(label), `${name} has no label ${label}`)
      }
    }
  })

  test('shows every figure of our own', async () => {
    const shown = expressions.join(' ')
    for (const { name } of await figures()) if (name.startsWith('memoir_')) assert.ok(shown.includes(name), name)
  })

  test('has panels that Grafana can tell apart and place', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { gridPos } of panels) assert.ok(Object.values(gridPos).every(Number.isInteger))
    assert.equal(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size, panels.length)
  })
})

async function dropDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'postgres') })
  await client.connect()
  await client.query(`drop database "${new URL(url).pathname.slice(1)}" with (force)`)
  await client.end()
}
