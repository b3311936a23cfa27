// Three processes on one PostgreSQL, callers that write and ask, and nothing that stays up: at the end nothing
// acknowledged is missing, and nothing is there twice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callAgainAndAgain, newTally, reckon } from './callers.ts'
import { kill, type Launched, launch, NeverStarted } from './launched.ts'
import { startPostgres } from './postgres-server.ts'
import { temporaryFolder } from './started.ts'

const PROCESSES = 3
const CALLERS = 4
const FAULTS = 9
const BETWEEN = 5 // writes acknowledged between two faults, however slow the machine is …
const LONGEST_MS = 20_000 // … unless nothing gets through
const ADMIN_KEY = 'admin-key-of-the-fault-test'

test('processes and the database fall again and again; every acknowledged write is there once', {
  timeout: 300_000,
}, async (context) => {
  const began = performance.now()
  const passed = (what: string) => context.diagnostic(`${what} at ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const database = await startPostgres()
  after(() => database.stop())
  let over = false
  const processes: (Launched | undefined)[] = []
  after(() => {
    over = true
    return Promise.all(processes.map((one) => one && kill(one)))
  })
  // One folder for all of them: uploads rest there until they are whole, and nobody clears away another's.
  const env = {
    MEMOIR_DATABASE_URL: database.url,
    MEMOIR_DATA: temporaryFolder(),
    MEMOIR_ADMIN_KEY: ADMIN_KEY,
    MEMOIR_RATE_LIMIT: '1000000',
    MEMOIR_READER: '0',
  }
  // One that starts while the database is away ends with a sentence, and whoever runs it starts it again.
  const run = async (n: number) => {
    processes[n] = undefined
    while (!over) {
      const started = await launch(env, 'ignore').catch((error) => {
        if (error instanceof NeverStarted) throw error
      })
      if (started) {
        processes[n] = started
        return
      }
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, (_, n) => run(n)))

  const admin = async (path: string, body: object) => {
    const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' }
    const answer = await fetch(`${processes[0]!.url}/admin${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: two answers of two shapes
    return (await answer.json()) as any
  }
  await admin('/personas', { domain_name: 'ada-l', name: 'Ada' })
  const { key } = await admin('/keys', { personas: ['ada-l'] })

  const tally = newTally()
  passed('three processes answer')
  const service = {
    urls: () => processes.flatMap((one) => (one ? [one.url] : [])),
    key,
    isOver: () => over,
  }
  const callers = Array.from({ length: CALLERS }, (_, n) => callAgainAndAgain(service, n, tally))
  const acknowledged = async (count: number) => {
    const until = performance.now() + LONGEST_MS
    while (tally.acknowledged.size < count && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  let starting: Promise<unknown> = Promise.resolve()
  for (let fault = 0; fault < FAULTS; fault++) {
    await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1500))
    await acknowledged(BETWEEN * (fault + 1))
    // Back at once, and once away for longer than anybody waits.
    if (fault % 3 === 2) await database.crash(fault === 5 ? 6_000 : 0)
    else {
      await starting
      const n = Math.floor(Math.random() * PROCESSES)
      await kill(processes[n]!)
      starting = run(n)
    }
  }
  await starting
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  over = true
  await Promise.all(callers)
  passed('the last fault was over')

  const found = await reckon({ url: processes[0]!.url, key, adminKey: ADMIN_KEY }, tally)
  passed('everything was learned and counted')
  assert.ok(tally.statuses.get(503)! > 0, 'nobody was told to come back')
  assert.ok(tally.acknowledged.size > 40, `too few acknowledged to mean anything: ${tally.acknowledged.size}`)
  context.diagnostic(
    `${FAULTS} faults; answers ${JSON.stringify(Object.fromEntries(tally.statuses))}; ` +
      `${tally.acknowledged.size} acknowledged, ${found.documents} documents and ${found.memories} memories, each once`,
  )
  for (const one of processes) {
    await kill(one!, 'SIGTERM')
    assert.equal(one!.child.exitCode, 0, 'asked to stop, it stops cleanly')
  }
})
