// The public interface: every row of the contract is a route, under each of its paths, to the operation of the same
// name.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { admitted, type Caller } from '../app/access.ts'
import type { App } from '../app/app.ts'
import { limits, type Sizes } from '../contract/limits.ts'
import { type Operation, withStreamed } from '../contract/operation.ts'
import { publicOperations, type UploadedFile } from '../contract/public-api.ts'
import { ownerKey } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { readForm } from './multipart.ts'
import { streamReply } from './stream.ts'

export type PublicNeeds = {
  app: App
  sizes: Sizes
  log: Logger
  tempFolder: string
  sessions: ConsoleSessions
  rateLimit: (keyId: string) => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each operation's own answer, as its contract describes it
type Call = (body: unknown, query: unknown, file?: UploadedFile) => Promise<any>

export function addPublicApi(server: FastifyInstance, needs: PublicNeeds): void {
  for (const [name, row] of Object.entries(publicOperations as Record<string, Operation>)) {
    const callFor = (request: FastifyRequest, live: Partial<Caller>): Call => {
      const caller = { key: request.key!, requestId: request.id, onceName: onceNameOf(request), ...live }
      return needs.app.as(caller)[name as keyof typeof publicOperations] as Call
    }
    for (const operation of withStreamed(row)) {
      for (const url of [operation.path, ...(operation.aliases ?? [])]) {
        server.route({
          method: operation.method,
          url,
          config: { operation },
          onRequest: (request) => admit(needs, request, operation),
          handler: (request, reply) => answer(needs, operation, request, reply, callFor),
        })
      }
    }
  }
}

async function admit(needs: PublicNeeds, request: FastifyRequest, operation: Operation): Promise<void> {
  // The owner, from the console, speaks to any persona without a key of its own.
  if (await needs.sessions.keyOf(request)) {
    request.key = ownerKey
    return
  }
  const key = admitted(await needs.app.identify(request.headers['x-api-key'] as string | undefined), operation)
  await needs.rateLimit(key.id)
  request.key = key
}

async function answer(
  { tempFolder, sizes, log }: PublicNeeds,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  callFor: (request: FastifyRequest, live: Partial<Caller>) => Call,
): Promise<unknown> {
  const live = { onReply: tellReplyId(reply), signal: untilTheyLeave(reply) }
  if (operation.stream)
    return streamReply(reply, log, (onText) => callFor(request, { ...live, onText })(request.body, request.query))
  const call = callFor(request, live)
  if (!operation.multipart) return call(request.body, request.query)
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
