// A backup at every step: a file of a backup is whole, or has another name.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../src/app/backups/backup-file.ts'
import { checkBackup, openStore } from '../../src/stores.ts'
import { configOf } from './running.ts'
import { LOG, type Outcome, record, type State } from './walk.ts'

type Choice = (state: number) => boolean
type Place = { base: string; room: string }

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
