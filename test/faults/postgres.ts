// A service on PostgreSQL that is killed at a commit: before it is sent, or when it is done and nobody has heard of it.
// Between two commits nothing can be told apart: what is not committed is gone with its connection.
import assert from 'node:assert/strict'
import pg from 'pg'
import { postgresSnapshot } from '../../src/store/postgres/snapshot.ts'
import { ask } from '../postgres-server.ts'
import type { Made, Operation } from './operations.ts'
import { type Running, startOn } from './running.ts'
import { difference, type View, viewIn } from './view.ts'

export type Point = { commit: number; when: 'before' | 'after' }
type Walk = { base: string; folder: string; made: Made }

// What one process has open. `at`: where it is killed, if it is.
type Life = { clients: Set<pg.Client>; commits: number; isDead: boolean; at?: Point | undefined; onKilled?: () => void }
let life: Life = { clients: new Set(), commits: 0, isDead: false }
const lives = new WeakMap<pg.Client, Life>()
const writing = new WeakSet<pg.Client>()

const begin = (at?: Point): { life: Life; killed: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  life = { clients: new Set(), commits: 0, isDead: false, at, onKilled: resolve }
  return { life, killed: promise }
}

function kill(one: Life): void {
  one.isDead = true
  for (const client of one.clients)
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  one.onKilled?.()
}

// A process that was killed does nothing any more: whatever it asks stays without an answer.
const nothing = () => new Promise<never>(() => {})

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped alike
type Any = (...given: any[]) => any
const client = pg.Client.prototype as unknown as Record<'connect' | 'query', Any>
const { connect, query } = client

client.connect = function (this: pg.Client, ...given: unknown[]) {
  if (!lives.has(this)) lives.set(this, life)
  const mine = lives.get(this)!
  mine.clients.add(this)
  return mine.isDead ? nothing() : connect.apply(this, given)
}

client.query = function (this: pg.Client, ...given: unknown[]) {
  const mine = lives.get(this)
  if (mine?.isDead) return nothing()
  const [first] = given as [string | { text?: string }]
  const text = (typeof first === 'string' ? first : first?.text) ?? ''
  if (/^\s*(insert|update|delete)\b/i.test(text)) writing.add(this)
  // One that wrote nothing is no commit to be killed at.
  if (!mine || text.toLowerCase() !== 'commit' || !writing.delete(this)) return query.apply(this, given)
  const isIt = ++mine.commits === mine.at?.commit
  if (isIt && mine.at!.when === 'before') {
    kill(mine)
    return nothing()
  }
  const done = query.apply(this, given) as Promise<unknown>
  if (!isIt) return done
  return done.then(() => {
    kill(mine)
    return nothing()
  })
}

// How many commits the operation takes with all that is learned after it, and what they change.
export async function recordCommits(operation: Operation, walk: Walk) {
  const url = await copyOf(walk.base)
  const { life: alive } = begin()
  const service = await startOn(walk.folder, url)
  const before = await view(url)
  const first = alive.commits
  await operation.act(service, walk.made)
  await service.learned()
  const commits = alive.commits - first
  await service.close()
  const after = await view(url)
  assert.notDeepEqual(after, before, `${operation.name} changes nothing`)
  return { commits, before, after }
}

export type Recorded = Awaited<ReturnType<typeof recordCommits>>

export async function killAt(operation: Operation, walk: Walk, at: Point, known: Recorded) {
  const url = await copyOf(walk.base)
  const { life: alive, killed } = begin()
  const service = await startOn(walk.folder, url)
  alive.at = { ...at, commit: alive.commits + at.commit }
  let acknowledged = false
  const acting = operation.act(service, walk.made).then(
    () => {
      acknowledged = true
    },
    () => {},
  )
  // Where it came to fewer commits this time, it is killed at its end.
  const ended = acting.then(() => service.learned()).then(() => kill(alive))
  await Promise.race([killed, ended])
  await new Promise((resolve) => setTimeout(resolve, 20)) // an answer that was sent arrives
  const wasAcknowledged = acknowledged
  service.server.server.closeAllConnections()
  service.server.server.close()
  await acting
  begin()
  // As if its leases had run out.
  await ask(url, 'update documents set lease_until = 0, due_at = 0 where lease is not null')
  const where = `${operation.name}, killed ${at.when} commit ${at.commit}, ${wasAcknowledged ? '' : 'not '}acknowledged`
  return judge(operation, walk, { url, where, wasAcknowledged }, known)
}

type Killed = { url: string; where: string; wasAcknowledged: boolean }

async function judge(operation: Operation, walk: Walk, { url, where, wasAcknowledged }: Killed, known: Recorded) {
  const again: Running = await startOn(walk.folder, url)
  try {
    await again.learned()
    const { body } = await again.admin('GET', '/audit/verify')
    assert.ok(body.is_whole, `${where}: the audit record is broken`)
    const found = await view(url)
    if (same(found, known.after)) return 'whole'
    assert.ok(!wasAcknowledged, `${where}: lost\n${difference(found, known.after)}`)
    const isBefore = same(found, known.before)
    if (!operation.inParts) assert.ok(isBefore, `${where}: half\n${difference(found, known.before)}`)
    // Whoever got no answer asks again.
    await operation.act(again, walk.made)
    await again.learned()
    assert.equal(difference(await view(url), known.after), '', `${where}: not whole when done again`)
    return isBefore ? 'none' : 'in part'
  } finally {
    await again.close()
  }
}

const same = (one: View, other: View): boolean => difference(one, other) === ''

const view = async (url: string): Promise<View> => viewIn(await postgresSnapshot(url))

let copies = 0
async function copyOf(base: string): Promise<string> {
  const [, name] = /\/([^/]+)$/.exec(base)!
  const copy = `${name}_copy_${copies++}`
  await ask(base.replace(/[^/]+$/, 'postgres'), `create database ${copy} template ${name}`)
  return base.replace(/[^/]+$/, copy)
}
