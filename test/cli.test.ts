// The command line, in process on a data folder and against a running service: the same commands, the same answers.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { zipped } from '../src/extract/collections/test-samples.ts'
import { startReceiver, verify } from './receiver.ts'
import { ADMIN_KEY, startService, storedIn, temporaryFolder } from './started.ts'

type Ran = { out: string; err: string; code: number }

function runner(env: Record<string, string>) {
  return (args: string[], input?: string): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ['src/cli/main.ts', ...args],
        { env: { ...process.env, ...env } },
        (error, out, err) => resolve({ out, err, code: error ? Number(error.code) : 0 }),
      )
      child.stdin?.end(input)
    })
}

const remote = await startService({ MEMOIR_ALLOW_PRIVATE_URLS: '1' })
const receiver = await startReceiver()
const folder = temporaryFolder()
const places = {
  'in process': runner({ ...(await storedIn(folder)), MEMOIR_ALLOW_PRIVATE_URLS: '1' }),
  remotely: runner({ MEMOIR_URL: remote.url, MEMOIR_KEY: ADMIN_KEY, MEMOIR_ADMIN_KEY: ADMIN_KEY }),
}

for (const [place, memoir] of Object.entries(places)) {
  describe(place, () => {
    test('a persona is created, changed, listed, shown and deleted', async () => {
      const made = await memoir(['persona', 'create', 'ada-l', '--name', 'Ada', '--json'])
      assert.equal(JSON.parse(made.out).name, 'Ada')
      assert.equal(
        JSON.parse((await memoir(['persona', 'set', 'ada-l', '--threshold', '5', '--json'])).out).threshold,
        5,
      )
      const model = ['--model', 'llama3.2', '--model-url', 'http://127.0.0.1:11434/v1', '--model-key', 'secret']
      const modelled = await memoir(['persona', 'set', 'ada-l', ...model, '--json'])
      assert.equal(JSON.parse(modelled.out).model.name, 'llama3.2')
      assert.ok(!modelled.out.includes('secret'))
      assert.match((await memoir(['persona', 'set', 'ada-l', '--model-key', 'x'])).err, /--model NAME/)
      assert.equal(JSON.parse((await memoir(['persona', 'set', 'ada-l', '--model', 'none', '--json'])).out).model, null)
      assert.match((await memoir(['persona', 'list'])).out, /ada-l\s+Ada\s+5/)
      await memoir(['persona', 'create', 'brief'])
      assert.equal((await memoir(['persona', 'delete', 'brief'])).out.includes('Nothing was deleted'), true)
      assert.equal(JSON.parse((await memoir(['persona', 'delete', 'brief', '--yes', '--json'])).out).documents, 0)
      const owned = await memoir(['persona', 'set', 'ada-l', '--owner-name', 'Ada Lovelace'])
      assert.match(owned.out, /owner +name Ada Lovelace\n/)
      const missing = await memoir(['persona', 'show', 'brief'])
      assert.equal(missing.code, 1)
      assert.equal(missing.err.trim(), 'There is no persona named brief.')
    })

    test('a persona is shared, and shared no longer', async () => {
      const shared = await memoir(['persona', 'share', 'ada-l', '--message', 'Ask me later.'])
      assert.match(shared.out, /^The page:\n {2}https?:\/\/\S+\/talk\/ada-l\nNo other site may embed it/)
      const embedded = await memoir(['persona', 'share', 'ada-l', '--sources', '--origins', 'https://example.com'])
      assert.match(embedded.out, /<script src="https?:\/\/\S+\/embed\.js" data-persona="ada-l" async><\/script>/)
      const wrong = await memoir(['persona', 'share', 'ada-l', '--origins', 'example.com'])
      assert.deepEqual([wrong.code, /origin such as/.test(wrong.err)], [1, true])
      assert.match((await memoir(['persona', 'share', 'ada-l', '--off', '--sources'])).err, /--off takes no other/)
      assert.deepEqual(JSON.parse((await memoir(['persona', 'share', 'ada-l', '--off', '--json'])).out), {
        domain_name: 'ada-l',
        on: false,
        origins: ['https://example.com'],
        show_sources: true,
        default_message: 'Ask me later.',
      })
    })

    test('a trigger is created, tested, looked at, changed and deleted', async () => {
      const url = `${receiver.url}/${encodeURIComponent(place)}`
      const made = await memoir([
        'trigger',
        'create',
        'ada-l',
        'shop',
        url,
        '--on',
        'reply.sent, draft.created',
        '--json',
      ])
      const { id, secret } = JSON.parse(made.out)
      assert.equal((await memoir(['trigger', 'test', 'ada-l', id])).out, 'Delivered: status 200.\n')
      const [received] = await receiver.until(new URL(url).pathname, 1)
      assert.equal(verify(secret, received!).type, 'trigger.test')
      assert.match((await memoir(['trigger', 'deliveries', 'ada-l', id])).out, /trigger\.test\s+sent\s+1\s+200/)
      const again = JSON.parse((await memoir(['trigger', 'redeliver', 'ada-l', received!.id, '--json'])).out)
      assert.deepEqual([again.state, again.attempts], ['sent', 2])
      assert.match((await memoir(['trigger', 'set', 'ada-l', id, '--switch', 'off', '--name', 'till'])).out, /till/)
      assert.match((await memoir(['trigger', 'list', 'ada-l'])).out, /till\s+off\s+\*\s+reply\.sent, draft\.created/)
      // A process for each command takes its time, so the rest is run in one place.
      if (place === 'remotely') {
        assert.equal(JSON.parse((await memoir(['trigger', 'delivery', 'ada-l', received!.id])).out).log.length, 2)
        assert.match(
          (await memoir(['trigger', 'set', 'ada-l', id, '--switch', 'maybe'])).err,
          /is_on must be true or false/,
        )
        assert.match((await memoir(['trigger', 'rotate', 'ada-l', id])).out, /^whsec_/)
        assert.match((await memoir(['trigger', 'redeliver', 'ada-l', id, '--failed'])).out, /^0 set/)
        assert.match((await memoir(['trigger', 'create', 'ada-l', 'x', 'nonsense'])).err, /not a valid URL/)
        const strict = await memoir(['persona', 'set', 'ada-l', '--requires-source-name', 'yes', '--json'])
        assert.equal(JSON.parse(strict.out).requires_source_name, true)
        await memoir(['persona', 'set', 'ada-l', '--requires-source-name', 'no'])
      }
      assert.equal((await memoir(['trigger', 'delete', 'ada-l', id])).out, 'Deleted.\n')
    })

    test('a key is created, listed and revoked', async () => {
      const made = JSON.parse((await memoir(['key', 'create', 'ada-l', '--scopes', 'message,read', '--json'])).out)
      assert.match(made.key, /^memoir_/)
      const listed = (await memoir(['key', 'list'])).out
      assert.ok(listed.includes(made.id) && !listed.includes(made.key))
      assert.match((await memoir(['key', 'revoke', made.id])).out, /Revoked/)
      assert.equal((await memoir(['key', 'revoke', made.id])).code, 1)
    })
  })
}

