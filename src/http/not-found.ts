// Addresses that are not there, and methods they do not take: answered before a byte of the body is looked at.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOpenAi } from '../contract/doors.ts'
import { allowedMethods } from './methods.ts'
import { openAiError } from './openai/errors.ts'

export function addNotFound(server: FastifyInstance, doors: 'all' | 'health only'): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    endIfLong(request, reply)
    const allowed = doors === 'all' ? allowedMethods(request.url) : []
    if (allowed.length === 0)
      return reply.code(404).send(told(request, 'There is nothing at this address. /docs lists what there is.'))
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send(told(request, `This address takes ${allowed.join(', ')} only.`))
  }
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answer(request, reply)
  })
  server.setNotFoundHandler(answer)
}

const told = ({ url }: FastifyRequest, sentence: string): object =>
  isOpenAi(url) ? openAiError({ code: 'not_found', sentence }) : { detail: sentence }

const DRAINED_BYTES = 32 * 1024 * 1024

// The rest of a body that nobody wants is thrown away as it comes, so that its sender hears the answer; of a longer one
// it is not: the connection ends with the answer.
export function endIfLong({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const isShort = Number(headers['content-length'] ?? Number.NaN) <= DRAINED_BYTES
  if (raw.complete || !hasBody) return
  if (!isShort) {
    reply.header('connection', 'close')
    return
  }
  // Fastify sets it for every body over its route's limit.
  reply.removeHeader('connection')
  // A form that broke off is still tied to its parser.
  reply.raw.once('finish', () => raw.unpipe().resume())
}
