// The public interface under /v1: each route hands the request to the service of its caller.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Caller, refusal } from '../app/access.ts'
import type { App } from '../app/app.ts'
import type { Operation } from '../contract/operation.ts'
import * as api from '../contract/public-api.ts'
import type { Service } from '../contract/service.ts'
import { ownerKey } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { type Limits, limits } from '../domain/limits.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import type { KeyGuard } from './key-guard.ts'
import { sendList } from './list.ts'
import type { Load } from './load.ts'
import { readForm } from './multipart.ts'
import { streamReply } from './stream.ts'

export type PublicNeeds = {
  app: App
  limits: Limits
  log: Logger
  tempFolder: string
  sessions: ConsoleSessions
  rateLimit: (keyId: string) => Promise<void>
  keyGuard: KeyGuard
  load: Load
}

type Query = Record<string, unknown>

export function addPublicApi(server: FastifyInstance, needs: PublicNeeds): void {
  const { app } = needs
  const service = (request: FastifyRequest, live: Partial<Caller> = {}): Service =>
    app.as({ key: request.key!, requestId: request.id, onceName: onceNameOf(request), ...live })
  const lists = (request: FastifyRequest) => app.listsFor({ key: request.key!, requestId: request.id })
  const talking = (reply: FastifyReply) => ({
    onReply: (id: string) => reply.raw.headersSent || reply.header('x-memoir-reply-id', id),
    signal: untilTheyLeave(reply),
  })
  const body = (request: FastifyRequest) => request.body as never
  const query = (request: FastifyRequest) => request.query as Query

  const route = (operation: Operation, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    server.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      onRequest: async (request, reply) => {
        // The owner, from the console, speaks to any persona without a key of its own.
        if (await needs.sessions.keyOf(request)) {
          request.key = ownerKey
        } else {
          const given = request.headers['x-api-key'] as string | undefined
          const key = await app.identify(given)
          needs.keyGuard.check(request.ip, given !== undefined, key)
          if (!key || key.admin) throw refusal(operation)
          await needs.rateLimit(key.id)
          request.key = key
        }
        needs.load.enter(request, reply, operation, request.key.id)
      },
      handler,
    })

  route(api.message, (request, reply) => service(request, talking(reply)).message(body(request), query(request)))
  route(api.messageStream, (request, reply) =>
    streamReply(reply, needs.log, (onText) =>
      service(request, { ...talking(reply), onText }).message(body(request), query(request)),
    ),
  )
  route(api.instruction, (request, reply) =>
    service(request, talking(reply)).instruction(query(request), body(request)),
  )
  route(api.uploadUrl, (request) => service(request).uploadUrl(body(request)))
  route(api.upload, (request) => service(request).uploadUrl(body(request)))
  route(api.uploadText, (request) => service(request).uploadText(body(request)))
  route(api.uploadFile, async (request) => {
    const { fields, file } = await readForm(request, needs.tempFolder, needs.limits)
    try {
      return await service(request).uploadFile(fields, file, query(request).DomainName)
    } finally {
      await file.discard()
    }
  })
  route(api.memory, (request) => service(request).memory(body(request)))
  route(api.conversation, async (request, reply) => sendList(reply, await lists(request).conversation(body(request))))
  route(api.documents, async (request, reply) =>
    sendList(reply, await lists(request).documents(query(request).size, body(request))),
  )
  route(api.updateDocument, (request) => service(request).updateDocument(query(request).feed_id, body(request)))
  route(api.validateKey, async (request) => {
    const { name, email } = await app.ownerOf(request.key!)
    const [firstName = '', ...rest] = name.trim().split(/\s+/)
    return { validation: 'success', firstName, lastName: rest.join(' '), email }
  })
}

function onceNameOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given === 'string' && given !== '' && given.length <= limits.idempotencyKeyCharacters) return given
  throw new AppError('invalid', `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharacters} characters.`)
}

// Nobody pays a model for an answer that nobody waits for.
function untilTheyLeave(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