// Remotely, talking takes a persona's key, and watching the work the admin key.
test('files, texts and questions, both ways', async () => {
  const talkers = {
    'in process': places['in process'],
    remotely: runner({ MEMOIR_URL: remote.url, MEMOIR_KEY: await remote.key(['ada-l']), MEMOIR_ADMIN_KEY: ADMIN_KEY }),
  }
  const file = join(folder, 'cats.md')
  writeFileSync(file, '# Cats\n\nThe cat Turing sleeps on the radiator.')
  const papers = await zipped({ 'a.txt': 'The dog Hopper sleeps in the hall.', 'b.txt': 'The rest.' })
  const cutOff = join(folder, 'papers.zip')
  writeFileSync(cutOff, papers.subarray(0, papers.indexOf('b.txt') - 30))
  for (const memoir of Object.values(talkers)) {
    assert.match((await memoir(['learn', 'ada-l', file])).out, /Learned Cats/)
    assert.match(
      (await memoir(['learn', 'ada-l', '-', '--title', 'Dogs'], 'The dog Babbage sleeps in the hall.')).out,
      /Learned Dogs/,
    )
    const reply = JSON.parse(
      (await memoir(['ask', 'ada-l', 'Where does the cat Turing sleep?', '--session', 's', '--json'])).out,
    )
    assert.match(reply.ai_message, /radiator/)
    assert.match(
      (await memoir(['history', 'ada-l', 's'])).out,
      /user: Where does the cat[\s\S]*Ada \([\d.]+ %\): The cat/,
    )
    assert.match((await memoir(['documents', 'ada-l'])).out, /Dogs\s+text\s+ready/)
    assert.match(
      (await memoir(['learn', 'ada-l', cutOff])).out,
      /Learned papers\.zip\n.*zip ends early: 1 file was read/,
    )
    const missing = await memoir(['learn', 'ada-l', 'no-such-file'])
    assert.match(missing.err, /neither a file nor a URL/)
    const empty = join(folder, 'empty')
    mkdirSync(empty, { recursive: true })
    const some = await memoir(['learn', 'ada-l', 'no-such-file', empty, file])
    assert.equal(some.code, 1)
    assert.match(some.err, /neither a file nor a URL[\s\S]*holds no files[\s\S]*Not learned: no-such-file, /)
    assert.match(some.out, /Learned Cats/)
  }
})

