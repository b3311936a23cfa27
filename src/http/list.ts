// A list as a JSON array, entry by entry, at the pace at which it is read.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export const sendList = (reply: FastifyReply, entries: AsyncIterable<object>): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(Readable.from(asJson(entries)))

const TURN_CHARACTERS = 262_144

// A fast reader never makes us wait: after so much the others have their turn.
async function* asJson(entries: AsyncIterable<object>): AsyncIterable<string> {
  let before = '['
  let written = 0
  for await (const entry of entries) {
    const text = before + JSON.stringify(entry)
    yield text
    before = ','
    written += text.length
    if (written < TURN_CHARACTERS) continue
    await new Promise((resolve) => setImmediate(resolve))
    written = 0
  }
  yield before === '[' ? '[]' : ']'
}
