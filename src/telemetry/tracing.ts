// Sends spans to a collector over OTLP. The packages are loaded here alone, and only where an endpoint is set.
import { ROOT_CONTEXT } from '@opentelemetry/api'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Tracing } from './scope.ts'
import type { TracingSettings } from './settings.ts'

// What is not sent within these is dropped: a collector that is away costs memory for so many spans and no time.
const QUEUED_SPANS = 2_048
const EXPORT_TIMEOUT_MS = 10_000
const SEND_EVERY_MS = 1_000
const CLOSE_MS = 1_000

type Trouble = (error: unknown) => void

export async function startTracing(settings: TracingSettings, onTrouble: Trouble): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { W3CTraceContextPropagator }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ])
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: samplerOf(sdk, settings),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: tellOnce(exporter, onTrouble),
        maxQueueSize: QUEUED_SPANS,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  })
  const propagator = new W3CTraceContextPropagator()
  return {
    tracer: provider.getTracer('memoir'),
    extract: (headers) =>
      propagator.extract(ROOT_CONTEXT, headers, { get: (from, key) => from[key], keys: Object.keys }),
    inject(context) {
      const headers = new Map<string, string>()
      propagator.inject(context, headers, { set: (into, key, value) => into.set(key, value) })
      return Object.fromEntries(headers)
    },
    // What is left is sent if the collector takes it at once.
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), { sampler, ratio }: TracingSettings): Sampler {
  const name = sampler.replace('parentbased_', '')
  const root =
    name === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : name === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(ratio)
  return name === sampler ? root : new sdk.ParentBasedSampler({ root })
}

// An outage is one line in the log, not one a second.
function tellOnce(exporter: SpanExporter, onTrouble: Trouble): SpanExporter {
  let isFailing = false
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !isFailing) onTrouble(result.error)
        isFailing = result.code !== 0
        onResult(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
