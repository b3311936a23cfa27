// Whether the file that is open is still the one at its path, and sound: what is written to a file that was deleted or
// replaced is lost, so nobody is told that it was stored.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

export type Presence = {
  // AppError('unavailable') once the file was found gone, replaced or damaged. `now`: looks although it just did.
  assert(now?: boolean): void
  // What was found wrong with its content.
  damaged(how: string): void
}

const BACK = 'Stop the service, put the right file back (or a backup), and start it again.'

export function watchPresence(path: string): Presence {
  if (path === ':memory:') return { assert() {}, damaged() {} }
  const watched = [path, `${path}-wal`].map((file) => ({ file, id: idOf(file) }))
  let wrong: string | null = null
  let lookedAt = 0
  return {
    assert(now = false) {
      const at = performance.now()
      if (wrong === null && (now || at - lookedAt > limits.presenceMs)) {
        lookedAt = at
        const other = watched.find(({ file, id }) => idOf(file) !== id)
        const how = other && idOf(other.file) === null ? 'deleted or moved' : 'replaced'
        if (other) wrong = `The database was ${how} while the service ran`
      }
      if (wrong !== null) throw new AppError('unavailable', `${wrong}. ${BACK}`, { retryAfterS: 60 })
    },
    damaged(how) {
      wrong ??= `The database is damaged (${how})`
    },
  }
}

function idOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev}/${found.ino}`
}

// Left beside a database that was opened once: where only the mark is found, the database is missing, and an empty one
// in its place would look like a loss of everything.
const markOf = (path: string): string => `${path}.known`

export function refuseMissing(path: string): void {
  if (path === ':memory:' || existsSync(path) || !existsSync(markOf(path))) return
  throw new AppError(
    'unavailable',
    `${path} is missing, though it was there before. Put it back, or delete ${markOf(path)} to begin anew.`,
  )
}

export function markKnown(path: string): void {
  if (path !== ':memory:' && !existsSync(markOf(path))) writeFileSync(markOf(path), '', { mode: 0o600 })
}
