// `memoir doctor`: each thing that can be wrong with a set-up is found, and comes with what to do.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { examine } from '../src/doctor/doctor.ts'
import type { Finding } from '../src/doctor/finding.ts'
import { examineService } from '../src/doctor/service.ts'
import { openStore, rotateStoreKey } from '../src/stores.ts'
import { newDatabase, startPostgres } from './postgres-server.ts'
import { scriptedModel } from './scripted-model.ts'
import { ADMIN_KEY, startService, temporaryFolder } from './started.ts'

const service = await startService()
const folder = temporaryFolder()
const quiet = { MEMOIR_DATA: join(folder, 'data'), MEMOIR_PORT: '0' }

async function found(about: string, env: Record<string, string>, at = folder): Promise<Finding> {
  const findings = await Array.fromAsync(examine({ ...quiet, ...env }, at))
  for (const { state, todo } of findings) assert.equal(state === 'well', todo === undefined)
  const one = findings.find((finding) => finding.about === about)
  assert.ok(one, `${about} is not among ${findings.map((finding) => finding.about).join(', ')}`)
  return one
}

const is = ({ state, says, todo }: Finding, expected: Finding['state'], sentence: RegExp) => {
  assert.equal(state, expected, says)
  assert.match(`${says} ${todo ?? ''}`, sentence)
}

describe('a set-up', () => {
  test('that is new has nothing bad', async () => {
    const findings = await Array.fromAsync(examine(quiet, folder))
    assert.deepEqual(
      findings.filter(({ state }) => state === 'bad'),
      [],
    )
    assert.ok(findings.length > 10)
  })

  test('with a wrong setting', async () =>
    is(await found('settings', { MEMOIR_PROT: '1' }), 'bad', /no setting MEMOIR_PROT/))

  test('with a data folder that is a file, or open to others', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    is(await found('data folder', { MEMOIR_DATA: file }), 'bad', /is a file/)
    const open = join(folder, 'open')
    mkdirSync(open)
    chmodSync(open, 0o755)
    is(await found('data folder', { MEMOIR_DATA: open }), 'look', /chmod 700/)
  })

  test('whose port is taken, by another program or by Memoir', async () => {
    const other = createServer((socket) => socket.end('no HTTP')).listen(0, '127.0.0.1')
    after(() => other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    is(await found('port', { MEMOIR_PORT: String(port) }), 'bad', /used by another program.*MEMOIR_PORT/)
    is(await found('port', { MEMOIR_PORT: new URL(service.url).port }), 'well', /A Memoir answers/)
  })

  test('that is not encrypted, or is, with this key or another one', async () => {
    const keyFile = (name: string) => {
      const file = join(folder, name)
      writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
      return file
    }
    const data = join(folder, 'encrypted')
    mkdirSync(data, { mode: 0o700 })
    const env = { MEMOIR_DATA: data, MEMOIR_ENCRYPTION_KEY_FILE: keyFile('owner.key') }
    const encryption = (given: Record<string, string>) => found('encryption', given)
    is(await encryption({ MEMOIR_DATA: data }), 'well', /^Off:/)
    is(await encryption(env), 'well', /from the first start/)
    await (await openStore(readConfig(env))).close()
    is(await encryption(env), 'well', /^On; the key of the settings opens it/)
    is(await encryption({ MEMOIR_DATA: data }), 'bad', /is encrypted: name its key/)
    is(await encryption({ ...env, MEMOIR_ENCRYPTION_KEY_FILE: keyFile('other.key') }), 'bad', /with another key/)
    is(await encryption({ ...env, MEMOIR_ENCRYPTION_KEY_FILE: '/nowhere' }), 'bad', /cannot be used/)
    rotateStoreKey(readConfig(env), undefined)
    is(await encryption(env), 'well', /encrypts everything anew/)
    const plain = join(folder, 'plain')
    mkdirSync(plain, { mode: 0o700 })
    await (await openStore(readConfig({ MEMOIR_DATA: plain }))).close()
    is(await encryption({ ...env, MEMOIR_DATA: plain }), 'bad', /is not encrypted yet.*memoir encrypt/)
    is(await encryption({ MEMOIR_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }), 'well', /up to its server/)
  })

  test('whose store is newer, damaged, of PostgreSQL, or not there', async () => {
    const data = join(folder, 'stores')
    mkdirSync(data, { mode: 0o700 })
    const db = new DatabaseSync(join(data, 'memoir.db'))
    db.exec('create table t (a); pragma user_version = 999')
    db.close()
    is(await found('store', { MEMOIR_DATA: data }), 'bad', /newer Memoir/)
    writeFileSync(join(data, 'memoir.db'), 'no database at all, but long enough to be read as one'.repeat(20))
    is(await found('store', { MEMOIR_DATA: data }), 'bad', /cannot be used.*memoir restore/)
    is(await found('store', { MEMOIR_DATABASE_URL: await newDatabase() }), 'well', /prepared on the first start/)
    const nowhere = 'postgres://memoir:hush@127.0.0.1:1/memoir'
    const gone = await found('store', { MEMOIR_DATABASE_URL: nowhere })
    is(gone, 'bad', /127\.0\.0\.1:1 cannot be used.*Start it/)
    assert.doesNotMatch(JSON.stringify(gone), /hush/)
    const unchecked = await startPostgres({}, ['--no-data-checksums'])
    is(await found('store', { MEMOIR_DATABASE_URL: unchecked.url }), 'look', /no checksums of its pages.*pg_checksums/)
    await unchecked.stop()
  })

  test('whose chat model answers, or does not', async () => {
    const model = await scriptedModel()
    model.say({ deltas: ['Yes.'] })
    const chat = { MEMOIR_CHAT_URL: model.url, MEMOIR_CHAT_MODEL: 'small' }
    is(await found('chat model', chat), 'well', /began to answer/)
    const gone = { MEMOIR_CHAT_URL: 'http://127.0.0.1:1/v1', MEMOIR_CHAT_MODEL: 'small' }
    is(await found('chat model', gone), 'look', /does not answer.*MEMOIR_CHAT_URL/)
  })

  test('whose backups are none, old, or on the same disk', async () => {
    is(await found('backups', {}), 'look', /MEMOIR_BACKUP_DIR/)
    const backups = join(folder, 'backups')
    mkdirSync(backups)
    const file = join(backups, 'memoir-2026-11-01T00-00-00Z.backup')
    writeFileSync(file, '')
    is(await found('backups', { MEMOIR_BACKUP_DIR: backups, MEMOIR_DATA: folder }), 'look', /another disk/)
    const old = Date.now() / 1000 - 3 * 24 * 60 * 60
    utimesSync(file, old, old)
    is(await found('backups', { MEMOIR_BACKUP_DIR: backups }), 'bad', /72 hours old.*log/)
  })

  test('whose secrets others can read or guess', async () => {
    is(await found('admin key', { MEMOIR_ADMIN_KEY: 'changeme-changeme' }), 'bad', /can be guessed/)
    is(await found('admin key', { MEMOIR_ADMIN_KEY: '8fJq2LxWnRk0TzYv' }), 'look', /out of the environment/)
    const env = temporaryFolder()
    writeFileSync(join(env, '.env'), 'MEMOIR_ADMIN_KEY=…', { mode: 0o644 })
    is(await found('the settings', {}, env), 'look', /chmod 600/)
  })
})

