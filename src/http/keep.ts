// The owner's files: what they take out is sent while it is made.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { backupName } from '../app/backups/schedule.ts'
import { keepOperations } from '../contract/keep-api.ts'
import { type AdminNeeds, admit } from './admin-api.ts'

export function addKeep(server: FastifyInstance, needs: AdminNeeds): void {
  const operation = keepOperations.backup
  server.route({
    method: operation.method,
    url: operation.path,
    config: { operation },
    onRequest: async (request, reply) => {
      await admit(needs, request)
      needs.load.enter(request, reply, operation, request.key!.id)
    },
    handler: (request, reply) => {
      const parts = needs.app.backup({ key: request.key! }, request.body ?? {})
      return sendFile(reply, parts, { name: backupName(new Date()), type: operation.download })
    },
  })
}

// What fails before the first part is told as an error; after that only the connection can be broken off.
async function sendFile(reply: FastifyReply, parts: AsyncIterable<Uint8Array>, file: { name: string; type: string }) {
  const source = parts[Symbol.asyncIterator]()
  const first = await source.next()
  const all = async function* () {
    try {
      for (let next = first; !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return reply
    .type(file.type)
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .send(Readable.from(all(), { objectMode: false, highWaterMark: 1 }))
}
