// A reply as server-sent events: its parts, the whole with its score, and the end.
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Reply } from '../contract/public-answers.ts'

export function streamReply(reply: FastifyReply, answer: z.output<typeof Reply>): FastifyReply {
  const events = [
    ...parts(answer.ai_message).map((part) => ({ ai_message: part, SessionId: answer.SessionId })),
    answer,
  ]
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-store')
  return reply.send(`${text}data: [DONE]\n\n`)
}

// Word by word, nothing lost between them.
const parts = (text: string): string[] => text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? []
