// What operators and newcomers look at: health, figures, and the description of the interface.
import type { FastifyInstance } from 'fastify'
import { openApi } from '../contract/openapi.ts'
import { renderDocs } from './docs.ts'
import type { Metrics } from './metrics.ts'

export type SystemNeeds = { metrics: Metrics; isReady(): Promise<boolean> }

export const systemPaths = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']

export function addSystem(server: FastifyInstance, { metrics, isReady }: SystemNeeds): void {
  const description = openApi()
  const descriptionText = JSON.stringify(description)
  const docs = renderDocs(description)

  server.get('/', (_request, reply) => reply.redirect('/console', 302))
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (await isReady()) return { status: 'ready' }
    return reply
      .code(503)
      .header('retry-after', 1)
      .send({ detail: 'The store does not answer, or the service is stopping.' })
  })
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()))
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(descriptionText))
  server.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(docs),
  )
}
