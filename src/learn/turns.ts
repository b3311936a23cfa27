// Who has long documents read just now, and who had much time spent on theirs lately: nobody takes both places.
import type { Claim } from '../ports/store.ts'
import { limits } from './limits.ts'

// `light` is kept for those on whom little time was spent lately.
export type Place = 'any' | 'light'

export type Turns = {
  // One after another, so that two places never take the same persona. `claim` is told whom to pass over.
  take(place: Place, claim: (passOver: number[]) => Promise<Claim | undefined>): Promise<Claim | undefined>
  // Runs this for what was taken; the time it takes is remembered.
  spend(taken: Claim, act: () => Promise<void>): Promise<void>
}

const PASSED_OVER = 1_000

export function createTurns(): Turns {
  const running = new Set<number>()
  const spent = new Map<number, { ms: number; at: number }>()
  let taking: Promise<unknown> = Promise.resolve()

  const spentBy = (personaId: number, now: number): number => {
    const { ms, at } = spent.get(personaId) ?? { ms: 0, at: now }
    return ms * 0.5 ** ((now - at) / limits.spentHalfMs)
  }
  const passedOver = (place: Place): number[] => {
    if (place === 'any') return [...running]
    const now = performance.now()
    for (const id of spent.keys()) if (spentBy(id, now) < limits.lightMs) spent.delete(id)
    return [...new Set([...running, ...spent.keys()])].slice(0, PASSED_OVER)
  }

  return {
    take(place, claim) {
      const taken = taking.then(async () => {
        const found = await claim(passedOver(place))
        if (found) running.add(found.document.personaId)
        return found
      })
      taking = taken.catch(() => {}) // whoever asked hears of it
      return taken
    },
    async spend({ document: { personaId } }, act) {
      const since = performance.now()
      try {
        await act()
      } finally {
        running.delete(personaId)
        const now = performance.now()
        spent.set(personaId, { ms: spentBy(personaId, now) + now - since, at: now })
      }
    },
  }
}
