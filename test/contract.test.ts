// The committed description is the one the code would write.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApi } from '../src/contract/openapi.ts'
import { startService } from './started.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('openapi.json is up to date (npm run openapi)', () => {
  assert.deepEqual(JSON.parse(read('openapi.json')), JSON.parse(JSON.stringify(openApi())))
})

test('the description holds no marks of our own', () => {
  assert.doesNotMatch(JSON.stringify(openApi()), /nullCounts|blankCounts/)
})

test('every field of a body says what it means', () => {
  for (const [path, methods] of Object.entries(openApi().paths))
    for (const operation of Object.values(methods as object)) {
      const fields = operation.requestBody?.content['application/json']?.schema.properties ?? {}
      for (const [name, field] of Object.entries<{ description?: string }>(fields))
        assert.ok(field.description, `${name} of ${path}`)
    }
})

test('the service describes itself, offline', async () => {
  const service = await startService()
  const description = await service.call({ method: 'GET', path: '/openapi.json' })
  assert.equal(description.body.openapi, '3.1.0')
  for (const path of ['/v1/message', '/v1/update-document', '/admin/personas', '/admin/keys'])
    assert.ok(description.body.paths[path], path)
  const page = await service.call({ method: 'GET', path: '/docs' })
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  assert.match(page.body, /\/v1\/message/)
  assert.doesNotMatch(page.body, /<script|src="http|href="http/)
  assert.deepEqual((await service.call({ method: 'GET', path: '/healthz' })).body, { status: 'ok' })
  assert.equal((await service.call({ method: 'GET', path: '/readyz' })).status, 200)
  const metrics = await service.call({ method: 'GET', path: '/metrics' })
  assert.match(metrics.body, /memoir_request_seconds_bucket\{.*operation="\/healthz"/)
  assert.match(metrics.body, /memoir_documents_to_learn\{state="waiting"\} 0/)
})
