// The failover drill: `npm run drill`, as root on a Debian with patroni, etcd-server, haproxy and postgresql-15. Two Memoir
// processes write through haproxy to three nodes with synchronous replication; the primary is killed under load, twice.
// Its log is kept in drill.md beside it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callAgainAndAgain, newTally, reckon } from '../callers.ts'
import { kill, type Launched, launch } from '../launched.ts'
import { startCluster } from './cluster.ts'

const ADMIN_KEY = 'admin-key-of-the-drill'
const CALLERS = 4
const CALM_S = 15
const AFTER_KILL_S = 50

const began = Date.now()
const lines: string[] = []
const log = (line: string) => {
  const at = `${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s`
  lines.push(`${at}  ${line}`)
  console.log(`${at}  ${line}`)
}
const seconds = (s: number) => new Promise((resolve) => setTimeout(resolve, s * 1000))
const until = async (what: string, is: () => Promise<boolean>) => {
  for (let tries = 0; !(await is()); tries++) {
    if (tries > 240) throw new Error(`never: ${what}`)
    await seconds(0.5)
  }
  log(what)
}

const cluster = await startCluster()
const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'memoir-drill-')))
const processes: Launched[] = []
try {
  await until('three nodes, one of them primary, one of them synchronous', async () => {
    const members = await cluster.members()
    return /leader/.test(members) && /sync_standby/.test(members) && members.split(', ').length === 3
  })
  log(await cluster.members())
  for (const folder of folders) {
    const env = {
      MEMOIR_DATABASE_URL: cluster.url,
      MEMOIR_DATA: folder,
      MEMOIR_ADMIN_KEY: ADMIN_KEY,
      MEMOIR_RATE_LIMIT: '0',
    }
    processes.push(await launch({ ...env, MEMOIR_READER: '0' }))
  }
  log('two Memoir processes answer')
  const admin = async (path: string, body: object) => {
    const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' }
    const answer = await fetch(`${processes[0]!.url}/admin${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { key: string }
  }
  await admin('/personas', { domain_name: 'ada-l', name: 'Ada' })
  const { key } = await admin('/keys', { personas: ['ada-l'] })

  let over = false
  const tally = newTally()
  const service = { urls: () => processes.map(({ url }) => url), key, isOver: () => over }
  const callers = Array.from({ length: CALLERS }, (_, n) => callAgainAndAgain(service, n, tally))
  // The longest time in which nothing was acknowledged.
  let acknowledged = 0
  let lastAt = Date.now()
  let longestGapMs = 0
  const watch = setInterval(() => {
    if (tally.acknowledged.size > acknowledged) {
      longestGapMs = Math.max(longestGapMs, Date.now() - lastAt)
      acknowledged = tally.acknowledged.size
      lastAt = Date.now()
    }
  }, 50)
  const counts = () =>
    `${tally.acknowledged.size} acknowledged; answers so far ${JSON.stringify(Object.fromEntries(tally.statuses))}`

  for (const round of [1, 2]) {
    await seconds(CALM_S)
    log(counts())
    const primary = (await cluster.primary())!
    longestGapMs = 0
    cluster.killNode(primary)
    log(`round ${round}: the primary ${primary} is killed, with its patroni`)
    await until('another node is primary', async () => ![primary, undefined].includes(await cluster.primary()))
    await seconds(AFTER_KILL_S - CALM_S)
    log(`acknowledgements paused for ${(longestGapMs / 1000).toFixed(1)} s; ${counts()}`)
    cluster.startNode(primary)
    await until(`${primary} is back as a replica`, async () =>
      new RegExp(`${primary} (?:sync_standby|replica) \\((?:streaming|running)\\)`).test(await cluster.members()),
    )
    log(await cluster.members())
  }
  over = true
  await Promise.all(callers)
  clearInterval(watch)
  const found = await reckon({ url: processes[0]!.url, key, adminKey: ADMIN_KEY }, tally)
  log(counts())
  log(
    `all ${tally.acknowledged.size} acknowledged writes and messages are there; ${found.documents} documents and ${found.memories} memories, each once`,
  )
  for (const one of processes) await kill(one, 'SIGTERM')
  log(`both processes stopped cleanly: ${processes.map(({ child }) => child.exitCode).join(', ')}`)
  const about = [
    '# The failover drill',
    '',
    'Made by `npm run drill` (test/failover): three PostgreSQL 15 nodes under patroni 3.0 with synchronous replication, three etcd',
    'nodes, haproxy, two Memoir processes, four callers that write and ask without a pause. Everything on one machine.',
    '',
    '```',
    ...lines,
    '```',
    '',
  ]
  writeFileSync(new URL('drill.md', import.meta.url), about.join('\n'))
} finally {
  for (const one of processes) await kill(one)
  cluster.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
