// Killed at every step of every write: each state that a kill, a power cut or a torn write can leave is opened again.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walkBackup, walkCompact, walkMove } from '../test/faults/folders.ts'
import { makeBase, operations } from '../test/faults/operations.ts'
import { closeEmbedder } from '../test/faults/running.ts'
import { type Outcome, walk } from '../test/faults/walk.ts'

// One state in so many, for a look; every one unless told otherwise.
const APART = Number(process.env.FAULTS_APART ?? 1)
const COMPACT_MS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 1_000]

export async function run(): Promise<string> {
  const room = mkdtempSync(join(tmpdir(), 'memoir-faults-'))
  try {
    return report(await walkAll(room))
  } finally {
    await closeEmbedder()
    rmSync(room, { recursive: true, force: true })
  }
}

async function walkAll(room: string): Promise<Outcome[]> {
  const base = join(room, 'base')
  mkdirSync(base)
  const made = await makeBase(base)
  const choose = (at: number) => at % APART === 0
  const outcomes: Outcome[] = []
  const note = (outcome: Outcome) => {
    console.error(JSON.stringify(outcome))
    outcomes.push(outcome)
  }
  for (const operation of operations) note(await walk(operation, { base, room, made }, choose))
  note(await walkBackup({ base, room }, choose))
  note(await walkMove({ base, room }, choose))
  note(await walkCompact({ base, room }, COMPACT_MS))
  return outcomes
}

function report(outcomes: Outcome[]): string {
  const sum = (of: keyof Outcome) => outcomes.reduce((all, one) => all + Number(one[of]), 0)
  return [
    '# Fault points',
    '',
    'Each operation is done once; before each step that writes (a statement, a write, a sync, a renaming) the files are',
    'kept as a process finds them that is killed there, as a power cut leaves them (only what was synced), and with half of',
    'what was not. Each state that differs is opened: it must be sound, and the operation there whole or not at all; what',
    'was acknowledged must be there. What is not there is done again, and must then be whole. Only imports and moves may',
    `be there in part; done again, they are whole. ${APART === 1 ? 'Every state was opened.' : `One state in ${APART} was opened.`}`,
    '',
    '| operation | steps | states opened | there whole | not there | in part |',
    '|---|---|---|---|---|---|',
    ...outcomes.map(
      ({ operation, steps, states, whole, none, inParts }) =>
        `| ${operation} | ${steps} | ${states} | ${whole} | ${none} | ${inParts} |`,
    ),
    `| **all** | ${sum('steps')} | ${sum('states')} | ${sum('whole')} | ${sum('none')} | ${sum('inParts')} |`,
    '',
    'Lost, half or unsound: none; the run stops at the first. `compact` is one statement: its process is killed so many',
    'milliseconds after it began, and the store is what it was.',
  ].join('\n')
}
