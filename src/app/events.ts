// Follows the work of learning for whoever looks at it: one look at the store for all of them, and none when nobody does.
import type { z } from 'zod'
import type { DocumentEvent as Shape } from '../contract/admin-answers.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../ports/store.ts'
import { presentDocument } from './present.ts'

export type DocumentEvent = z.output<typeof Shape>

export type Events = {
  // Told of every document whose work took a step, beginning now; the returned function ends it.
  follow(listener: (event: DocumentEvent) => void): () => void
}

export function createEvents(store: Pick<Store, 'work' | 'personas'>): Events {
  const listeners = new Set<(event: DocumentEvent) => void>()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let told = new Set<string>() // of the last moments looked at: other processes may still be writing down what happened in them

  const look = async () => {
    const steps = await store.work.changedSince(since, limits.eventsPerPoll).catch(() => [])
    const news = steps.filter((step) => !told.has(nameOf(step)))
    const isAll = steps.length < limits.eventsPerPoll
    const last = steps.at(-1)?.changedAt ?? since
    since = isAll ? Math.max(since, last - limits.eventsLookBackMs) : last
    told = new Set(steps.filter((step) => step.changedAt >= since).map(nameOf))
    for (const { document } of news) {
      const persona = await store.personas.byId(document.personaId)
      const event = { ...presentDocument(document), domain_name: persona?.domainName ?? '' }
      for (const listener of listeners) listener(event)
    }
    if (listeners.size > 0) timer = setTimeout(look, limits.eventsPollMs)
  }

  return {
    follow(listener) {
      listeners.add(listener)
      if (listeners.size === 1) {
        since = Date.now()
        told = new Set()
        timer = setTimeout(look, limits.eventsPollMs)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}

const nameOf = ({ document, changedAt }: { document: { id: string }; changedAt: number }): string =>
  `${document.id} ${changedAt}`
