// What the environment says of traces, under the names that OpenTelemetry gives them.

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type TracingSettings = {
  endpoint: string // without /v1/traces
  headers: Record<string, string>
  serviceName: string
  sampler: (typeof samplers)[number]
  ratio: number
}

// Rows of the one list of settings (src/config.ts).
export const tracingSettings = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'Traces go to this OpenTelemetry collector, by OTLP over HTTP. Unset: there are none.',
    fallback: '',
  },
  { name: 'OTEL_EXPORTER_OTLP_HEADERS', meaning: 'Headers for the collector: key=value,key=value.', fallback: '' },
  { name: 'OTEL_SERVICE_NAME', meaning: 'What traces call this service.', fallback: 'memoir' },
  { name: 'OTEL_TRACES_SAMPLER', meaning: `Which traces are sent: ${samplers.join(', ')}.`, fallback: samplers[3] },
  { name: 'OTEL_TRACES_SAMPLER_ARG', meaning: 'Share of the traces, 0 to 1, for a ratio sampler.', fallback: '1' },
] as const
