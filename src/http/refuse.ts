// What every refusal has in common, whatever the shape of its body: status, headers, and a log line for bugs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { errorHeader } from '../contract/operation.ts'
import type { ErrorCode } from '../domain/errors.ts'
import { asAppError, bugSentence, statusOf } from './errors.ts'
import { endIfLong } from './not-found.ts'

export type Refusal = { code: ErrorCode | 'bug'; status: number; sentence: string }

// Sets status and headers; the body is the door's own.
export function refuse(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const error = asAppError(thrown)
  if (!error) {
    log.error({ request: request.id, err: thrown }, 'bug')
    reply.code(500)
    return { code: 'bug', status: 500, sentence: bugSentence(request.id) }
  }
  const { operation } = request.routeOptions.config
  const status = error.code === 'unauthorized' ? (operation?.unauthorized?.status ?? 403) : statusOf(error.code)
  reply.code(status).header(errorHeader, error.code)
  if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS)
  endIfLong(request, reply)
  return { code: error.code, status, sentence: error.message }
}
