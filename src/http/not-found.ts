// Addresses that are not there, and methods they do not take: answered before a byte of the body is looked at.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowedMethods } from './methods.ts'

export function addNotFound(server: FastifyInstance, doors: 'all' | 'health only'): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    endIfLong(request, reply)
    const allowed = doors === 'all' ? allowedMethods(request.url) : []
    if (allowed.length === 0)
      return reply.code(404).send({ detail: 'There is nothing at this address. /docs lists what there is.' })
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send({ detail: `This address takes ${allowed.join(', ')} only.` })
  }
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answer(request, reply)
  })
  server.setNotFoundHandler(answer)
}

const SHORT_BODY_BYTES = 65_536

// A long body is not read to its end: the connection ends with the answer.
export function endIfLong({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const isShort = Number(headers['content-length'] ?? Number.NaN) <= SHORT_BODY_BYTES
  if (!raw.complete && hasBody && !isShort) reply.header('connection', 'close')
}
