// A circuit breaker: a model that failed is left alone and tried again in the background; meanwhile nobody asks it.
import { limits } from './limits.ts'

// trial: a probe was answered, a message not yet; one message at a time goes to the model.
export type BreakerState = 'ready' | 'resting' | 'trial'

export type BreakerNeeds = {
  restMs: number // before the first probe; twice as long after each failure that follows
  probe(signal: AbortSignal): Promise<void>
  onChange(state: BreakerState, why: string): void
}

export function createBreaker({ restMs, probe, onChange }: BreakerNeeds) {
  let state: BreakerState = 'ready'
  let why = ''
  let failures = 0 // since the last message that was answered
  let onTrial = false
  let timer: NodeJS.Timeout | undefined
  const closing = new AbortController()

  const rest = (pauseMs: number) => {
    clearTimeout(timer)
    const ms = Math.min(limits.chatRestMs, restMs * 2 ** Math.min(failures - 1, 30))
    timer = setTimeout(tryAgain, Math.max(ms, Math.min(pauseMs, limits.chatRestMs))).unref()
  }

  const tryAgain = async () => {
    try {
      await probe(closing.signal)
      if (state !== 'resting') return
      state = 'trial'
      onChange(state, why)
    } catch {
      if (closing.signal.aborted || state !== 'resting') return
      failures++
      rest(0)
    }
  }

  return {
    state: (): BreakerState => state,

    // Why it is not asked now; null where it is.
    refusal: (): string | null => (state === 'resting' || (state === 'trial' && onTrial) ? why : null),

    begin(): void {
      if (state === 'trial') onTrial = true
    },

    succeed(): void {
      failures = 0
      onTrial = false
      if (state === 'ready') return
      clearTimeout(timer)
      state = 'ready'
      onChange(state, '')
    },

    // Neither answered nor failed: the caller left, or the message itself was refused.
    leave(): void {
      onTrial = false
    },

    fail(reason: string, pauseMs: number): void {
      onTrial = false
      why = reason
      // Others that were asked at the same time fail for the same reason.
      if (state === 'resting') return
      failures++
      state = 'resting'
      onChange(state, why)
      rest(pauseMs)
    },

    close(): void {
      closing.abort()
      clearTimeout(timer)
    },
  }
}
