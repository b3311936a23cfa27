// The audit record: what was done is in it, without a text; it only grows, and what was changed in it shows.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { ADMIN_KEY, isOnPostgres, startService } from './started.ts'

type Entry = { number: number; who: string; what: string; on: string; from: string; outcome: string; hash: string }

const service = await startService({ MEMOIR_READER: '0' })
const latest = async (limit = 200): Promise<Entry[]> => (await service.admin('GET', `/audit?limit=${limit}`)).entries
const verify = () => service.admin('GET', '/audit/verify')

async function change(statement: string): Promise<void> {
  if (isOnPostgres) {
    const client = new pg.Client(service.databaseUrl)
    await client.connect()
    await client.query(statement).finally(() => client.end())
    return
  }
  const db = new DatabaseSync(join(service.folder, 'memoir.db'))
  try {
    db.exec(statement)
  } finally {
    db.close()
  }
}

describe('the audit record', () => {
  test('tells who did what, on what and from where, and with which outcome', async () => {
    await service.persona('ada-l')
    const { id, key } = await service.admin('POST', '/keys', { personas: ['ada-l'], name: 'secret name' })
    const body = { DomainName: 'ada-l', Text: 'The words of a memory.', SourceName: 'test' }
    await service.call({ path: '/v1/memory', key, body })
    await service.call({ path: '/v1/message', key, body: { ...body, is_stack: true } })
    await service.call({ method: 'DELETE', path: '/admin/personas/nobody', key: ADMIN_KEY })
    await service.call({ path: '/console/session', body: { key: 'admin-key-that-is-wrong' } })
    await service.call({ path: '/console/session', body: { key: ADMIN_KEY } })

    const entries = (await latest(8)).reverse()
    assert.deepEqual(
      entries.map(({ who, what, on, outcome }) => [who, what, on, outcome]),
      [
        ['service', 'start', '', 'done'],
        ['owner', 'createPersona', 'ada-l', 'done'],
        ['owner', 'createKey', '', 'done'],
        [id, 'memory', 'ada-l', 'done'],
        [id, 'message', 'ada-l', 'done'],
        ['owner', 'deletePersona', 'nobody', 'not_found'],
        ['nobody', 'signIn', '', 'unauthorized'],
        ['owner', 'signIn', '', 'done'],
      ],
    )
    assert.match(entries[1]!.from, /127\.0\.0\.1|::1/)
    assert.doesNotMatch(JSON.stringify(entries), /words of a memory|secret name|admin-key/)
  })

  test('does not grow by looking, nor by talking', async () => {
    const [before] = await latest(1)
    await service.admin('GET', '/personas')
    await service.admin('GET', '/keys')
    const key = await service.key(['ada-l'])
    await service.call({ path: '/v1/message', key, body: { DomainName: 'ada-l', Text: 'Hello' } })
    assert.equal((await latest(1))[0]!.number, before!.number + 1)
  })

  test('comes in pages', async () => {
    const { entries, next } = await service.admin('GET', '/audit?limit=2')
    const after = await service.admin('GET', `/audit?limit=2&before=${next}`)
    assert.equal(after.entries[0].number, entries[1].number - 1)
    const wrong = await service.call({ method: 'GET', path: '/admin/audit?limit=x', key: ADMIN_KEY })
    assert.equal(wrong.status, 400)
  })

  test('is written in one chain by many at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => service.persona(`many-${n}`)))
    const { is_whole, entries } = await verify()
    assert.equal(is_whole, true)
    assert.equal(entries, (await latest(1))[0]!.number)
  })

  test('is not changed or deleted from by the store', async () => {
    await assert.rejects(change(`update audit set who = 'nobody' where number = 2`), /only grows/)
    await assert.rejects(change('delete from audit where number = 2'), /only grows/)
  })

  test('shows what was changed all the same', async () => {
    const { MEMOIR_DATA, ...more } = { MEMOIR_DATA: service.folder, MEMOIR_LOG: 'silent' }
    const stored = isOnPostgres ? { MEMOIR_DATABASE_URL: service.databaseUrl! } : {}
    const env = { ...process.env, MEMOIR_DATA, ...more, ...stored }
    const run = () => promisify(execFile)(process.execPath, ['src/cli/main.ts', 'audit', 'verify'], { env })
    assert.match((await run()).stdout, /\d+ entries, all as they were written/)
    const without = isOnPostgres ? 'alter table audit disable trigger all' : 'drop trigger audit_stays'
    await change(`${without}; update audit set who = 'somebody else' where number = 4`)
    const { is_whole, broken_at } = await verify()
    assert.deepEqual({ is_whole, broken_at }, { is_whole: false, broken_at: 4 })
    await assert.rejects(run(), /The audit record was changed at entry 4/)
  })
})