test('a service elsewhere: whether it is ready, and what the key is for', async () => {
  const of = (url: string, key?: string) => Array.fromAsync(examineService(url, key))
  const keyIn = (findings: Finding[]) => findings.find(({ about }) => about === 'key')!
  is(keyIn(await of(service.url, ADMIN_KEY)), 'well', /every command works/)
  await service.persona('ada-l')
  const { id } = (await service.store.personas.byDomainName('ada-l'))!
  await service.store.personas.update(id, { calibration: { slope: 1, shift: 0, labels: 20, at: '' } })
  is((await of(service.url)).find(({ about }) => about === 'scores')!, 'look', /1 personas .+ another reader/)
  is(keyIn(await of(service.url, await service.key(['ada-l']))), 'look', /a persona's key/)
  is(keyIn(await of(service.url, 'wrong')), 'bad', /does not know/)
  is((await of('http://127.0.0.1:1'))[0]!, 'bad', /Nothing answers/)
})

test('its exit code says whether Memoir can work, and programs read JSON', async () => {
  const run = (env: Record<string, string>): Promise<{ code: number; ok: boolean }> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        ['src/cli/main.ts', 'doctor', '--json'],
        { env: { ...process.env, MEMOIR_DATABASE_URL: '', ...quiet, ...env } },
        (error, out) => resolve({ code: error ? Number(error.code) : 0, ok: JSON.parse(out).ok }),
      ),
    )
  assert.deepEqual(await run({}), { code: 0, ok: true })
  assert.deepEqual(await run({ MEMOIR_PORT: 'x' }), { code: 1, ok: false })
})
