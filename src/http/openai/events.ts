// Server-sent events that begin with the first of them: until then an error is an answer like any other.
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { asAppError, bugSentence } from '../errors.ts'
import { eventHeaders } from '../stream.ts'
import { openAiError } from './errors.ts'

export type EventStream = {
  send(event: object, name?: string): void
  end(last?: string): void
}

// Runs `write`; what fails after the first event becomes the last one.
export async function streamEvents(
  reply: FastifyReply,
  log: Logger,
  write: (stream: EventStream) => Promise<void>,
): Promise<FastifyReply> {
  const { raw } = reply
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    reply.hijack()
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventHeaders })
  }
  const send = (event: object, name?: string) => {
    begin()
    raw.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  }
  const end = (last = '') => {
    begin()
    raw.end(last)
  }
  try {
    await write({ send, end })
  } catch (error) {
    if (!isBegun) throw error
    const known = asAppError(error)
    if (!known) log.error({ request: reply.request.id, err: error }, 'bug')
    const sentence = known?.message ?? bugSentence(reply.request.id)
    send(openAiError({ code: known?.code ?? 'bug', sentence }), 'error')
    raw.end()
  }
  return reply
}
