// A list as a JSON array, entry by entry, at the pace at which it is read.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export const sendList = (reply: FastifyReply, entries: AsyncIterable<object>): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(Readable.from(asJson(entries)))

async function* asJson(entries: AsyncIterable<object>): AsyncIterable<string> {
  let before = '['
  for await (const entry of entries) {
    yield before + JSON.stringify(entry)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
