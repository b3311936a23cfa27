// Killed at any step of any write: a share of all states here, every one of them by `npm run bench -- faults`.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeBase, operations } from './faults/operations.ts'
import { closeEmbedder } from './faults/running.ts'
import { walk } from './faults/walk.ts'
import { temporaryFolder } from './started.ts'

// Of the states of an operation, one in so many; each has at least as many as the second says.
const [APART, LEAST] = [12, 5]

const room = temporaryFolder()
const base = join(room, 'base')
mkdirSync(base)
const made = await makeBase(base)
after(closeEmbedder)

for (const operation of operations)
  test(`${operation.name}: after a kill, a power cut or a torn write it is there whole or not at all`, async (context) => {
    // Others every time: over many runs all of them.
    const offset = Math.floor(Math.random() * LEAST)
    const outcome = await walk(operation, { base, room, made }, (at) => at % APART === offset)
    assert.ok(outcome.states > 0, 'no state was opened')
    context.diagnostic(JSON.stringify(outcome))
  })
