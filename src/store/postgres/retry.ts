// A database that is away for a moment is asked again for a moment; after that its callers are told to come back.
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

// The connection broke while a commit was under way: it may have been done or not, and must not be done twice.
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause })
  }
}

// `act` must be able to begin again: what it did before it was lost was not committed.
export async function retrying<T>(act: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + limits.retryMs
  for (let waitMs = 25; ; waitMs *= 2) {
    try {
      return await act()
    } catch (error) {
      if (isGonePersona(error)) throw new AppError('not_found', 'The persona was deleted meanwhile.', { cause: error })
      if (!isLost(error) && !isCrossed(error)) throw error
      if (error instanceof UnknownOutcome || performance.now() + waitMs > giveUpAt) throw unavailable(error)
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())))
    }
  }
}

export const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The database does not answer at the moment. Try again soon.', {
    retryAfterS: limits.retryAfterS,
    cause,
  })

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

// Away, restarting, full, or not the one that may write any more after a failover.
export function isLost(error: unknown): boolean {
  if (error instanceof UnknownOutcome) return true
  const code = codeOf(error)
  if (/^(?:08|57P0)/.test(code) || LOST.has(code)) return true
  return LOST_WORDS.test(String((error as Error | undefined)?.message))
}

// The last one: a newer Memoir changed a table under a statement that this connection has prepared.
const LOST_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|Query read timeout|has been discarded|cached plan must not change/i

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006', // read-only: a replica
  '53300', // too many connections
])

// Two transactions stood in each other's way, and the server ended this one.
const isCrossed = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

const isGonePersona = (error: unknown): boolean => codeOf(error) === '23503'
