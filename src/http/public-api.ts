// The public interface: every row of the contract is a route, under each of its paths, to the operation of the same
// name.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { admitted, type Caller } from '../app/access.ts'
import type { App } from '../app/app.ts'
import { isInTurn } from '../app/in-turn.ts'
import type { Call } from '../app/service.ts'
import { limits, type Sizes } from '../contract/limits.ts'
import { documentHeader, type Operation, ownerHeader, withStreamed } from '../contract/operation.ts'
import { type PublicName, publicOperations, type Service } from '../contract/public-api.ts'
import { type Key, ownerKey } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import type { KeyGuard } from './key-guard.ts'
import { untilTheyLeave } from './leaving.ts'
import { sendList } from './list.ts'
import type { Load } from './load.ts'
import { readForm } from './multipart.ts'
import type { RateLimit } from './rate-limit.ts'
import { streamReply } from './stream.ts'

export type PublicNeeds = {
  app: App
  sizes: Sizes
  log: Logger
  tempFolder: string
  sessions: ConsoleSessions
  rateLimit: RateLimit
  keyGuard: KeyGuard
  load: Load
}

type Reply = Awaited<ReturnType<Service['message']>>

export function addPublicApi(server: FastifyInstance, needs: PublicNeeds): void {
  for (const [name, row] of Object.entries(publicOperations as Record<string, Operation>)) {
    const callFor = (request: FastifyRequest, live: Partial<Caller>): Call => {
      const caller = {
        key: request.key!,
        requestId: request.id,
        from: request.ip,
        onceName: onceNameOf(request),
        ...live,
      }
      return needs.app.inTurn(caller, name as PublicName)
    }
    for (const operation of withStreamed(row)) {
      for (const url of [operation.path, ...(operation.aliases ?? [])]) {
        server.route({
          method: operation.method,
          url,
          config: { operation },
          onRequest: async (request, reply) => {
            request.key = await admit(needs, request, reply, operation)
            needs.load.enter(request, reply, operation, request.key.id)
          },
          handler: (request, reply) => answer(needs, operation, request, reply, callFor),
        })
      }
    }
  }
}

async function admit(
  needs: PublicNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<Key> {
  // Whoever is signed in to the console needs no other key: the owner for any persona, people for theirs.
  const signedIn = await needs.sessions.keyOf(request)
  if (signedIn) return signedIn.admin ? ownerKey : signedIn
  const given = request.headers['x-api-key'] as string | undefined
  const found = await needs.app.identify(given)
  needs.keyGuard.check(request.ip, given !== undefined, found)
  // So does whoever sends the admin key and says so: by itself it does not talk, lest a program be given it.
  if (found?.admin && request.headers[ownerHeader] !== undefined) return ownerKey
  const key = admitted(found, operation)
  await needs.rateLimit(key.id, reply)
  return key
}

async function answer(
  { tempFolder, sizes, log }: PublicNeeds,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  callFor: (request: FastifyRequest, live: Partial<Caller>) => Call,
): Promise<unknown> {
  const live = { onReply: tellReplyId(reply), onDocument: tellDocumentIds(reply), signal: untilTheyLeave(reply) }
  if (operation.stream)
    return streamReply(
      reply,
      log,
      (onText) => callFor(request, { ...live, onText })(request.body, request.query) as Promise<Reply>,
    )
  const call = callFor(request, live)
  if (!operation.multipart) {
    const whole = await call(request.body, request.query)
    return isInTurn(whole) ? sendList(reply, whole) : whole
  }
  const { fields, file } = await readForm(request, tempFolder, sizes.fileBytes)
  try {
    return await call(fields, request.query, file)
  } finally {
    await file.discard()
  }
}

const tellReplyId = (reply: FastifyReply) => (id: string) => {
  if (!reply.raw.headersSent) reply.header('x-memoir-reply-id', id)
}

function tellDocumentIds(reply: FastifyReply): (id: string) => void {
  const ids: string[] = []
  return (id) => {
    ids.push(id)
    reply.header(documentHeader, ids.join(', '))
  }
}

function onceNameOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given === 'string' && given !== '' && given.length <= limits.idempotencyKeyCharacters) return given
  throw new AppError('invalid', `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharacters} characters.`)
}
