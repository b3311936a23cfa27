// What can be told of a database file without changing it, also while a service runs on it.
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { limits } from '../limits.ts'
import { migrations } from './migrate.ts'
import { isSealed } from './sealed/data-keys.ts'
import { countDamaged } from './sums.ts'

export type Inspected = {
  version: number // of its schema; 0: there is nothing yet
  known: number // the newest that this Memoir knows
  trouble: string | null
  isUnchecked?: boolean // what becomes another on the disk is not noticed
}

export function inspectSqlite(path: string): Inspected {
  const known = migrations.length
  if (!existsSync(path)) return { version: 0, known, trouble: null }
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number }
    // A large one is looked through by the running service, in its own time.
    if (statSync(path).size > limits.inspectBytes) return { version, known, trouble: null }
    const [first] = db.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
    const trouble = first?.quick_check === 'ok' ? null : (first?.quick_check ?? 'no answer')
    if (trouble !== null || version !== known || isSealed(db)) return { version, known, trouble }
    const damaged = countDamaged(db)
    return { version, known, trouble: damaged === 0 ? null : `${damaged} of its values were changed from outside` }
  } finally {
    db.close()
  }
}
