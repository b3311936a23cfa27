// The upkeep thread: has a connection of its own, for what would hold up the event loop, and answers each task.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { isSealed } from './sealed/data-keys.ts'
import { checkSums, type SummedAt } from './sums.ts'

export type Task = 'checkpoint' | 'check'
// `changed`: what is not what was stored, in a file that is sound otherwise.
export type Found = { damage: string | null; changed: SummedAt[] }
export type Done = Found & { task: Task }

const db = new DatabaseSync(workerData as string, { timeout: 10_000 })
db.exec('pragma synchronous = normal; pragma cache_size = -4096')

// What SQLite says of the first page that is wrong; null where none is. Table by table, so that a stop need not wait
// for all of them.
function damageIn(): string | null {
  for (const { name } of db.prepare(`select name from sqlite_schema where type = 'table'`).all()) {
    const [first] = db.prepare(`pragma quick_check("${name}")`).all() as { quick_check: string }[]
    if (first !== undefined && first.quick_check !== 'ok') return first.quick_check
  }
  return null
}

function run(task: Task): Found {
  if (task === 'check') {
    const damage = damageIn()
    return { damage, changed: damage === null && !isSealed(db) ? checkSums(db) : [] }
  }
  db.exec('pragma wal_checkpoint(passive)')
  return { damage: null, changed: [] }
}

parentPort!.on('message', (task: Task) => {
  try {
    parentPort!.postMessage({ task, ...run(task) } satisfies Done)
  } catch (error) {
    // A log that cannot be carried over now can be later; a file that cannot be checked is no sound one.
    const damage = task === 'check' ? (error as Error).message : null
    parentPort!.postMessage({ task, damage, changed: [] } satisfies Done)
  }
})
