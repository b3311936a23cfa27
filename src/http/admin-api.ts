// The owner's interface under /admin: every operation of the contract is a route to the command of the same name.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import { type Admin, adminOperations } from '../contract/admin-api.ts'
import { adminEvents } from '../contract/admin-events.ts'
import type { Operation } from '../contract/operation.ts'
import { AppError } from '../domain/errors.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { streamEvents } from './events.ts'
import type { KeyGuard } from './key-guard.ts'
import type { Load } from './load.ts'
import { siteOf } from './origin.ts'

export type AdminNeeds = {
  app: App
  sessions: ConsoleSessions
  keyGuard: KeyGuard
  load: Load
  publicUrl: string | undefined
}

export function addAdminApi(server: FastifyInstance, needs: AdminNeeds): void {
  const { app } = needs
  for (const [name, operation] of Object.entries(adminOperations) as [keyof Admin, Operation][]) {
    server.route({
      ...routeOf(needs, operation),
      handler: (request) => {
        const command = app.admin(callerOf(request, needs.publicUrl))[name] as (fields: unknown) => Promise<unknown>
        return command(fieldsOf(request))
      },
    })
  }
  const following = new Set<ServerResponse>()
  server.addHook('preClose', async () => {
    for (const stream of following) stream.end()
  })
  server.route({
    method: adminEvents.method,
    url: adminEvents.path,
    config: { operation: adminEvents },
    onRequest: (request) => admit(needs, request),
    handler: async (request, reply) =>
      streamEvents(reply, (listener) => app.follow({ key: request.key! }, listener), following),
  })
}

const callerOf = (request: FastifyRequest, publicUrl: string | undefined) => {
  const { key, id, ip, signInId } = request
  const site = signInId === undefined ? undefined : siteOf(request, publicUrl)
  return { key: key!, requestId: id, from: ip, signInId, site }
}

// A route of the owner's, for who may come to it.
export const routeOf = (needs: AdminNeeds, operation: Operation) => ({
  method: operation.method,
  url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  config: { operation },
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    await admit(needs, request)
    needs.load.enter(request, reply, operation, request.key!.id)
  },
})

async function admit({ app, sessions, keyGuard }: AdminNeeds, request: FastifyRequest): Promise<void> {
  request.key = await sessions.keyOf(request)
  if (request.key) return
  const given = request.headers['x-api-key'] as string | undefined
  if (!given) throw new AppError('unauthenticated', 'Send an admin key in x-api-key.')
  const key = await app.identify(given)
  keyGuard.check(request.ip, true, key)
  if (!key?.admin) throw new AppError('unauthorized', 'This is not an admin key.')
  request.key = key
}

// Path, query and body are one flat set of fields; the path wins, so that a body cannot change whose persona it is.
export function fieldsOf(request: FastifyRequest): unknown {
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) return body
  return { ...body, ...(request.query as object), ...(request.params as object) }
}
