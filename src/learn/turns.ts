// Who has long documents read just now, and who had much time spent on theirs lately: nobody takes both places.
import { limits } from './limits.ts'

export type Turns = {
  // Personas to pass over: those whose document is being read, and in the place kept for the others those read for long.
  passedOver(place: 'any' | 'light'): number[]
  // Runs this while the persona counts as being read for; the time it takes is remembered.
  spend(personaId: number, act: () => Promise<void>): Promise<void>
}

const PASSED_OVER = 1_000

export function createTurns(): Turns {
  const running = new Map<number, number>() // persona, since when
  const spent = new Map<number, { ms: number; at: number }>()

  const spentBy = (personaId: number, now: number): number => {
    const { ms, at } = spent.get(personaId) ?? { ms: 0, at: now }
    return ms * 0.5 ** ((now - at) / limits.spentHalfMs)
  }
  return {
    passedOver(place) {
      if (place === 'any') return [...running.keys()]
      const now = Date.now()
      for (const id of spent.keys()) if (spentBy(id, now) < limits.lightMs) spent.delete(id)
      return [...new Set([...running.keys(), ...spent.keys()])].slice(0, PASSED_OVER)
    },
    async spend(personaId, act) {
      const since = Date.now()
      running.set(personaId, since)
      try {
        await act()
      } finally {
        running.delete(personaId)
        const now = Date.now()
        spent.set(personaId, { ms: spentBy(personaId, now) + now - since, at: now })
      }
    },
  }
}
