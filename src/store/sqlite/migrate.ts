// Brings a database file up to the newest version, one numbered step a transaction.
import type { DatabaseSync } from 'node:sqlite'
import { sql as first } from './migrations/001-first.ts'
import { sql as traces } from './migrations/002-traces.ts'
import { sql as fairWork } from './migrations/003-fair-work.ts'
import { sql as replies } from './migrations/004-replies.ts'
import { sql as models } from './migrations/005-models.ts'
import { sql as timeline } from './migrations/006-timeline.ts'
import { sql as versions } from './migrations/007-versions.ts'
import { sql as characters } from './migrations/008-characters.ts'
import { sql as triggers } from './migrations/009-triggers.ts'
import { sql as sessions } from './migrations/010-sessions.ts'
import { sql as callers } from './migrations/011-callers.ts'
import { sql as sharing } from './migrations/012-sharing.ts'
import { sql as audit } from './migrations/013-audit.ts'
import { sql as answers } from './migrations/014-answers.ts'
import { sql as people } from './migrations/015-people.ts'
import { sql as passkeys } from './migrations/016-passkeys.ts'
import { sql as origins } from './migrations/017-origins.ts'
import { sql as costs } from './migrations/018-costs.ts'
import { sql as notices } from './migrations/019-notices.ts'
import { sql as identities } from './migrations/020-identities.ts'
import { sql as sources } from './migrations/021-sources.ts'
import { sql as textSums } from './migrations/022-text-sums.ts'
import { sql as moreSums } from './migrations/023-more-sums.ts'
import { sql as pageStarts } from './migrations/024-page-starts.ts'

export const migrations: readonly string[] = [
  first,
  traces,
  fairWork,
  replies,
  models,
  timeline,
  versions,
  characters,
  triggers,
  sessions,
  callers,
  sharing,
  audit,
  answers,
  people,
  passkeys,
  origins,
  costs,
  notices,
  identities,
  sources,
  textSums,
  moreSums,
  pageStarts,
]

// `before` is called where a database that holds something is about to be changed, with the version it has.
export function migrate(db: DatabaseSync, target = migrations.length, before?: (version: number) => void): void {
  const version = () => (db.prepare('pragma user_version').get() as { user_version: number }).user_version
  if (version() > migrations.length) {
    throw new Error(
      `This data folder was written by a newer Memoir (version ${version()} of the store, this one knows ${migrations.length}). ` +
        'Start the newer Memoir, or point MEMOIR_DATA to another folder.',
    )
  }
  if (version() > 0 && version() < target) before?.(version())
  while (version() < target) {
    db.exec('begin immediate')
    try {
      // Asked again under the lock: another process may have started at the same moment.
      const next = version()
      if (next < target) {
        db.exec(migrations[next]!)
        db.exec(`pragma user_version = ${next + 1}`)
      }
      db.exec('commit')
    } catch (error) {
      if (db.isTransaction) db.exec('rollback') // a full disk has rolled back by itself
      throw error
    }
  }
}
