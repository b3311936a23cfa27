// Figures for Prometheus: counts and times only, never a name or a text.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Work } from '../ports/store.ts'

export type Metrics = { requests: Histogram<'operation' | 'status'>; render(): Promise<string>; contentType: string }

export function createMetrics(work: Pick<Work, 'counts'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'memoir_documents_to_learn',
    help: 'Documents by what became of learning them.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { pending, running, failed } = await work.counts()
      this.set({ state: 'waiting' }, pending - running)
      this.set({ state: 'reading' }, running)
      this.set({ state: 'failed' }, failed)
    },
  })
  const requests = new Histogram({
    name: 'memoir_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return { requests, render: () => registry.metrics(), contentType: registry.contentType }
}
