// Who may ask a model next: so many at once, the others wait, and the personas among them take turns.

// `waiting`, and `waitingEach` of one persona: unbounded where whoever asks is bounded already.
export type TurnBounds = { atOnce: number; waiting?: number; waitingEach?: number }

type Waiter = { goesFirst: boolean; begin(): void; refuse(error: Error): void }

export type TurnOptions = { signal?: AbortSignal | undefined; goesFirst?: boolean }

export class TooMany extends Error {}

export function createTurns({ atOnce, waiting = Infinity, waitingEach = Infinity }: TurnBounds) {
  // In the order of their turns: who was served goes to the end.
  const lines = new Map<number, Waiter[]>()
  const runningOf = new Map<number, number>()
  let running = 0
  let inLine = 0

  // One that has fewer turns under way goes before: who comes now and then does not stand behind who always comes.
  const nextPersona = () => {
    let least: number | undefined
    for (const persona of lines.keys()) if (least === undefined || countOf(persona) < countOf(least)) least = persona
    return least
  }
  const countOf = (persona: number) => runningOf.get(persona) ?? 0

  const next = () => {
    const persona = nextPersona()
    if (persona === undefined || running >= atOnce) return
    const line = lines.get(persona)!
    const waiter = line.shift()!
    inLine--
    if (line.length === 0) lines.delete(persona)
    waiter.begin()
  }

  const begin = (persona: number): (() => void) => {
    running++
    runningOf.set(persona, countOf(persona) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      running--
      if (countOf(persona) > 1) runningOf.set(persona, countOf(persona) - 1)
      else runningOf.delete(persona)
      putLast(persona)
      next()
    }
  }

  const putLast = (persona: number) => {
    const line = lines.get(persona)
    if (!line) return
    lines.delete(persona)
    lines.set(persona, line)
  }

  const leave = (persona: number, waiter: Waiter) => {
    const line = lines.get(persona)
    const at = line?.indexOf(waiter) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    inLine--
    if (line.length === 0) lines.delete(persona)
  }

  return {
    // How many wait of this persona.
    waiting: (persona: number): number => lines.get(persona)?.length ?? 0,

    // How many turns others take before one that comes now for this persona.
    ahead(persona: number): number {
      const own = lines.get(persona)?.length ?? 0
      let sum = 0
      for (const [of, line] of lines) sum += of === persona ? own : Math.min(line.length, own + 1)
      return sum
    },

    // Resolves with what ends the turn; rejects with TooMany, the signal's reason, or what `dismiss` is given. What
    // goes first stands before the persona's others.
    take(persona: number, { signal, goesFirst = false }: TurnOptions = {}): Promise<() => void> {
      if (running < atOnce) return Promise.resolve(begin(persona))
      const line = lines.get(persona) ?? []
      if (inLine >= waiting || line.length >= waitingEach) return Promise.reject(new TooMany())
      return new Promise((resolve, reject) => {
        const stop = () => {
          leave(persona, waiter)
          waiter.refuse(signal!.reason)
        }
        const waiter: Waiter = {
          goesFirst,
          begin() {
            signal?.removeEventListener('abort', stop)
            resolve(begin(persona))
          },
          refuse(error) {
            signal?.removeEventListener('abort', stop)
            reject(error)
          },
        }
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener('abort', stop, { once: true })
        const behind = goesFirst ? line.findLastIndex((one) => one.goesFirst) + 1 : line.length
        lines.set(persona, line.toSpliced(behind, 0, waiter))
        inLine++
      })
    },

    // Nobody waits any longer.
    dismiss(error: Error): void {
      const all = [...lines.values()].flat()
      lines.clear()
      inLine = 0
      for (const waiter of all) waiter.refuse(error)
    },
  }
}
