// Turns at the shipped models: what was begun goes before what has yet to begin, and a message that would wait too
// long is told to come back, so that the others keep their pace.
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'
import { createTurns } from './turns.ts'

type TakeTurn = (personaId: number, which: 'first' | 'later') => Promise<() => void>

export function createRecallTurns({ atOnce, longestWaitMs }: { atOnce: number; longestWaitMs: number }): TakeTurn {
  const turns = createTurns({ atOnce })
  // Of the latest messages: what all turns of one take together.
  let [messages, spentMs] = [0, 0]
  const note = (which: 'first' | 'later', ms: number) => {
    if (which === 'first') {
      messages = messages * limits.recallsKept + 1
      spentMs *= limits.recallsKept
    }
    spentMs += ms
  }
  const expectMs = (personaId: number): number =>
    messages < limits.recallsToJudge ? 0 : (turns.ahead(personaId) * (spentMs / messages)) / atOnce

  return async (personaId, which) => {
    const waitMs = which === 'first' ? expectMs(personaId) : 0
    if (waitMs > longestWaitMs) throw tooBusy(waitMs - longestWaitMs)
    const end = await turns.take(personaId, { goesFirst: which === 'later' })
    const began = performance.now()
    return () => {
      note(which, performance.now() - began)
      end()
    }
  }
}

function tooBusy(ms: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(ms / 1000))
  const sentence = `More messages wait than can be answered soon; try again in ${retryAfterS} s.`
  return new AppError('unavailable', sentence, { retryAfterS })
}
