// What operators and newcomers look at: health, figures, and the description of the interface.
import { isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import { openApi } from '../contract/openapi.ts'
import { AppError } from '../domain/errors.ts'
import { renderDocs } from './docs.ts'
import { givenKey } from './door-key.ts'
import type { Metrics } from './metrics.ts'

export type SystemNeeds = {
  app: Pick<App, 'identify'>
  metrics: Metrics
  trustProxy: boolean
  whatIsWrong(): Promise<string | null>
  chatModels(): { ready: number; resting: number }
  memoriesToEmbed(): number
  outdatedScores(): Promise<number>
  damagedTexts(): Promise<number>
  lastBackup(): Promise<{ madeAt: Date } | undefined>
}

export const systemPaths = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']

export function addSystem(server: FastifyInstance, needs: SystemNeeds): void {
  const { metrics, whatIsWrong, chatModels, memoriesToEmbed, outdatedScores, damagedTexts, lastBackup } = needs
  const description = openApi()
  const descriptionText = JSON.stringify(description)
  const docs = renderDocs(description)

  server.get('/', (_request, reply) => reply.redirect('/console', 302))
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const detail = await whatIsWrong()
    // A chat model that fails, or a damaged text, is told, and no reason to send callers elsewhere.
    if (detail !== null) return reply.code(503).header('retry-after', 1).send({ detail })
    const { madeAt } = (await lastBackup()) ?? {}
    return {
      status: 'ready',
      chat_models: chatModels(),
      memories_to_embed: memoriesToEmbed(),
      outdated_scores: await outdatedScores(),
      damaged_texts: await damagedTexts(),
      last_backup: madeAt?.toISOString() ?? null,
    }
  })
  server.get('/metrics', { onRequest: (request) => admitToFigures(needs, request) }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  )
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(descriptionText))
  server.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .send(docs),
  )
}

// Figures tell how much goes on: from elsewhere than this machine they take the admin key.
async function admitToFigures({ app, trustProxy }: SystemNeeds, request: FastifyRequest): Promise<void> {
  if (!trustProxy && isThisMachine(request.socket.remoteAddress)) return
  const key = await app.identify(givenKey(request))
  if (!key?.admin) throw new AppError('unauthenticated', 'Send the admin key in x-api-key, or as a bearer token.')
}

function isThisMachine(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
