// A list as a JSON array: a short one at once, a long one piece by piece, at the pace at which it is read.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const PIECE_CHARACTERS = 65_536

export async function sendList(reply: FastifyReply, entries: AsyncIterable<object[]>): Promise<FastifyReply> {
  const pieces = piecesOf(entries)
  const first = await pieces.next()
  const second = await pieces.next()
  reply.type('application/json; charset=utf-8')
  if (second.done) return reply.send(first.value)
  return reply.send(Readable.from(inOrder([first.value!, second.value], pieces)))
}

async function* inOrder(begun: string[], rest: AsyncIterable<string>): AsyncIterable<string> {
  yield* begun
  for await (const piece of rest) {
    yield piece
    // A fast reader never makes us wait: between two pieces the others have their turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function* piecesOf(entries: AsyncIterable<object[]>): AsyncGenerator<string, undefined> {
  let piece = '['
  let isFirst = true
  for await (const some of entries) {
    for (const entry of some) {
      piece += isFirst ? JSON.stringify(entry) : `,${JSON.stringify(entry)}`
      isFirst = false
      if (piece.length < PIECE_CHARACTERS) continue
      yield piece
      piece = ''
    }
  }
  yield `${piece}]`
  return undefined
}
