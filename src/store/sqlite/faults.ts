// What SQLite and the file system refuse, in words a caller can act on.
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

const [BUSY, CORRUPT, FULL, CANNOT_OPEN, NO_DATABASE] = [5, 11, 13, 14, 26]

export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY

// The file does not hold what it should.
export const isDamage = (error: unknown): boolean => [CORRUPT, NO_DATABASE].includes(codeOf(error) ?? 0)

// Undefined for what is a bug.
export function asStoreFault(error: unknown): AppError | undefined {
  const code = codeOf(error)
  const system = (error as NodeJS.ErrnoException).code
  if (code === FULL || system === 'ENOSPC' || system === 'EDQUOT') return diskFull(error)
  if (code === CANNOT_OPEN || system === 'EMFILE' || system === 'ENFILE')
    return new AppError('unavailable', 'Too many files are open for this one; try again in a moment.', {
      retryAfterS: 2,
      cause: error,
    })
  return undefined
}

export const diskFull = (cause?: unknown): AppError =>
  new AppError(
    'storage_full',
    'The disk of the service is full: nothing was stored. Send it again when there is room.',
    {
      retryAfterS: 30,
      cause,
    },
  )

// Another process may hold the write lock: it is waited for beside the event loop, for a while.
export async function untilFree<T>(write: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + limits.lockWaitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      return await write()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUpAt)
        throw new AppError('unavailable', 'Another process holds the store; try again in a moment.', {
          retryAfterS: 2,
          cause: error,
        })
      await wait(pauseMs)
    }
  }
}

// The upper bits say more than is needed.
function codeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}
