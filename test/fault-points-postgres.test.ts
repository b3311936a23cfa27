// Killed at any commit of any write on PostgreSQL: some of all points, others every time.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeBase, operations } from './faults/operations.ts'
import { killAt, type Point, recordCommits } from './faults/postgres.ts'
import { closeEmbedder } from './faults/running.ts'
import { newDatabase } from './postgres-server.ts'
import { temporaryFolder } from './started.ts'

const [OPERATIONS, POINTS] = [5, 2]

const shuffled = <T>(some: T[]): T[] =>
  some
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

const [base, folder] = [await newDatabase(), temporaryFolder()]
const made = await makeBase(folder, base)
after(closeEmbedder)

for (const operation of shuffled(operations).slice(0, OPERATIONS))
  test(`${operation.name}: after a kill at a commit it is there whole or not at all`, async (context) => {
    const walk = { base, folder, made }
    const known = await recordCommits(operation, walk)
    assert.ok(known.commits > 0, 'nothing was committed')
    const points = Array.from({ length: known.commits }, (_, at): Point[] => [
      { commit: at + 1, when: 'before' },
      { commit: at + 1, when: 'after' },
    ]).flat()
    const outcomes: string[] = []
    for (const point of shuffled(points).slice(0, POINTS))
      outcomes.push(`${point.when} ${point.commit}: ${await killAt(operation, walk, point, known)}`)
    context.diagnostic(`${known.commits} commits; ${outcomes.join(', ')}`)
  })
