// Callers who leave before their answer.
import type { FastifyReply } from 'fastify'

// Nobody pays a model for an answer that nobody waits for.
export function untilTheyLeave(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
