// Figures for Prometheus: counts and times only, never a name or a text.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Backups } from '../app/backups/schedule.ts'
import type { Decision } from '../domain/reply.ts'
import type { Store } from '../ports/store.ts'

export type Metrics = { requests: Histogram<'operation' | 'status'>; render(): Promise<string>; contentType: string }

export type MetricsNeeds = {
  store: Pick<Store, 'work' | 'outbox' | 'drafts' | 'bytes' | 'damaged'>
  chat: { states(): { ready: number; resting: number }; outcomes: ReadonlyMap<string, number> }
  backups: Backups | undefined
  // Of this process since it started: attempts to deliver an event, replies, calls to a model that failed.
  deliveries(): { sent: number; failed: number }
  replies: Record<Decision, number>
  modelFailures: { embedder: number; reader: number }
  // Of all personas, those without a vector of the embedder in use.
  memoriesToEmbed(): number
}

export function createMetrics(needs: MetricsNeeds): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges under the names of counters; nodejs_active_resources says the same.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  const requests = new Histogram({
    name: 'memoir_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  addReplies(registry, needs)
  addLearning(registry, needs)
  addModels(registry, needs)
  addDeliveries(registry, needs)
  addStore(registry, needs)
  if (needs.backups) addBackups(registry, needs.backups)
  return { requests, render: () => registry.metrics(), contentType: registry.contentType }
}

function addReplies(registry: Registry, { store, replies }: MetricsNeeds): void {
  addCounter(registry, {
    name: 'memoir_replies_total',
    help: 'Replies since the start: sent, withheld for their score, or kept as a draft because the caller asked.',
    label: 'decision',
    read: () => Object.entries(replies),
  })
  addGauge(registry, {
    name: 'memoir_drafts_waiting',
    help: 'Drafts that wait for an owner to approve or reject them.',
    read: () => store.drafts.count(),
  })
}

function addLearning(registry: Registry, { store, memoriesToEmbed }: MetricsNeeds): void {
  addGauge(registry, {
    name: 'memoir_memories_to_embed',
    help: 'Memories that lack a vector of the embedder in use, and are embedded anew in the background.',
    read: async () => memoriesToEmbed(),
  })
  addGauge(registry, {
    name: 'memoir_damaged_texts',
    help: 'Texts that are not what was stored, and are not quoted.',
    read: async () => (await store.damaged()).length,
  })
  addGauge(registry, {
    name: 'memoir_documents_to_learn',
    help: 'Documents by what became of learning them.',
    label: 'state',
    async read() {
      const { pending, running, failed } = await store.work.counts()
      return { waiting: pending - running, reading: running, failed }
    },
  })
  addGauge(registry, {
    name: 'memoir_learning_lag_seconds',
    help: 'How long the document that waits longest has been due; 0 where none waits.',
    async read() {
      const since = await store.work.oldestDue()
      return since ? Math.max(0, Date.now() - since.getTime()) / 1000 : 0
    },
  })
}

function addModels(registry: Registry, { chat, modelFailures }: MetricsNeeds): void {
  addGauge(registry, {
    name: 'memoir_chat_models',
    help: 'Chat models by whether they are asked (ready) or failed and are tried again in the background (resting).',
    label: 'state',
    read: async () => chat.states(),
  })
  addCounter(registry, {
    name: 'memoir_chat_messages_total',
    help: 'Messages for a chat model by what became of them; memory alone replied to all but answered and left.',
    label: 'outcome',
    read: () => chat.outcomes,
  })
  const chatFailures = () => (chat.outcomes.get('failed') ?? 0) + (chat.outcomes.get('timed out') ?? 0)
  addCounter(registry, {
    name: 'memoir_model_failures_total',
    help: 'Calls to a model that failed since the start.',
    label: 'model',
    read: () => [...Object.entries(modelFailures), ['chat', chatFailures()]],
  })
}

function addDeliveries(registry: Registry, { store, deliveries }: MetricsNeeds): void {
  addGauge(registry, {
    name: 'memoir_deliveries_waiting',
    help: 'Events that wait to be delivered, or to be tried again.',
    read: async () => (await store.outbox.counts()).waiting,
  })
  addCounter(registry, {
    name: 'memoir_delivery_attempts_total',
    help: 'Attempts of this process to deliver an event, by how they went.',
    label: 'outcome',
    read: () => Object.entries(deliveries()),
  })
}

function addStore(registry: Registry, { store }: MetricsNeeds): void {
  addGauge(registry, {
    name: 'memoir_store_bytes',
    help: 'Bytes of the database on disk, with what deleted things left in it.',
    read: () => store.bytes(),
  })
}

// Only where the service makes backups: an alert on their age would otherwise never end.
function addBackups(registry: Registry, backups: Backups): void {
  const last = async () => (await backups.files())[0]
  addGauge(registry, {
    name: 'memoir_backup_age_seconds',
    help: 'Seconds since the last backup in MEMOIR_BACKUP_DIR.',
    async read() {
      const made = (await last())?.madeAt
      return made && (Date.now() - made.getTime()) / 1000
    },
  })
  addGauge(registry, {
    name: 'memoir_backup_bytes',
    help: 'Bytes of the last backup in MEMOIR_BACKUP_DIR.',
    read: async () => (await last())?.bytes,
  })
  addCounter(registry, {
    name: 'memoir_backup_failures_total',
    help: 'Backups that failed since the start.',
    read: () => [['', backups.state().failures]],
  })
}

type GaugeOptions =
  | { name: string; help: string; label?: undefined; read(): Promise<number | undefined> }
  | { name: string; help: string; label: string; read(): Promise<Record<string, number>> }

// Asked for each time somebody looks. What cannot be told at the moment is left out, and the rest is told.
function addGauge(registry: Registry, { name, help, label, read }: GaugeOptions): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const value = await read().catch(() => undefined)
      this.reset()
      if (label === undefined) {
        if (typeof value === 'number') this.set(value)
        else this.remove()
      } else for (const [of, count] of Object.entries(value ?? {})) this.set({ [label]: of }, count)
    },
  })
}

type CounterOptions = { name: string; help: string; label?: string; read(): Iterable<[string, number]> }

// Counted elsewhere, and read when they are asked for.
function addCounter(registry: Registry, { name, help, label, read }: CounterOptions): void {
  new Counter({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [of, count] of read()) this.inc(label === undefined ? {} : { [label]: of }, count)
    },
  })
}
