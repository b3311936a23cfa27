// GET /admin/events: the work of learning as server-sent events, as long as the owner looks.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Listener } from '../app/documents/events.ts'
import { limits } from './limits.ts'

// `open` holds the streams that must end before the server can stop.
export function streamEvents(
  reply: FastifyReply,
  follow: (listener: Listener) => () => void,
  open: Set<ServerResponse>,
): void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(': following\n\n')
  open.add(raw)
  const stop = follow((event) => {
    // Someone who does not read is let go instead of being remembered for: the list tells them the rest.
    if (raw.writableNeedDrain && raw.writableLength > limits.eventsBufferBytes) raw.destroy()
    else raw.write(`event: document\nid: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
  })
  const ping = setInterval(() => raw.write(': still here\n\n'), limits.eventsPingMs)
  raw.on('close', () => {
    clearInterval(ping)
    open.delete(raw)
    stop()
  })
}
