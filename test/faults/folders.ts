// What is done to whole stores: backups and moves, at every step; compacting, which is one step, at moments of it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeWhole } from '../../src/app/backups/backup-file.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { checkBackup, moveStore, openStore } from '../../src/stores.ts'
import { configOf } from './running.ts'
import { difference, viewOf } from './view.ts'
import { LOG, type Outcome, record, type State } from './walk.ts'

type Choice = (state: number) => boolean
type Place = { base: string; room: string }

// A file of a backup is whole, or has another name.
export async function walkBackup({ base, room }: Place, choose: Choice): Promise<Outcome> {
  const live = join(room, 'live')
  cpSync(base, live, { recursive: true })
  mkdirSync(join(live, 'backups'))
  const store = await openStore(configOf(live))
  const { states, steps } = await record(live, { room, log: LOG }, async (acknowledge) => {
    await writeWhole(join(live, 'backups', 'one.backup'), store.backup(undefined))
    acknowledge()
  })
  await store.close()
  const judge = async ({ folder, acknowledged }: State) => {
    const isThere = existsSync(join(folder, 'backups', 'one.backup'))
    assert.ok(isThere || !acknowledged, 'a backup that was acknowledged is gone')
    if (isThere) await checkBackup(configOf(folder), join(folder, 'backups', 'one.backup'))
    return isThere ? 'whole' : 'none'
  }
  return tally('a backup', { live, steps, states, choose }, judge)
}

// What was broken off says so, and goes on; where it came from is as it was.
export async function walkMove({ base, room }: Place, choose: Choice): Promise<Outcome> {
  const live = join(room, 'live')
  const [from, to] = [(folder: string) => join(folder, 'from'), (folder: string) => join(folder, 'to')]
  mkdirSync(live)
  cpSync(base, from(live), { recursive: true })
  mkdirSync(to(live))
  const known = await viewOf(base)
  const moveIn = (folder: string) => moveStore(configOf(from(folder)), configOf(to(folder)), () => {})
  const { states, steps } = await record(live, { room, log: join('to', LOG) }, async (acknowledge) => {
    await moveIn(live)
    acknowledge()
  })
  // A move goes on from where it came: each state takes its place.
  const judge = async ({ folder, acknowledged }: State) => {
    rmSync(live, { recursive: true })
    cpSync(folder, live, { recursive: true })
    const opened = await openStore(configOf(to(live))).then(
      (store) => store.close().then(() => 'opens'),
      (error) => error.message as string,
    )
    const isDone = opened === 'opens' && difference(await viewOf(to(live)), known) === ''
    assert.ok(isDone || !acknowledged, `a move that was acknowledged is not whole: ${opened}`)
    if (!isDone) {
      if (opened !== 'opens') assert.match(opened, /broken off/)
      await moveIn(live)
    }
    for (const end of [from(live), to(live)]) assert.equal(difference(await viewOf(end), known), '')
    return isDone ? 'whole' : opened === 'opens' ? 'none' : 'inParts'
  }
  return tally('a move', { live, steps, states, choose }, judge)
}

// Killed for real, so many milliseconds after it began.
export async function walkCompact({ base, room }: Place, momentsMs: number[]): Promise<Outcome> {
  const outcome = { operation: 'compact', steps: momentsMs.length, states: 0, whole: 0, none: 0, inParts: 0 }
  const known = await viewOf(base)
  for (const moment of momentsMs) {
    const folder = join(room, 'compacted')
    cpSync(base, folder, { recursive: true })
    const child = spawn(process.execPath, [import.meta.filename, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await begun(child)
    await Promise.race([ended, wait(moment)])
    outcome[child.exitCode === 0 ? 'whole' : 'none']++
    child.kill('SIGKILL')
    await ended
    await (await openSqlite(join(folder, 'memoir.db'))).close()
    assert.equal(difference(await viewOf(folder), known), '', `killed ${moment} ms after it began`)
    rmSync(folder, { recursive: true })
    outcome.states++
  }
  return outcome
}

const begun = (child: ChildProcess) => new Promise((resolve) => child.stdout!.once('data', resolve))

type Told = { live: string; steps: number; states: State[]; choose: Choice }

async function tally(
  operation: string,
  { live, steps, states, choose }: Told,
  judge: (state: State) => Promise<'whole' | 'none' | 'inParts'>,
): Promise<Outcome> {
  const outcome = { operation, steps, states: 0, whole: 0, none: 0, inParts: 0 }
  for (const [at, state] of states.entries()) {
    if (choose(at)) {
      const { step, what, kind } = state
      outcome[
        await judge(state).catch((error) => assert.fail(`${operation}, ${kind} at step ${step} (${what}): ${error}`))
      ]++
      outcome.states++
    }
    rmSync(state.folder, { recursive: true })
  }
  rmSync(live, { recursive: true })
  return outcome
}

if (process.argv[1] === import.meta.filename) {
  const store = await openSqlite(join(process.argv[2]!, 'memoir.db'))
  process.stdout.write('begins\n')
  await store.compact!()
  await store.close()
}
