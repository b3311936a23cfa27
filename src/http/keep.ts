// The owner's files: what they take out is sent while it is made, what they bring in rests in a file until it is whole.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { backupName } from '../app/backups/schedule.ts'
import { keepOperations } from '../contract/keep-api.ts'
import type { Operation } from '../contract/operation.ts'
import { type AdminNeeds, fieldsOf, routeOf } from './admin-api.ts'
import { limits } from './limits.ts'
import { type Spooled, spool } from './spool.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

export type KeepNeeds = AdminNeeds & { tempFolder: string }

export function addKeep(server: FastifyInstance, needs: KeepNeeds): void {
  const { app } = needs
  const { backup, exportPersona, exportCaller, importPersona, learnFile } = keepOperations
  const add = (operation: Operation, handler: Handler, scope = server) =>
    scope.route({ ...routeOf(needs, operation), handler })
  add(backup, (request, reply) =>
    sendFile(reply, backup, backupName(new Date()), app.backup({ key: request.key! }, fieldsOf(request))),
  )
  add(exportPersona, async (request, reply) => {
    const parts = await app.exportPersona({ key: request.key! }, fieldsOf(request))
    return sendFile(reply, exportPersona, `${(request.params as { domain_name: string }).domain_name}.zip`, parts)
  })
  add(exportCaller, async (request, reply) => {
    const parts = await app.exportCaller({ key: request.key! }, fieldsOf(request))
    return sendFile(reply, exportCaller, 'caller.zip', parts)
  })
  // The body is left as it comes: it may be larger than memory.
  server.addContentTypeParser(importPersona.upload, (_request, payload, done) => done(null, payload))
  const receive = async <T>({ body }: FastifyRequest, use: (file: Spooled['onDisk']) => Promise<T>): Promise<T> => {
    const file = await spool(body as AsyncIterable<Uint8Array>, needs.tempFolder, limits.importBytes)
    try {
      return await use(file.onDisk)
    } finally {
      await file.discard()
    }
  }
  add(importPersona, (request) =>
    receive(request, (file) => app.importPersona({ key: request.key! }, file, request.query)),
  )
  // Bytes of any kind, here only: elsewhere such a body is refused.
  server.register(async (scope) => {
    scope.addContentTypeParser(learnFile.upload, (_request, payload, done) => done(null, payload))
    const handler: Handler = (request) => {
      const { key, id: requestId, ip: from, query, params } = request
      const fields = { ...(query as object), ...(params as object) }
      return receive(request, (file) => app.learnFile({ key: key!, requestId, from }, file, fields))
    }
    add(learnFile, handler, scope as never)
  })
}

// What fails before the first part is told as an error; after that only the connection can be broken off.
async function sendFile(
  reply: FastifyReply,
  { download }: { download: string },
  name: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
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
    .type(download)
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(Readable.from(all(), { objectMode: false, highWaterMark: 1 }))
}
