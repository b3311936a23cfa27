// Every step by which this process writes: a statement of SQLite, a write, a sync or a renaming of a file. Before each,
// whoever watches can keep the files as they are: what a process finds again that is killed there.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'

export type OnStep = (what: string) => void

// `onSync` is told of a sync when it has ended, with what `begun` returned when it began.
export type Watcher = { onStep: OnStep; begun(): number; onSynced(at: number): void }

let watcher: Watcher | undefined

export const watchSteps = (by: Watcher | undefined): void => {
  watcher = by
}

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped alike
type Any = (...given: any[]) => any

function before<T extends object>(owner: T, name: keyof T, tell: (self: unknown, given: unknown[]) => string | null) {
  const original = owner[name] as Any
  const wrapped = function (this: unknown, ...given: unknown[]) {
    const what = watcher && tell(this, given)
    if (what) watcher!.onStep(what)
    return original.apply(this, given)
  }
  owner[name] = wrapped as T[keyof T]
}

const WRITES = /^\s*(insert|update|delete|begin|commit|rollback|create|drop|alter|vacuum)\b/i
const told = (sql: string): string | null => (WRITES.test(sql) ? sql.trim().split(/\s+/, 3).join(' ') : null)

const ofStatement = (self: unknown): string | null => told((self as StatementSync).sourceSQL)
before(StatementSync.prototype, 'run', ofStatement)
before(StatementSync.prototype, 'all', ofStatement)
before(DatabaseSync.prototype, 'exec', (_self, [sql]) => told(String(sql)) ?? 'pragma')

const handle = await fs.promises.open(import.meta.filename, 'r')
const file = Object.getPrototypeOf(handle) as typeof handle
await handle.close()
for (const name of ['write', 'writeFile', 'sync'] as const) before(file, name, () => `${name} of a file`)

const datasync = file.datasync
file.datasync = async function () {
  const by = watcher
  const at = by?.begun() ?? 0
  by?.onStep('sync of the log')
  await datasync.call(this)
  by?.onSynced(at)
}

for (const name of ['renameSync', 'rmSync', 'writeFileSync'] as const) before(fs, name, () => name)
for (const name of ['rename', 'rm', 'unlink'] as const) before(fs.promises, name, () => name)
syncBuiltinESMExports()
