// Figures for Prometheus: counts and times only, never a name or a text.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BackupFile, Backups } from '../app/backups/schedule.ts'
import type { Store } from '../ports/store.ts'

export type Metrics = { requests: Histogram<'operation' | 'status'>; render(): Promise<string>; contentType: string }

export type MetricsNeeds = {
  store: Pick<Store, 'work' | 'outbox'>
  chat: { states(): { ready: number; resting: number }; outcomes: ReadonlyMap<string, number> }
  backups: Backups | undefined
  // Attempts of this process to deliver an event.
  deliveries(): { sent: number; failed: number }
}

export function createMetrics({ store, chat, deliveries, backups }: MetricsNeeds): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'memoir_documents_to_learn',
    help: 'Documents by what became of learning them.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { pending, running, failed } = await store.work.counts()
      this.set({ state: 'waiting' }, pending - running)
      this.set({ state: 'reading' }, running)
      this.set({ state: 'failed' }, failed)
    },
  })
  new Gauge({
    name: 'memoir_chat_models',
    help: 'Chat models by whether they are asked (ready) or failed and are tried again in the background (resting).',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(chat.states())) this.set({ state }, count)
    },
  })
  addOutcomes(
    registry,
    'memoir_chat_messages_total',
    'Messages for a chat model by what became of them; memory alone replied to all but answered and left.',
    () => chat.outcomes,
  )
  new Gauge({
    name: 'memoir_deliveries_waiting',
    help: 'Events that wait to be delivered, or to be tried again.',
    registers: [registry],
    async collect() {
      this.set((await store.outbox.counts()).waiting)
    },
  })
  addOutcomes(
    registry,
    'memoir_delivery_attempts_total',
    'Attempts of this process to deliver an event, by how they went.',
    () => Object.entries(deliveries()),
  )
  addBackups(registry, backups)
  const requests = new Histogram({
    name: 'memoir_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return { requests, render: () => registry.metrics(), contentType: registry.contentType }
}

// Counted elsewhere, and read when they are asked for.
function addOutcomes(registry: Registry, name: string, help: string, counts: () => Iterable<[string, number]>): void {
  new Counter({
    name,
    help,
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of counts()) this.inc({ outcome }, count)
    },
  })
}

// Nothing where the service makes no backups: an alert on their age would otherwise never end.
function addBackups(registry: Registry, backups: Backups | undefined): void {
  if (!backups) return
  const gauge = (name: string, help: string, pick: (last: BackupFile) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const [last] = await backups.files().catch(() => [])
        if (last) this.set(pick(last))
        else this.remove()
      },
    })
  gauge(
    'memoir_backup_age_seconds',
    'Seconds since the last backup in MEMOIR_BACKUP_DIR.',
    ({ madeAt }) => (Date.now() - madeAt.getTime()) / 1000,
  )
  gauge('memoir_backup_bytes', 'Bytes of the last backup in MEMOIR_BACKUP_DIR.', ({ bytes }) => bytes)
  new Counter({
    name: 'memoir_backup_failures_total',
    help: 'Backups that failed since the start.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(backups.state().failures)
    },
  })
}
