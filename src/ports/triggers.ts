// Triggers, and the outbox of what is on its way to somebody.
import type { Attempt, Delivery, PersonaEvent, Trigger, TriggerChanges } from '../domain/trigger.ts'
import type { Page } from './filters.ts'

export type Triggers = {
  // AppError('conflict') when the persona has as many as it may have.
  create(trigger: Trigger): Promise<void>
  list(personaId: number): Promise<Trigger[]>
  get(personaId: number, id: string): Promise<Trigger | undefined>
  // Switched off, what waits for it has failed; switched on, its failures are forgotten.
  update(personaId: number, id: string, changes: TriggerChanges, at: Date): Promise<Trigger | undefined>
  // With its deliveries.
  remove(personaId: number, id: string): Promise<boolean>
}

export type DeliveryClaim = {
  delivery: Delivery
  payload: string
  tries: number // attempts since it was last set waiting
  trigger: Trigger
  lease: string
}

// What became of an attempt: `waiting` is tried again at `dueAt`. `isGone`: the address wants nothing more.
export type Settled = { state: Delivery['state']; dueAt?: Date; isGone?: boolean }

// Deliveries come into being with what they tell of, in its transaction (a persona's messages, drafts, documents).
export type Outbox = {
  // Heard when events were written; may be lost, so whoever sends also looks.
  onWritten(heard: () => void): void
  // One more event for one trigger, whatever it wants; undefined when there is no such trigger.
  add(personaId: number, triggerId: string, event: PersonaEvent): Promise<Delivery | undefined>
  // Set waiting again under the same id: one delivery, or all of a trigger that failed. How many.
  redeliver(personaId: number, which: { id: string } | { failedOf: string }, at: Date): Promise<number>
  list(personaId: number, triggerId: string, page: Page): Promise<Delivery[]>
  // Attempts newest first.
  get(personaId: number, id: string): Promise<{ delivery: Delivery; payload: string; attempts: Attempt[] } | undefined>
  // The delivery that has been due longest, leased to the caller: no one else gets it until the lease runs out.
  claim(at: Date, options: { passOver: string[]; leaseMs: number }): Promise<DeliveryClaim | undefined>
  // Notes the attempt. A trigger without a success for a day is switched off. False when the lease was lost.
  settle(claim: DeliveryClaim, attempt: Attempt, settled: Settled): Promise<boolean>
  // Back to the outbox, as if it had not been claimed.
  release(claim: DeliveryClaim): Promise<void>
  counts(): Promise<{ waiting: number }>
  // Takes away settled deliveries that are old, or more than are kept.
  tidy(at: Date): Promise<void>
}
