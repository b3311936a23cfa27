// Looks for something to send: when it is woken, and now and then by itself.
import { leave } from '../telemetry/scope.ts'

export type Loop = {
  // Something may be due: look now instead of at the next poll.
  wake(): void
  // The look that is under way.
  looking(): Promise<void> | null
  stop(): Promise<void>
}

type LoopOptions = { pollMs: number; onTrouble(error: unknown): void }

// `look` is told when to end.
export function startLoop(look: (ending: AbortSignal) => Promise<void>, { pollMs, onTrouble }: LoopOptions): Loop {
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  let wokenMeanwhile = false
  function wake(): void {
    wokenMeanwhile = true
    // By a request, often: what is sent then may belong to another.
    looking ??= leave(async () => {
      while (wokenMeanwhile && !stopping.signal.aborted) {
        wokenMeanwhile = false
        await look(stopping.signal).catch(onTrouble)
      }
      looking = null
    })
  }
  const poll = setInterval(wake, pollMs)
  wake()
  return {
    wake,
    looking: () => looking,
    async stop() {
      clearInterval(poll)
      stopping.abort()
      await looking
    },
  }
}
