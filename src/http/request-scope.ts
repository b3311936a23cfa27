// Every request has an id, the caller's own or a new one, and where traces are sent a span: both are known to all that
// is done for it.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorHeader } from '../contract/operation.ts'
import { enter, openScope, type Scope, type Tracing } from '../telemetry/scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    opened: { scope: Scope; span: Span | undefined } | undefined
  }
}

// Asked for every few seconds, and of no interest.
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

// A caller's own id is kept when it is harmless in a log.
export function requestIdOf({ headers }: { headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

export function addRequestScope(server: FastifyInstance, tracing: Tracing | undefined): void {
  server.decorateRequest('opened', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    request.opened = open(tracing, request)
    enter(request.opened.scope, done)
  })
  // A body is read in the connection's turn, not the request's.
  server.addHook('preValidation', (request, _reply, done) => enter(request.opened!.scope, done))
  server.addHook('onResponse', async (request, reply) => request.opened?.span && end(request.opened.span, reply))
}

// The address as the route says it: a real one may hold the name of a session or a persona.
function open(tracing: Tracing | undefined, request: FastifyRequest) {
  const { url: route, config } = request.routeOptions
  return openScope(
    UNTRACED.has(route ?? '') ? undefined : tracing,
    request.id,
    [request.method, route].join(' ').trim(),
    {
      kind: SpanKind.SERVER,
      headers: request.headers,
      facts: {
        'http.request.method': request.method,
        'http.route': route,
        'url.scheme': request.protocol,
        'memoir.operation': config.operation?.name,
      },
    },
  )
}

function end(span: Span, reply: FastifyReply): void {
  span.setAttribute('http.response.status_code', reply.statusCode)
  const error = reply.getHeader(errorHeader)
  if (error !== undefined) span.setAttribute('error.type', String(error))
  // A reply that is withheld is no fault of the service.
  if (reply.statusCode >= 500 && error !== 'withheld') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
