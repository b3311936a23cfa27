// Follows the work of learning for whoever looks at it: one look at the store for all of them, and none when nobody
// does.
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { DocumentEvent } from '../../contract/admin-answers.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { presentDocument } from './present.ts'

type Event = z.output<typeof DocumentEvent>
export type Listener = (event: Event) => void

export type Events = {
  // Told of every document whose work took a step, beginning now; the returned function ends it.
  follow(listener: (event: Event, personaId: number) => void): () => void
}

type Step = { document: { id: string }; changedAt: number }
type Looking = Pick<Store, 'work' | 'personas'>

export function createEvents(store: Looking): Events {
  const listeners = new Set<(event: Event, personaId: number) => void>()
  let isLooking = false

  const look = async () => {
    const next = nextSteps(store)
    while (listeners.size > 0) {
      await pause(limits.eventsPollMs, undefined, { ref: false })
      // A store that does not answer is asked again at the next look.
      for (const { event, personaId } of await next().catch(() => []))
        for (const listener of listeners) listener(event, personaId)
    }
    isLooking = false
  }

  return {
    follow(listener) {
      listeners.add(listener)
      // Whoever comes back before the last look ended joins it.
      if (!isLooking) {
        isLooking = true
        look()
      }
      return () => listeners.delete(listener)
    },
  }
}

// The steps since the call before, each once. Nothing is passed over when a lookup fails half-way.
function nextSteps(store: Looking) {
  let since = Date.now()
  // Of the last moments looked at: other processes may still be writing down what happened in them.
  let told = new Set<string>()
  return async () => {
    // A clock that was ahead leaves steps of a time to come: what happens now is not passed over for them.
    since = Math.min(since, Date.now())
    const steps = await store.work.changedSince(since, limits.eventsPerPoll)
    const events = []
    for (const { document } of steps.filter((step) => !told.has(nameOf(step)))) {
      const persona = await store.personas.byId(document.personaId)
      const event = { ...presentDocument(document), domain_name: persona?.domainName ?? '' }
      events.push({ event, personaId: document.personaId })
    }
    const isAll = steps.length < limits.eventsPerPoll
    const last = steps.at(-1)?.changedAt ?? since
    since = isAll ? Math.max(since, last - limits.eventsLookBackMs) : last
    told = new Set(steps.filter((step) => step.changedAt >= since).map(nameOf))
    return events
  }
}

const nameOf = ({ document, changedAt }: Step): string => `${document.id} ${changedAt}`
