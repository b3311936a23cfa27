// Turns at the shipped models: what was begun goes before what has yet to begin, and a message that would wait too
// long is told to come back, so that the others keep their pace.
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'
import { createTurns } from './turns.ts'

type TakeTurn = (personaId: number, which: 'first' | 'later') => Promise<() => void>

// `now`: milliseconds that only go forward.
export type RecallTurnOptions = { atOnce: number; longestWaitMs: number; now?: () => number }

export function createRecallTurns({
  atOnce,
  longestWaitMs,
  now = () => performance.now(),
}: RecallTurnOptions): TakeTurn {
  const turns = createTurns({ atOnce })
  const pace = createPace(now)
  // Of each persona that has somebody in line: since when it has.
  const standsSince = new Map<number, number>()
  // Of each whose line stood too long: until when it is kept short, though it was empty meanwhile.
  const crowdedUntil = new Map<number, number>()
  const hasStood = (personaId: number) => now() - (standsSince.get(personaId) ?? now()) >= longestWaitMs
  const noteCrowd = (personaId: number) => crowdedUntil.set(personaId, now() + longestWaitMs)
  const noteEmpty = (personaId: number) => {
    if (turns.waiting(personaId) > 0) return
    if (hasStood(personaId)) noteCrowd(personaId)
    standsSince.delete(personaId)
  }
  const isCrowded = (personaId: number): boolean => {
    if (hasStood(personaId) || now() < (crowdedUntil.get(personaId) ?? 0)) return true
    crowdedUntil.delete(personaId)
    return false
  }
  const crowdedWaitMs = Math.min(longestWaitMs, limits.standingWaitMs)

  return async (personaId, which) => {
    if (which === 'first') {
      // A burst may stand in line; a line that never ends is kept short, for waiting in it helps nobody. It is the
      // persona's own: those who flood it do not shut out another.
      const crowded = isCrowded(personaId)
      const tooLongMs = turns.ahead(personaId) * pace.messageMs() - (crowded ? crowdedWaitMs : longestWaitMs)
      if (tooLongMs > 0) {
        if (crowded) noteCrowd(personaId)
        throw tooBusy(tooLongMs)
      }
    }
    // The pace may fall while it waits: then it is told late, but not later than was promised.
    const signal = which === 'first' ? AbortSignal.timeout(longestWaitMs) : undefined
    if (!standsSince.has(personaId)) standsSince.set(personaId, now())
    const endTurn = await turns
      .take(personaId, { goesFirst: which === 'later', signal })
      .catch((error) => {
        throw signal?.aborted ? tooBusy(pace.messageMs()) : error
      })
      .finally(() => noteEmpty(personaId))
    const ended = pace.begin(which)
    return () => {
      ended()
      endTurn()
    }
  }
}

// How long the models are busy for one message, of the latest: also where several are answered at once and each takes
// longer for that.
function createPace(now: () => number) {
  let [messages, busyMs, running, since] = [0, 0, 0, 0]
  const count = () => {
    if (running > 0) busyMs += now() - since
    since = now()
  }
  return {
    messageMs: (): number => (messages < limits.recallsToJudge ? 0 : busyMs / messages),
    begin(which: 'first' | 'later'): () => void {
      count()
      running++
      return () => {
        count()
        running--
        if (which === 'later') return
        messages = messages * limits.recallsKept + 1
        busyMs *= limits.recallsKept
      }
    },
  }
}

function tooBusy(ms: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(ms / 1000))
  const sentence = `More messages wait than can be answered soon; try again in ${retryAfterS} s.`
  return new AppError('unavailable', sentence, { retryAfterS })
}
