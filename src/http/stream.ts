// A reply as server-sent events: its text in parts, as they are written where they may be seen; then its score
// without the text, for callers append every part they see; then the end.
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { asAppError, bugSentence } from './errors.ts'

type Answer = { ai_message: string; SessionId: string }

export const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
const END = 'data: [DONE]\n\n'
const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

// Until the first part an error is an answer like any other; after it, the last line.
export async function streamReply(
  reply: FastifyReply,
  log: Logger,
  answer: (onText: (delta: string, sessionId: string) => void) => Promise<Answer>,
): Promise<FastifyReply> {
  const { raw } = reply
  let isBegun = false
  let sent = ''
  const part = (ai_message: string, SessionId: string) => {
    if (!isBegun) {
      reply.hijack()
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventHeaders })
    }
    isBegun = true
    sent += ai_message
    raw.write(line({ ai_message, SessionId }))
  }
  try {
    const whole = await answer(part)
    if (!isBegun) return reply.headers(eventHeaders).send(allAtOnce(whole))
    const rest = restOf(whole.ai_message, sent)
    if (rest !== '') part(rest, whole.SessionId)
    raw.end(line({ ...whole, ai_message: '' }) + END)
  } catch (error) {
    if (!isBegun) throw error
    const known = asAppError(error)
    if (!known) log.error({ request: reply.request.id, err: error }, 'bug')
    raw.end(line({ detail: known?.message ?? bugSentence(reply.request.id) }) + END)
  }
  return reply
}

const allAtOnce = (whole: Answer): string =>
  [
    ...parts(whole.ai_message).map((ai_message) => ({ ai_message, SessionId: whole.SessionId })),
    { ...whole, ai_message: '' },
  ]
    .map(line)
    .join('') + END

// A model that broke off leaves its first words standing; the reply that counts follows them whole.
export const restOf = (whole: string, sent: string): string =>
  whole.startsWith(sent) ? whole.slice(sent.length) : `\n\n${whole}`

// Word by word, nothing lost between them.
const parts = (text: string): string[] => text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? []