test('the owner of the data folder is told that a name is wrong; callers of a service are not', async () => {
  const local = await places['in process'](['ask', 'ada-k', 'Hello'])
  assert.match(local.err, /(?:^|made there\..*\n)There is no persona named ada-k\.\n$/)
  const called = runner({ MEMOIR_URL: remote.url, MEMOIR_KEY: await remote.key('*') })
  assert.match(
    (await called(['ask', 'ada-k', 'Hello'])).err,
    /^AI message api unauthorized\.\nIs MEMOIR_KEY a key for this\?/,
  )
})

test('a verdict is given and taken back, never by leaving it out', async () => {
  const memoir = places['in process']
  const [{ id }] = JSON.parse((await memoir(['replies', 'ada-l', '--json'])).out).replies
  const judge = (...verdict: string[]) => memoir(['judge', 'ada-l', id, ...verdict])
  assert.match((await judge('--right')).out, /Judged right/)
  assert.match((await judge()).err, /--right or --wrong/)
  assert.match((await memoir(['replies', 'ada-l'])).out, /right/)
  assert.match((await judge('--none')).out, /taken back/)
  assert.equal((await judge('--right', '--wrong')).code, 1)
})

test('help lists every setting; a wrong one is explained without a stack', async () => {
  const memoir = runner({})
  assert.match((await memoir(['--help'])).out, /MEMOIR_RATE_LIMIT[\s\S]*MEMOIR_TLS_CERT/)
  const wrong = await runner({ MEMOIR_PORT: 'x' })(['persona', 'list'])
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /^MEMOIR_PORT must be a whole number/)
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const misplaced = await runner({ MEMOIR_DATA: file, MEMOIR_DATABASE_URL: '' })(['persona', 'list'])
  assert.match(misplaced.err, /^MEMOIR_DATA=.* cannot be used: EEXIST/)
  const nowhere = await runner({ MEMOIR_DATA: '/proc/memoir/data', MEMOIR_DATABASE_URL: '' })(['persona', 'list'])
  if (process.platform === 'linux') assert.match(nowhere.err, /^MEMOIR_DATA=.* cannot be used: ENOENT/)
  const bare = await runner({ MEMOIR_TLS_CERT: join(folder, 'no.pem'), MEMOIR_TLS_KEY: file })(['serve'])
  assert.match(bare.err, /^MEMOIR_TLS_CERT=.* cannot be used: ENOENT/)
  const alone = await runner({ MEMOIR_DATABASE_URL: 'postgres://memoir:secret@127.0.0.1:1/memoir' })([
    'persona',
    'list',
  ])
  assert.match(alone.err, /^MEMOIR_DATABASE_URL cannot be used: no database answers at 127\.0\.0\.1:1 /)
  assert.doesNotMatch(alone.err, /secret/)
  const nobody = await runner({ MEMOIR_URL: 'http://127.0.0.1:1', MEMOIR_KEY: 'x' })(['persona', 'list'])
  assert.match(nobody.err, /No Memoir answers/)
  const noAddress = await runner({ MEMOIR_URL: 'localhost:8787', MEMOIR_KEY: 'x' })(['persona', 'list'])
  assert.equal(noAddress.err, 'MEMOIR_URL must look like http://127.0.0.1:8787; it is “localhost:8787”.\n')
  const fresh = await runner({ MEMOIR_DATA: join(folder, 'fresh'), MEMOIR_DATABASE_URL: '' })(['persona', 'list'])
  assert.match(fresh.err, /fresh held nothing, so a new store is made there\./)
})

test('a port that is taken ends the start with a sentence and a code', async () => {
  const port = new URL(remote.url).port
  const taken = await runner({ ...(await storedIn(temporaryFolder())), MEMOIR_PORT: port })(['serve'])
  assert.equal(taken.code, 1)
  assert.equal(taken.err.trim(), `Port ${port} is in use. Set MEMOIR_PORT to another one, or stop what listens there.`)
})

test('a withheld reply is told as what it is, remotely, too', async () => {
  await remote.persona('careful', { threshold: 100 })
  const memoir = runner({ MEMOIR_URL: remote.url, MEMOIR_KEY: await remote.key(['careful']) })
  const { err, code } = await memoir(['ask', 'careful', 'Who won the regatta of 1990?'])
  assert.equal(code, 1)
  assert.match(err, /waits as a draft for the owner/)
})
