// The same tables of requests on the other engine: tests that start the service run again, on PostgreSQL.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { newDatabase } from './postgres-server.ts'

// Those that stand on PostgreSQL already, those about the data folder's own log, and those whose subject is no store.
const left = [
  'postgres.test.ts',
  'processes.test.ts',
  'faults.test.ts',
  'move.test.ts',
  'upgrade.test.ts',
  'crash.test.ts',
  'triggers-crash.test.ts',
  'attacks-memory.test.ts',
  'process.test.ts',
  'contract.test.ts',
  'doctor.test.ts',
  'imports.test.ts', // collections.test.ts runs
  'model-rests.test.ts',
  'console-models.test.ts',
  'cli.test.ts', // the same calls, which run themselves
  'cli-owner.test.ts',
  'backup.test.ts', // brings backups back onto either engine by itself
  'encryption.test.ts', // a data folder's own
  'fault-points.test.ts',
  'fault-points-postgres.test.ts',
  'fairness.test.ts',
  // Doors before the same calls, which run themselves.
  'transport.test.ts',
  'headers.test.ts',
  'tracing.test.ts',
  'mcp.test.ts',
  'openai.test.ts',
  'client.test.ts',
  'clients.test.ts',
  'examples.test.ts',
  // What is decided above the store; what these ask of it others ask, too.
  'rights.test.ts',
  'open-id.test.ts',
  'replies.test.ts',
  'model-costs.test.ts',
  'instructions.test.ts',
  'conversations.test.ts',
  'programs.test.ts',
  'reading.test.ts',
  'metrics.test.ts',
  // What is read out of files and memories, wherever they are kept.
  'collections.test.ts',
  'answers.test.ts',
  'obedient-model.test.ts',
  'talk.test.ts',
  'console.test.ts',
  'supply.test.ts',
  'trim.test.ts',
  'chat-model.test.ts',
  'local-model.test.ts',
  'local-model-files.test.ts',
  'local-model-real.test.ts',
  'console-day.test.ts',
  'console-german.test.ts',
  'console-library.test.ts',
  'console-pages.test.ts',
  'console-people.test.ts',
  'console-story.test.ts',
  'console-talk.test.ts',
  'share-browser.test.ts',
  'console-triggers.test.ts',
  'console-waiting.test.ts',
]

const files = readdirSync(import.meta.dirname).filter(
  (file) =>
    file.endsWith('.test.ts') &&
    !left.includes(file) &&
    readFileSync(join(import.meta.dirname, file), 'utf8').includes("'./started.ts'"),
)

describe('on PostgreSQL', { concurrency: 2 }, async () => {
  // One server for all of them, also when this file runs alone.
  const server = (await newDatabase()).replace(/[^/]+$/, 'postgres')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  for (const file of files) {
    test(file, async () => {
      const ran = promisify(execFile)(
        process.execPath,
        ['--test', '--test-force-exit', join(import.meta.dirname, file)],
        {
          env: { ...env, TEST_ENGINE: 'postgres', TEST_POSTGRES_URL: server },
          maxBuffer: 2 ** 26,
        },
      )
      const failed = await ran.then(
        () => '',
        ({ stdout, stderr }) => `${stdout}${stderr}`,
      )
      assert.equal(failed, '')
    })
  }
  assert.ok(files.length > 5, `only ${files.length} files to run`)
})
