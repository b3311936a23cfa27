// The files of the page for visitors, as they stand in `browser/`: no build is needed to serve them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type File = { bytes: Buffer; zipped: Buffer; type: string; hash: string }

const read = (name: string, type: string): File => {
  const bytes = readFileSync(new URL(`browser/${name}`, import.meta.url))
  return { bytes, zipped: gzipSync(bytes), type, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}

const script = 'text/javascript; charset=utf-8'
const files = new Map([
  ['talk.js', read('talk.js', script)],
  ['speech.js', read('speech.js', script)],
  ['talk.css', read('talk.css', 'text/css; charset=utf-8')],
  ['icon.svg', read('icon.svg', 'image/svg+xml')],
])
const embed = read('embed.js', script)

export const filePaths = [...[...files.keys()].map((name) => `/talk/assets/${name}`), '/embed.js']

// Its address changes with its content.
export const addressOf = (name: string): string => `/talk/assets/${name}?v=${files.get(name)!.hash}`

export function addTalkFiles(server: FastifyInstance): void {
  server.get('/talk/assets/:file', async (request, reply) => {
    const file = files.get((request.params as { file: string }).file)
    if (!file) return reply.callNotFound()
    return send(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
  // Other sites name it as it is, so it is asked for again after an hour; and they may load it from here.
  server.get('/embed.js', async (request, reply) =>
    send(
      request,
      reply.header('cache-control', 'public, max-age=3600').header('cross-origin-resource-policy', 'cross-origin'),
      embed,
    ),
  )
}

function send(request: FastifyRequest, reply: FastifyReply, { bytes, zipped, type }: File): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(zipped)
}
