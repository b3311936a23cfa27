// /openai/v1: personas for programs written for OpenAI's interface. A persona is a model.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../../app/app.ts'
import { openAiDoors } from '../../contract/doors.ts'
import type { Sizes } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { AppError } from '../../domain/errors.ts'
import { admitAtDoor, type DoorKeyNeeds } from '../door-key.ts'
import type { Load } from '../load.ts'
import { refuse } from '../refuse.ts'
import { answer } from './answer.ts'
import { completion, streamCompletion } from './chat.ts'
import { readChat, readResponse } from './conversation.ts'
import { embeddings } from './embeddings.ts'
import { openAiError } from './errors.ts'
import { streamEvents } from './events.ts'
import { response, streamResponse } from './response.ts'

export type OpenAiNeeds = DoorKeyNeeds & { app: App; log: Logger; load: Load; sizes: Sizes }

type Handler = (needs: OpenAiNeeds, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function addOpenAi(server: FastifyInstance, needs: OpenAiNeeds): void {
  for (const [name, handler] of Object.entries(handlers) as [keyof typeof handlers, Handler][]) {
    const operation: Operation = openAiDoors[name]
    server.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/, ':$1'),
      config: { operation },
      onRequest: async (request, reply) => {
        request.key = await admitAtDoor(needs, request, reply)
        needs.load.enter(request, reply, operation, request.key.id)
      },
      handler: (request, reply) => handler(needs, request, reply),
      errorHandler: (thrown, request, reply) => {
        const { code, sentence } = refuse(needs.log, thrown, request, reply)
        return reply.send(openAiError({ code, sentence: code === 'unauthorized' ? REFUSED : sentence }))
      },
    })
  }
}

// The same for a scope that is missing and a persona that is not this key's, so that nobody can probe.
const REFUSED = 'This key may not use this model: it lacks the scope message, or no persona of its own has that name.'

const handlers: Record<keyof typeof openAiDoors, Handler> = {
  async chat({ app, log, sizes }, request, reply) {
    const asked = readChat(request.body, request.key!.id, sizes)
    const ask = (onText?: (delta: string) => void) => answer(app, request, reply, asked, onText)
    if (!asked.isStreamed) return completion(asked, await ask())
    return streamEvents(reply, log, (stream) => streamCompletion(stream, asked, ask, randomUUID()))
  },

  async responses({ app, log, sizes }, request, reply) {
    const asked = readResponse(request.body, request.key!.id, sizes)
    const ask = (onText?: (delta: string) => void) => answer(app, request, reply, asked, onText)
    if (!asked.isStreamed) return response(asked, await ask())
    return streamEvents(reply, log, (stream) => streamResponse(stream, asked, ask, randomUUID()))
  },

  embeddings: ({ app, sizes }, request) => embeddings(app, request, sizes),

  async models(needs, request) {
    return { object: 'list', data: await modelsOf(needs, request) }
  },

  async model(needs, request) {
    const wanted = (request.params as { model: string }).model.toLowerCase()
    const found = (await modelsOf(needs, request)).find(({ id }) => id.toLowerCase() === wanted)
    if (!found) throw new AppError('not_found', 'No persona of this key has that name.')
    return found
  },
}

async function modelsOf({ app }: OpenAiNeeds, request: FastifyRequest) {
  const { personas } = await app.as({ key: request.key!, requestId: request.id }).personas({})
  return personas.map(({ DomainName, ai_name }) => ({
    id: DomainName,
    object: 'model',
    created: 0,
    owned_by: 'memoir',
    name: ai_name,
  }))
}
