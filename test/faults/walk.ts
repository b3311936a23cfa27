// Does an operation once, keeps the files as they are before every step that writes, and then opens each of those
// states as the next start would: the operation is there whole, or not at all, and there if it was acknowledged.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Made, Operation } from './operations.ts'
import { type Running, startOn } from './running.ts'
import { watchSteps } from './steps.ts'
import { difference, type View, viewOf } from './view.ts'

// killed: whatever was written is there. power cut: only what was synced is. torn: half of the rest is, too.
export const kinds = ['killed', 'power cut', 'torn'] as const
export type Kind = (typeof kinds)[number]

export type State = { step: number; what: string; kind: Kind; acknowledged: boolean; folder: string }
export type Outcome = { operation: string; steps: number; states: number; whole: number; none: number; inParts: number }

export type Walk = { base: string; room: string; made: Made }

export async function walk(operation: Operation, given: Walk, choose: (state: number) => boolean): Promise<Outcome> {
  const live = join(given.room, 'live')
  cpSync(given.base, live, { recursive: true })
  const service = await startOn(live)
  const before = await viewOf(live)
  const { states, steps } = await record(live, { room: given.room, log: LOG }, async (acknowledge) => {
    await operation.act(service, given.made)
    acknowledge()
    await service.learned()
  })
  await service.close()
  const after = await viewOf(live)
  assert.notDeepEqual(after, before, `${operation.name} changes nothing`)
  const outcome = { operation: operation.name, steps, states: 0, whole: 0, none: 0, inParts: 0 }
  for (const [at, state] of states.entries()) {
    if (choose(at)) {
      outcome[await judge(operation, given.made, state, { before, after })]++
      outcome.states++
    }
    rmSync(state.folder, { recursive: true })
  }
  rmSync(live, { recursive: true })
  return outcome
}

export const LOG = 'memoir.db-wal'

type Recording = { room: string; log: string } // where states are kept, and which file is synced bit by bit

// The states that differ from those before them, in order.
export async function record(
  live: string,
  { room, log }: Recording,
  act: (acknowledge: () => void) => Promise<void>,
): Promise<{ states: State[]; steps: number }> {
  const states: State[] = []
  const seen = new Set<string>()
  const size = () => statSync(join(live, log), { throwIfNoEntry: false })?.size ?? 0
  let [steps, synced, acknowledged] = [0, size(), false]
  const keep = (what: string) => {
    steps++
    for (const kind of kinds) {
      const bytes = { killed: size(), 'power cut': synced, torn: Math.floor((synced + size()) / 2) }[kind]
      const known = `${acknowledged} ${bytes} ${timesOf(live)}`
      if (seen.has(known)) continue
      seen.add(known)
      const folder = join(room, `state-${states.length}`)
      cpSync(live, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) })
      const copied = join(folder, log)
      if (existsSync(copied)) truncateSync(copied, bytes)
      states.push({ step: steps, what, kind, acknowledged, folder })
    }
  }
  watchSteps({
    onStep: keep,
    begun: size,
    onSynced: (at) => {
      synced = Math.max(synced, at)
    },
  })
  try {
    await act(() => {
      acknowledged = true
    })
    keep('the end')
  } finally {
    watchSteps(undefined)
  }
  return { states, steps }
}

// Whether a file was written to since is told by its time.
function timesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !LEFT_OUT.test(name))
  return files.map((name) => `${name} ${statSync(join(folder, name), BIG)?.mtimeNs}`).join('\n')
}

const BIG = { bigint: true, throwIfNoEntry: false } as const
// Made anew by whoever opens the file.
const LEFT_OUT = /-shm$|serving\.lock/

type Judged = 'whole' | 'none' | 'inParts'

async function judge(operation: Operation, made: Made, state: State, known: { before: View; after: View }) {
  const { step, what, kind, acknowledged, folder } = state
  const where = `${operation.name}, ${kind} at step ${step} (${what}), ${acknowledged ? '' : 'not '}acknowledged`
  const service = await startOn(folder).catch((error) => assert.fail(`${where}: does not open: ${error.message}`))
  try {
    await service.learned()
    const found = await look(service, folder, where)
    if (same(found, known.after)) return 'whole' satisfies Judged as Judged
    const isBefore = same(found, known.before)
    assert.ok(!acknowledged, `${where}: lost\n${difference(found, known.after)}`)
    if (!operation.inParts) assert.ok(isBefore, `${where}: half\n${difference(found, known.before)}`)
    // Whoever got no answer asks again.
    await operation.act(service, made)
    await service.learned()
    const again = await look(service, folder, where)
    assert.ok(same(again, known.after), `${where}: not whole when done again\n${difference(again, known.after)}`)
    return isBefore ? 'none' : 'inParts'
  } finally {
    await service.close()
  }
}

async function look(service: Running, folder: string, where: string): Promise<View> {
  const { body } = await service.admin('GET', '/audit/verify')
  assert.ok(body.is_whole, `${where}: the audit record is broken`)
  const raw = new DatabaseSync(join(folder, 'memoir.db'), { readOnly: true })
  const sound = raw.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  assert.deepEqual(
    sound,
    [{ integrity_check: 'ok' }].map((row) => Object.assign(Object.create(null), row)),
    where,
  )
  assert.deepEqual(raw.prepare('pragma foreign_key_check').all(), [], where)
  raw.close()
  return viewOf(folder)
}

const same = (one: View, other: View): boolean => JSON.stringify(one) === JSON.stringify(other)
