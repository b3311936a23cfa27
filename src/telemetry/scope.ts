// What is being done now, and for which request: everything that follows from a call knows the call's id and, where
// traces are sent, the span that is under way.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

export type Tracing = {
  tracer: Tracer
  // The trace that a caller's headers continue, and the headers that let another service continue it.
  extract(headers: IncomingHttpHeaders): Context
  inject(context: Context): Record<string, string>
  close(): Promise<void>
}

export type Scope = { requestId: string; tracing: Tracing | undefined; context: Context }

// Names and numbers alone: a span leaves the house, and no text of a persona or a caller may.
export type Facts = Record<string, string | number | boolean | undefined>

export type SpanOptions = { facts?: Facts; kind?: SpanKind }

const scopes = new AsyncLocalStorage<Scope>()

export const enter = <T>(scope: Scope, act: () => T): T => scopes.run(scope, act)

// For what a request sets in motion, but does not do itself.
export const leave = <T>(act: () => T): T => scopes.exit(act)

export const currentRequestId = (): string | undefined => scopes.getStore()?.requestId

export function currentTraceId(): string | undefined {
  const scope = scopes.getStore()
  return scope?.tracing && trace.getSpanContext(scope.context)?.traceId
}

// What a service that is called on behalf of the request is told about it.
export function outgoingHeaders(): Record<string, string> {
  const scope = scopes.getStore()
  return scope ? { 'x-request-id': scope.requestId, ...scope.tracing?.inject(scope.context) } : {}
}

// The scope of a request or a job, with its first span; whoever opens it ends the span.
export function openScope(
  tracing: Tracing | undefined,
  requestId: string,
  name: string,
  { facts = {}, kind = SpanKind.INTERNAL, headers = {} }: SpanOptions & { headers?: IncomingHttpHeaders } = {},
): { scope: Scope; span: Span | undefined } {
  if (!tracing) return { scope: { requestId, tracing, context: ROOT_CONTEXT }, span: undefined }
  const outer = tracing.extract(headers)
  const attributes: Attributes = { 'memoir.request_id': requestId, ...facts }
  const span = tracing.tracer.startSpan(name, { kind, attributes }, outer)
  return { scope: { requestId, tracing, context: trace.setSpan(outer, span) }, span }
}

// Work that goes on after the request was answered is a trace of its own, under the same request id.
export async function inJob<T>(
  tracing: Tracing | undefined,
  requestId: string,
  name: string,
  options: SpanOptions,
  act: () => Promise<T>,
): Promise<T> {
  const { scope, span } = openScope(tracing, requestId, name, options)
  return enter(scope, () => (span ? untilEnd(span, act) : act()))
}

// A step of what is under way. Where no traces are sent it costs a look.
export async function inSpan<T>(name: string, options: SpanOptions, act: () => Promise<T>): Promise<T> {
  const scope = scopes.getStore()
  if (!scope?.tracing) return act()
  const { facts = {}, kind = SpanKind.INTERNAL } = options
  const span = scope.tracing.tracer.startSpan(name, { kind, attributes: facts }, scope.context)
  return enter({ ...scope, context: trace.setSpan(scope.context, span) }, () => untilEnd(span, act))
}

// Of an error only its kind is told: its sentence may repeat what somebody wrote.
async function untilEnd<T>(span: Span, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown }
    span.setAttribute('error.type', String(code ?? name ?? 'unknown')).setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
